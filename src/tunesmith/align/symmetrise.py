"""One set of links from those of both directions."""

from tunesmith import _core
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.pharaoh import Links

#: What `symmetrise` can do with the links of two directions, one direction last.
METHODS = (
    "intersection",
    "grow",
    "grow-diag",
    "diag-and",
    "grow-diag-final-and",
    "grow-diag-final",
    "union",
    "forward",
    "reverse",
)


def symmetrise(
    forward: Links,
    reverse: Links,
    method: str = "grow-diag-final-and",
    *,
    engine: EngineLike = ALL_CORES,
) -> Links:
    """Combine the links of two directions, both given as source-target.

    Parameters
    ----------
    forward, reverse
        The links of the model that generates target words from source words, and of the
        opposite one.
    method
        ``intersection`` and ``union`` are Och and Ney's (2003). The others start from the
        intersection and take neighbours from the union as long as they cover an uncovered word:
        ``grow`` beside and above, ``grow-diag`` also diagonally. Then ``grow-diag-final`` takes
        links that cover an uncovered word, forward ones first, and ``grow-diag-final-and`` only
        links between two uncovered words; the links are those of fast_align's ``atools``.
        ``diag-and`` is Koehn et al.'s (2003) name for the same idea: its last step goes over the
        union in the order of the words. ``forward`` and ``reverse`` keep one direction.
    engine
        Who works; the links do not depend on it.

    >>> forward = Links.from_lists([[(0, 0), (1, 1), (1, 2)]])
    >>> reverse = Links.from_lists([[(0, 0), (1, 1), (3, 3)]])
    >>> for method in ("intersection", "grow-diag", "grow-diag-final-and"):
    ...     print(symmetrise(forward, reverse, method)[0])
    [(0, 0), (1, 1)]
    [(0, 0), (1, 1), (1, 2)]
    [(0, 0), (1, 1), (1, 2), (3, 3)]
    """
    return Links(
        *_core.symmetrise(
            forward.offsets,
            forward.source,
            forward.target,
            reverse.offsets,
            reverse.source,
            reverse.target,
            method,
            as_engine(engine).threads,
        )
    )
