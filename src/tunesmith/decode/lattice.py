"""Lattices on their way into the core."""

import math
from dataclasses import dataclass, field

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.corpus.lines import Line
from tunesmith.decode.sentence import copies, is_punctuation
from tunesmith.formats.plf import EMPTY, Lattice
from tunesmith.model.search import SearchOptions


@dataclass(frozen=True)
class SourceLattice(Lattice):
    """A lattice of running text, or with target words and phrases that no translation has."""

    forbidden: list[list[str]] = field(default_factory=list)
    line: Line | None = None


# The logarithm of no probability at all, as in Moses.
LOWEST = -100.0


def native_lattice(
    lattice: Lattice, search: SearchOptions, arc_features: int
) -> _core.SourceSentence:
    """A lattice as the core takes it; without its scores if a model has no features for them."""
    arcs = [
        (node, node + arc.step, arc_values(arc.scores, search) if arc_features else [])
        for node, arc in lattice.arcs()
    ]
    if arc_features and lattice.nodes and lattice.scores != arc_features:
        raise OptionError(
            f"{lattice.scores} scores of an arc, expected {arc_features} as the model has"
        )
    words = [arc.word for _, arc in lattice.arcs()]
    if EMPTY in words:
        raise OptionError(f"a lattice with an empty arc {EMPTY}, see `without_empty_arcs`")
    walls = _walls_at_punctuation(lattice) if search.monotone_at_punctuation else []
    forbidden = lattice.forbidden if isinstance(lattice, SourceLattice) else []
    return _core.SourceSentence(
        words, copies=copies(words, search.unknown), walls=walls, arcs=arcs, forbidden=forbidden
    )


def arc_values(scores: tuple[float, ...], search: SearchOptions) -> list[float]:
    """Feature values of an arc: its scores, or their natural logarithms if they are probabilities.

    >>> arc_values((1.0, 0.0), SearchOptions())
    [0.0, -100.0]
    """
    if search.arc_scores == "logarithms":
        return list(scores)
    for score in scores:
        if not 0 <= score <= 1:
            raise OptionError(
                f"score {score:g}, expected a probability; --arc-scores logarithms takes any number"
            )
    return [max(math.log(score), LOWEST) if score > 0 else LOWEST for score in scores]


def _walls_at_punctuation(lattice: Lattice) -> list[int]:
    """A wall at every node that is reached by punctuation only and that no arc passes by."""
    plain = {node + arc.step for node, arc in lattice.arcs() if not is_punctuation(arc.word)}
    passed = {node for begin, arc in lattice.arcs() for node in range(begin + 1, begin + arc.step)}
    return [node for node in range(1, len(lattice.nodes)) if node not in plain | passed]
