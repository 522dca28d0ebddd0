"""How work is cut: into runs of equal length, whose results follow one another."""

from itertools import pairwise


def ranges(total: int, parts: int) -> list[tuple[int, int]]:
    """[0, `total`) as `parts` ranges (begin, end) at most, none of them empty.

    >>> ranges(7, 3)
    [(0, 2), (2, 4), (4, 7)]
    >>> ranges(1, 3)
    [(0, 1)]
    """
    bounds = sorted({total * part // parts for part in range(parts + 1)})
    return list(pairwise(bounds))
