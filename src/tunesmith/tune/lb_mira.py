"""Batch lattice MIRA (Cherry & Foster 2012, Algorithm 1): hope and fear from whole graphs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.seeds import generator
from tunesmith.graph import Derivations
from tunesmith.graph.bleu import derivations_of
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Step, Vector, interpolated, unit_length
from tunesmith.tune.batch_mira import SMALL_COUNT, BatchMira
from tunesmith.tune.graph_base import GraphSearch, GraphTuner
from tunesmith.tune.graph_space import GraphSpace, Sizes


@dataclass
class LatticeMira(BatchMira, GraphTuner):
    """Per sentence, the smallest step that puts the hope far enough above the fear.

    As `KBestMira`, with hope = argmax w·h + G and fear = argmax w·h − G over all derivations of
    the sentence's graph. A search over the graph finds them: it tracks the n-grams of the
    references along the edges, clipped and exact, and keeps `beam` items per node, judged by a
    linear G. Hopes and fears are what a loop keeps of the graphs.
    """

    name: ClassVar[str] = "lb-mira"
    title: ClassVar[str] = "batch lattice MIRA: hope and fear from graphs (Cherry & Foster 2012)"

    C: float = parameter(0.05, "cap of a step, in standardised units", above=0)
    beam: int = parameter(
        3, "items that a node keeps in the search for hope and fear; 0: all", at_least=0
    )

    def search(
        self, space: GraphSpace, metric: Metric, start: Vector, sizes: Sizes
    ) -> "_MiraSearch":
        """The passes over one space."""
        return _MiraSearch(self, space, metric, start, sizes)


class _MiraSearch(GraphSearch):
    def __init__(
        self,
        tuner: LatticeMira,
        space: GraphSpace,
        metric: Metric,
        start: Vector,
        sizes: Sizes,
    ) -> None:
        self._tuner, self._space = tuner, space
        self._native = space.bleu(metric, tuner.name, engine=tuner.engine)
        self._scale = scale = sizes.scale(space.pool.names, space.pool.dense_size)
        self._begin = unit_length(start * scale)
        begin = self._begin / scale
        best = space.best_stats(metric, begin, engine=tuner.engine).astype(np.float64)
        self._mira = _core.GraphMira(
            metric.gain,
            begin,
            scale,
            best / len(space.usable) + SMALL_COUNT,
            background_size=1.0,
            step_cap=tuner.C,
            decay=tuner.decay,
            gain_scale=1.0 / sizes.gain_spread,
            beam=tuner.beam,
            threads=tuner.threads,
        )

    def steps(self) -> Iterator[Step]:
        """One step per pass: the average of all weights seen so far, pulled back to the start."""
        chance = generator(self._tuner.seed, self._tuner.name)
        for _ in range(self._tuner.passes):
            loss = self._mira.run_pass(self._native, chance.permutation(self._space.usable))
            learnt = self._mira.average() * self._scale
            weights = interpolated(self._begin, learnt, self._tuner.interpolation)
            yield Step(weights / self._scale, loss)

    def chosen(self) -> Derivations:
        """The hopes and fears of all passes."""
        return derivations_of(self._space.pool, self._mira.paths())
