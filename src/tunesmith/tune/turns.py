"""One turn of the tuning loop: what turns on all kinds of hypothesis spaces have in common.

A turn searches with the weights so far, adds what it found to what earlier turns have kept, and,
when the loop has judged the translations, tunes on all of it. Between turns what is kept is in
files: one for what each turn has added, or one for all of it. A tuner knows its kind of turns
(`AnyTuner.turns`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.weights import Weights
from tunesmith.metrics.base import Metric
from tunesmith.tune.pool import PoolBuilder


class SentenceGraphs(Protocol):
    """What online learning needs of a decoder: the graph of a sentence under given weights."""

    def __call__(self, sentence: int, weights: Weights, density: float, words: int) -> GraphPool:
        """Search for one sentence of the dev set, on the caller's thread."""


class GraphSource(Protocol):
    """What turns on graphs need of a decoder: the graphs of the dev set, and their features."""

    @property
    def names(self) -> tuple[str, ...] | None:
        """All features, dense ones first; None where only the graphs tell which sparse ones."""

    @property
    def dense_names(self) -> tuple[str, ...]:
        """The dense ones."""

    def graphs(self, weights: Weights, density: float, word_counts: Sequence[int]) -> GraphPool:
        """The search graphs, pruned to `density` edges per word if that is not 0."""

    def sentence_graphs(self) -> SentenceGraphs:
        """Graphs of single sentences, each on its caller's thread."""


class KBestSource(Protocol):
    """What the loop needs of a decoder: k-best lists of the dev set under given weights."""

    def kbest(self, weights: Weights, size: int, builder: PoolBuilder) -> Sequence[str]:
        """Decode, add the lists to `builder`, and give the best translation of each sentence."""

    @property
    def names(self) -> tuple[str, ...] | None:
        """All features; None where only the lists tell."""

    @property
    def graph_source(self) -> GraphSource | None:
        """Where search graphs come from, for the tuners that need them; None: it has none."""


class Kept(Protocol):
    """What is kept from turn to turn."""

    def save(self, path: str | Path) -> None:
        """Write it to one file."""


@dataclass(frozen=True)
class Turn:
    """What a turn found."""

    kept: Kept
    """What the next turn needs of this one and of those before."""
    size: int
    """Of the space that was tuned on, in `unit`."""
    unit: str
    weights: Weights | None = None
    """What comes next; None in the last turn, which only searches."""
    score: float = float("nan")
    """What the tuner reached on the space."""
    added: Kept | None = None
    """What this turn has added to `kept`, where that is enough to write."""


class Turns(Protocol):
    """The turns of a loop, which follow each other; they know what earlier ones have kept."""

    def resume(self, paths: Sequence[Path], fell: Sequence[bool]) -> None:
        """Go on where turns of another process were.

        `paths` are all files with what one turn has added, or the last file with all of it;
        `fell` says of each which of these turns fell.
        """

    def search(self, weights: Weights) -> Sequence[str]:
        """Search with `weights`; the best translation of each sentence."""

    def tune(self, start: Weights, *, fell: bool, last: bool) -> Turn:
        """Tune from `start` on what was found, now and before, unless it is the `last` time.

        A turn `fell` if the weights it searched with are far worse than those before them, which
        are the start then.
        """


@dataclass(frozen=True)
class LoopSetting:
    """What all turns of a loop have in common."""

    source: KBestSource
    metric: Metric
    references: Sequence[Sequence[str]]
    size: int
    """Translations of each sentence in a list."""

    @property
    def sentences(self) -> int:
        """The size of the dev set."""
        return len(self.references[0])

    def graph_source(self, who: str) -> GraphSource:
        """Where graphs come from; a source that has none is refused on behalf of tuner `who`."""
        found = self.source.graph_source
        if found is None:
            raise OptionError(
                f"{who} needs the search graphs of our own decoder; a command gives lists: "
                "take kb-mira or kb-mert"
            )
        return found

    def require(self, path: Path, fits: bool) -> None:
        """Refuse a file of the folder that does not fit the settings of this run."""
        if not fits:
            raise InputError(
                path, 0, "what another run has kept", "this run's", "delete the folder"
            )
