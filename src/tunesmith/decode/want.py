"""What is wanted of a search: the best translation of each sentence, lists of them, or graphs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tunesmith.base.errors import OptionError
from tunesmith.graph.search import check_size


def _check_density(density: float | None) -> None:
    if density is not None and not density > 0:
        raise OptionError(f"density is {density}, expected a number above 0")


@dataclass(frozen=True)
class KBest:
    """The `size` best translations of each sentence, of distinct words or not.

    With `graph_density` the output has the graphs of the same search too, as `Graphs` would give
    them; ``inf`` keeps all edges.
    """

    size: int
    distinct: bool = True
    graph_density: float | None = None

    def __post_init__(self) -> None:
        check_size(self.size)
        _check_density(self.graph_density)

    def part(self, begin: int, end: int) -> "KBest":
        """What is wanted of sentences `begin` to `end`: the same."""
        return self


@dataclass(frozen=True)
class Graphs:
    """The search spaces themselves: every derivation that was in the beam, with its features.

    `density` keeps this many edges per word, those on the best derivations (max-marginals) first;
    all by default. Graphs are pruned as they are made, so memory holds small ones only.
    `word_counts` are the words that it counts for each sentence: those of its reference, say. By
    default those of its best translation.
    """

    density: float | None = None
    word_counts: Sequence[int] | None = None

    def __post_init__(self) -> None:
        _check_density(self.density)

    def part(self, begin: int, end: int) -> "Graphs":
        """What is wanted of sentences `begin` to `end`."""
        counts = self.word_counts
        return self if counts is None else replace(self, word_counts=counts[begin:end])


#: The best translation alone.
BEST = KBest(1)

Want = KBest | Graphs
