"""Results merged in pairs, in an order of their number alone."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Result = TypeVar("Result")


def in_order(
    done: Iterable[tuple[int, Result]], told: Callable[[int], None] | None = None
) -> Iterator[Result]:
    """Results by their numbers, as `Engine.as_done` gives them; those that come early wait.

    `told` hears of each when it comes.

    >>> list(in_order([(1, "b"), (0, "a"), (2, "c")]))
    ['a', 'b', 'c']
    """
    early: dict[int, Result] = {}
    following = 0
    for number, result in done:
        if told is not None:
            told(number)
        early[number] = result
        while following in early:
            yield early.pop(following)
            following += 1


def reduced(results: Iterable[Result], merge: Callable[[Result, Result], Result]) -> Result:
    """All results as one: neighbours are merged, then neighbours of these, and so on.

    Sums of floats then have the same bits whoever computed the results, and of n results at most
    log n wait to be merged.

    >>> reduced("abcde", lambda a, b: f"({a}{b})")
    '(((ab)(cd))e)'
    """
    waiting: list[tuple[int, Result]] = []
    """Of how many results each is made, largest first."""
    for result in results:
        size = 1
        while waiting and waiting[-1][0] == size:
            size, result = 2 * size, merge(waiting.pop()[1], result)
        waiting.append((size, result))
    if not waiting:
        raise ValueError("no results to merge")
    _, whole = waiting.pop()
    while waiting:
        whole = merge(waiting.pop()[1], whole)
    return whole
