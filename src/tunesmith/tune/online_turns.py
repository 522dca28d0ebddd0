"""Turns of online learning: epochs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.base.weights import Weights
from tunesmith.tune.online_memory import OnlineMemory
from tunesmith.tune.pool import PoolBuilder
from tunesmith.tune.turns import GraphSource, LoopSetting, Turn

if TYPE_CHECKING:
    from tunesmith.tune.mira import OnlineMira


@dataclass
class OnlineTurns:
    """Epochs of online learning, each sentence searched with the weights of its moment."""

    tuner: "OnlineMira"
    setting: LoopSetting
    source: GraphSource
    kept: OnlineMemory | None = None
    """What the epochs so far have learned."""

    def resume(self, paths: Sequence[Path], fell: Sequence[bool]) -> None:
        """Go on with what is in the last file."""
        memory = OnlineMemory.load(paths[-1])
        dense = self.source.dense_names
        self.setting.require(
            paths[-1],
            memory.names[: len(dense)] == dense
            and self.source.names in (None, memory.names)
            and memory.backgrounds.shape == (self.tuner.shards, self.setting.metric.size),
        )
        self.kept = memory

    def search(self, weights: Weights) -> Sequence[str]:
        """Search with the average so far; the first lists tell how large features are."""
        setting, tuner = self.setting, self.tuner
        size = setting.size if self.kept is None else 1
        builder = PoolBuilder(setting.metric, setting.references, engine=tuner.engine)
        texts = setting.source.kbest(weights, size, builder)
        if self.kept is None:
            lists, dense = builder.finish(), self.source.dense_names
            # Where the decoder does not know its sparse features, those of the lists are learned.
            names = self.source.names or (*dense, *lists.sparse_names)
            self.kept = tuner.begin(lists, setting.metric, weights, names, len(dense))
        return texts

    def tune(self, start: Weights, *, fell: bool, last: bool) -> Turn:
        """Learn for an epoch, from where the one before ended."""
        setting, tuner, kept = self.setting, self.tuner, self.kept
        assert kept is not None
        if last:
            return Turn(kept, kept.visits, "visits")
        graphs = self.source.sentence_graphs()
        memory = tuner.epoch(kept, graphs, setting.metric, setting.references)
        self.kept = memory
        found = Weights.from_vector(memory.names, memory.mean)
        return Turn(memory, memory.visits, "visits", found)
