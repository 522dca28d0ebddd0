"""Turns on graphs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.base.weights import Weights
from tunesmith.graph import best
from tunesmith.tune.graph_space import GraphMemory, GraphSpace
from tunesmith.tune.turns import GraphSource, LoopSetting, Turn

if TYPE_CHECKING:
    from tunesmith.tune.graph_base import GraphTuner


@dataclass
class GraphTurns:
    """Graphs of this turn, and the paths that earlier turns chose."""

    tuner: "GraphTuner"
    setting: LoopSetting
    source: GraphSource
    kept: GraphMemory | None = None
    """The paths so far."""
    _space: GraphSpace | None = None

    def resume(self, paths: Sequence[Path], fell: Sequence[bool]) -> None:
        """Go on with the paths of the last file."""
        memory = GraphMemory.load(paths[-1])
        names = self.source.names
        self.setting.require(
            paths[-1],
            len(memory.paths) == self.setting.sentences
            and memory.paths.dense_names == self.source.dense_names
            and (names is None or set(memory.paths.names) <= set(names)),
        )
        self.kept = memory

    def search(self, weights: Weights) -> Sequence[str]:
        """Make graphs."""
        counts = [len(line.split()) for line in self.setting.references[0]]
        graphs = self.source.graphs(weights, self.tuner.density, counts)
        texts = best(graphs, weights, engine=self.tuner.engine).best_texts()
        self._space = GraphSpace(graphs, self.setting.references, self.kept)
        return texts

    def tune(self, start: Weights, *, fell: bool, last: bool) -> Turn:
        """Tune on the graphs of the search and the paths before.

        Features are measured on what the start chooses of them, so those of a turn that fell do
        no harm.
        """
        space, self._space = self._space, None
        assert space is not None
        edges = space.pool.edges
        if last:
            return Turn(self.kept or space.pool, edges, "edges")
        result = self.tuner.fit(space, self.setting.metric, start, keep_better_start=False)
        result.warn(self.tuner.name)
        self.kept = result.memory
        found = result.weights
        if self.source.names is None:
            # Of sparse features only those that have been learned: other graphs have others.
            dense = set(self.source.dense_names)
            found = Weights({name: v for name, v in found.items() if v or name in dense})
        return Turn(result.memory, edges, "edges", found, result.score)
