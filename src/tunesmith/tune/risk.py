"""Minimum risk (Smith & Eisner 2006, Li & Eisner 2009): the expected cost of a random choice."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import generator
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Step, Vector
from tunesmith.tune.bounded import BoundedTuner
from tunesmith.tune.gains import IN_A_LOOP, costs_of, gain_parameter, gains_to_try
from tunesmith.tune.limits import Limits

# An epoch that lowers the objective by less than this part of it has reached the optimum.
LEAST_PROGRESS = 1e-4
# Doublings or halvings of the rate at a time.
MOST_CHANGES = 20

Order = npt.NDArray[np.int64]


@dataclass
class Risk(BoundedTuner):
    """Choose e with P_w(e) ∝ exp(w·h(e)); minimise what that costs on average.

    Minimises λ/2 ‖w‖² + Σ E_w[cost] by stochastic gradient descent with the rate
    η0 / (1 + η0 λ t), η0 tuned on one epoch; at an optimum the sentences are shuffled, η0 is tuned
    again and the descent starts from there (Cherry & Foster 2012, sections 2.4 and 4.1).
    """

    name: ClassVar[str] = "risk"
    title: ClassVar[str] = "minimum expected cost by stochastic gradient descent"
    keep_best: ClassVar[bool] = True
    loop_settings: ClassVar[Mapping[str, Any]] = IN_A_LOOP

    restarts: int = parameter(5, "descents after the first, each from the optimum", at_least=0)
    epochs: int = parameter(10, "most epochs of a descent", at_least=1)
    l2: float = parameter(3.0, "weight of ‖w‖²/2 (λ), in standardised units", at_least=0)
    batch: int = parameter(8, "sentences whose gradients are taken together", at_least=1)
    gain: str = gain_parameter()

    def steps(self, pool: KBestPool, metric: Metric, start: Vector) -> Iterator[Step]:
        """One step per epoch that came closer, for each kind of gain."""
        for gains in gains_to_try(pool, metric, self.gain, engine=self.engine):
            yield from self._steps(pool, gains, start)

    def _steps(self, pool: KBestPool, gains: Vector, start: Vector) -> Iterator[Step]:
        chance = generator(self.seed, self.name)
        batch = min(self.batch, pool.sentences)
        unit = self.from_unit_length(pool, start)
        costs = costs_of(pool, gains)
        descent = _Descent(pool, costs, self.l2, batch, unit.limits, self.threads)
        weights, rate = unit.weights, 1.0 / pool.sentences
        lowest = descent.objective(weights)
        yield Step(unit.size * weights, lowest, "start")
        for _ in range(1 + self.restarts):
            order = chance.permutation(pool.sentences)
            rate = descent.tuned_rate(weights, order, rate)
            candidate, time = weights, 0.0
            for _ in range(self.epochs):
                candidate, time = descent.epoch(candidate, order, rate, time)
                objective = descent.objective(candidate)
                if not objective < lowest - LEAST_PROGRESS * abs(lowest):
                    break
                weights, lowest = candidate, objective
                yield Step(unit.size * weights, lowest, f"rate {rate:.3g}")


@dataclass(frozen=True)
class _Descent:
    """The objective and its stochastic descent."""

    pool: KBestPool
    costs: Vector
    l2: float
    batch: int
    limits: Limits
    threads: int

    def objective(self, weights: Vector) -> float:
        return float(
            _core.risk_objective(self.pool.native, self.costs, self.l2, weights, self.threads)
        )

    def epoch(
        self, weights: Vector, order: Order, rate: float, time: float
    ) -> tuple[Vector, float]:
        """The weights after one epoch, and the number of sentences visited since time 0.

        The end of an epoch is projected onto the limits.
        """
        end, time = _core.risk_epoch(
            self.pool.native,
            self.costs,
            order,
            weights,
            regularisation=self.l2,
            rate=rate,
            batch=self.batch,
            time=time,
            threads=self.threads,
        )
        return self.limits.clip(end), time

    def tuned_rate(self, weights: Vector, order: Order, rate: float) -> float:
        """The η0 that lowers the objective most in one epoch, by doubling or halving."""

        def after_one_epoch(rate: float) -> float:
            objective = self.objective(self.epoch(weights, order, rate, 0.0)[0])
            return objective if np.isfinite(objective) else np.inf

        begin = best = after_one_epoch(rate)
        for factor in (2.0, 0.5):
            for _ in range(MOST_CHANGES):
                objective = after_one_epoch(factor * rate)
                if not objective < best:
                    break
                best, rate = objective, factor * rate
            if best < begin:
                break
        return rate
