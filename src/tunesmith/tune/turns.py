"""One turn of the tuning loop, for each kind of hypothesis space.

A turn searches with the weights so far, adds what it found to what earlier turns have kept, and
tunes on all of it. Between turns what is kept is in files: one for what each turn has added, or
one for all of it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.graph import best
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import AnyTuner, Tuner
from tunesmith.tune.graph_base import GraphMemory, GraphSpace, GraphTuner
from tunesmith.tune.mira import OnlineMemory, OnlineMira
from tunesmith.tune.pool import PoolBuilder, merge_pools


class KBestSource(Protocol):
    """What the loop needs of a decoder: k-best lists of the dev set under given weights."""

    def kbest(self, weights: Weights, size: int, builder: PoolBuilder) -> Sequence[str]:
        """Decode, add the lists to `builder`, and give the best translation of each sentence."""

    @property
    def gives_graphs(self) -> bool:
        """Whether there are search graphs, for the tuners that need them."""

    @property
    def names(self) -> tuple[str, ...] | None:
        """All features; None where only the lists tell."""


class Kept(Protocol):
    """What is kept from turn to turn."""

    def save(self, path: str | Path) -> None:
        """Write it to one file."""


@dataclass(frozen=True)
class Turn:
    """What a turn found."""

    best: Sequence[str]
    """The best translation of each sentence under the weights that were given."""
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
    """Turns of one kind."""

    def load(self, paths: Sequence[Path]) -> Kept:
        """What earlier turns have kept: all files with what one has added, or the last file."""

    def take(self, weights: Weights, kept: Any, *, last: bool) -> Turn:
        """Search with `weights`, and tune unless it is the `last` time."""


@dataclass(frozen=True)
class Setting:
    """What all turns of a loop have in common."""

    source: Any
    metric: Metric
    references: Sequence[Sequence[str]]
    size: int
    """Translations of each sentence in a list."""
    folder: Path

    @property
    def sentences(self) -> int:
        """The size of the dev set."""
        return len(self.references[0])

    def require(self, path: Path, fits: bool) -> None:
        """Refuse a file of the folder that does not fit the settings of this run."""
        if not fits:
            raise InputError(
                path, 0, "what another run has kept", "this run's", "delete the folder"
            )


@dataclass(frozen=True)
class ListTurns:
    """K-best lists, merged over the turns."""

    tuner: Tuner
    setting: Setting

    def load(self, paths: Sequence[Path]) -> KBestPool:
        """The lists so far."""
        pools = [KBestPool.load(path) for path in paths]
        for path, pool in zip(paths, pools, strict=True):
            self.setting.require(
                path,
                pool.sentences == self.setting.sentences
                and pool.stats.shape[1] == self.setting.metric.size
                and set(pool.dense_names) == set(pools[0].dense_names),
            )
        return merge_pools(pools)

    def take(self, weights: Weights, kept: KBestPool | None, *, last: bool) -> Turn:
        """Add the lists of a search to those before."""
        setting = self.setting
        builder = PoolBuilder(setting.metric, setting.references, engine=self.tuner.engine)
        texts = setting.source.kbest(weights, setting.size, builder)
        found = builder.finish()
        pool = found if kept is None else merge_pools([kept, found])
        turn = Turn(texts, pool, pool.rows, "hypotheses", added=found)
        if last:
            return turn
        result = self.tuner.fit(pool, setting.metric, weights, keep_better_start=False)
        return replace(turn, weights=result.weights, score=result.score)


@dataclass(frozen=True)
class GraphTurns:
    """Graphs of this turn, and the paths that earlier turns chose."""

    tuner: GraphTuner
    setting: Setting

    def load(self, paths: Sequence[Path]) -> GraphMemory:
        """The paths so far."""
        memory = GraphMemory.load(paths[-1])
        self.setting.require(
            paths[-1],
            len(memory.paths) == self.setting.sentences
            and set(memory.paths.names) <= set(self.setting.source.names),
        )
        return memory

    def take(self, weights: Weights, kept: GraphMemory | None, *, last: bool) -> Turn:
        """Tune on the graphs of a search and the paths before."""
        setting = self.setting
        counts = [len(line.split()) for line in setting.references[0]]
        graphs = setting.source.graphs(weights, self.tuner.density, counts)
        texts = best(graphs, weights, engine=self.tuner.engine).best_texts()
        space = GraphSpace(graphs, setting.references, kept)
        del graphs  # the space has what it needs
        edges = space.pool.edges
        if last:
            return Turn(texts, kept or space.pool, edges, "edges")
        result = self.tuner.fit(space, setting.metric, weights, keep_better_start=False)
        return Turn(texts, result.memory, edges, "edges", result.weights, result.score)


@dataclass(frozen=True)
class OnlineTurns:
    """Epochs of online learning, each sentence searched with the weights of its moment."""

    tuner: OnlineMira
    setting: Setting

    def load(self, paths: Sequence[Path]) -> OnlineMemory:
        """What the epochs so far have learned."""
        memory = OnlineMemory.load(paths[-1])
        self.setting.require(
            paths[-1],
            memory.names == self.setting.source.names
            and memory.backgrounds.shape == (self.tuner.shards, self.setting.metric.size),
        )
        return memory

    def take(self, weights: Weights, kept: OnlineMemory | None, *, last: bool) -> Turn:
        """Score the average so far, then learn for an epoch."""
        setting, tuner = self.setting, self.tuner
        size = setting.size if kept is None else 1
        builder = PoolBuilder(setting.metric, setting.references, engine=tuner.engine)
        texts = setting.source.kbest(weights, size, builder)
        if kept is None:
            names, dense_size = setting.source.names, setting.source.dense_size
            kept = tuner.begin(builder.finish(), setting.metric, weights, names, dense_size)
        turn = Turn(texts, kept, kept.visits, "visits")
        if last:
            return turn
        graphs = setting.source.sentence_graphs()
        memory = tuner.epoch(kept, graphs, setting.metric, setting.references)
        found = Weights.from_vector(memory.names, memory.mean)
        return Turn(texts, memory, memory.visits, turn.unit, found)


def turns_of(tuner: AnyTuner, setting: Setting) -> Turns:
    """The turns that a tuner takes part in; refuses a source that cannot give what they need."""
    if isinstance(tuner, Tuner):
        return ListTurns(tuner, setting)
    if not setting.source.gives_graphs:
        raise OptionError(
            f"{tuner.name} needs the search graphs of our own decoder; a command gives lists: "
            "take kb-mira or kb-mert"
        )
    if isinstance(tuner, GraphTuner):
        return GraphTurns(tuner, setting)
    assert isinstance(tuner, OnlineMira)
    return OnlineTurns(tuner, setting)
