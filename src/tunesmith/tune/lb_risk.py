"""Expected BLEU of graphs by gradients (Rosti et al. 2011; Li & Eisner 2009)."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.weights import Weights
from tunesmith.graph import Derivations, kbest
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Step, Vector, unit_length
from tunesmith.tune.graph_base import GraphSearch, GraphTuner
from tunesmith.tune.graph_space import GraphSpace, Sizes

# A descent that lowers the objective by less than this part of it has reached the optimum.
LEAST_PROGRESS = 1e-4


@dataclass
class LatticeRisk(GraphTuner):
    """Draw a derivation with P_w(d) ∝ exp(w·h(d)); maximise the BLEU of what to expect.

    Minimises λ/2 ‖w‖² − N · BLEU(expected statistics) / σ by L-BFGS. The expected statistics of
    the corpus come from inside–outside over graphs whose edges know which n-grams they complete;
    matches of a reference n-gram are clipped in expectation. Units are those of the other tuners:
    features by their spread, gains by theirs.
    """

    name: ClassVar[str] = "lb-risk"
    title: ClassVar[str] = "expected BLEU of graphs by gradients (Rosti et al. 2011)"
    keep_best: ClassVar[bool] = True

    l2: float = parameter(0.3, "weight of ‖w‖²/2 (λ), in standardised units", at_least=0)
    rounds: int = parameter(6, "descents, each from the end of the one before", at_least=1)
    iterations: int = parameter(10, "iterations of L-BFGS in a descent", at_least=1)
    kept: int = parameter(
        10, "best translations of a graph that the next iterations see too", at_least=1
    )

    def search(
        self, space: GraphSpace, metric: Metric, start: Vector, sizes: Sizes
    ) -> "_RiskSearch":
        """The descents on one space."""
        return _RiskSearch(self, space, metric, start, sizes)


class _RiskSearch(GraphSearch):
    def __init__(
        self,
        tuner: LatticeRisk,
        space: GraphSpace,
        metric: Metric,
        start: Vector,
        sizes: Sizes,
    ) -> None:
        self._tuner, self._space, self._start = tuner, space, start
        self._scale = sizes.scale(space.pool.names, space.pool.dense_size)
        self._risk = _core.GraphRisk(
            space.bleu(metric, tuner.name, engine=tuner.engine),
            metric.gain,
            self._scale,
            len(space.usable) / sizes.gain_spread,
            tuner.l2,
            tuner.threads,
        )

    def steps(self) -> Iterator[Step]:
        """One step per descent."""
        weights = unit_length(self._start * self._scale)
        lowest, _, _ = self._risk.value(weights)
        for _ in range(self._tuner.rounds):
            weights, objective = self._risk.descend(weights, self._tuner.iterations)
            yield Step(weights / self._scale, objective)
            if objective > lowest - LEAST_PROGRESS * abs(lowest):
                return
            lowest = objective

    def chosen(self) -> Derivations:
        """The best translations under the start: what this iteration's graphs are about."""
        by_name = Weights.from_vector(self._space.pool.names, self._start)
        return kbest(self._space.pool, by_name, self._tuner.kept, engine=self._tuner.engine)
