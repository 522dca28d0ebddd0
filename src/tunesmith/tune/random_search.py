"""Random search: the honest baseline that every tuner must beat."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith.base.parameters import parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import generator
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Step, Vector
from tunesmith.tune.bounded import BoundedTuner
from tunesmith.tune.limits import limits_of


@dataclass
class RandomSearch(BoundedTuner):
    """Try random weights around the best so far and keep what scores better."""

    name: ClassVar[str] = "random"
    title: ClassVar[str] = "random search around the best weights so far (baseline)"
    keep_best: ClassVar[bool] = True

    trials: int = parameter(500, "random points to try", at_least=1)
    spread: float = parameter(
        0.3, "standard deviation of a step, as a part of the largest weight", above=0
    )

    def steps(self, pool: KBestPool, metric: Metric, start: Vector) -> Iterator[Step]:
        """Gaussian steps from the best point; a step that does not gain is taken back."""
        chance = generator(self.seed, self.name)
        limits = limits_of(pool.names, start, self.fixed_names, self.bounds_by_name)
        best, best_gain = start, self._gain(pool, metric, start)
        yield Step(best, best_gain, "start")
        for _ in range(self.trials):
            size = self.spread * (np.abs(best).max() or 1.0)
            candidate = limits.clip(best + size * chance.standard_normal(len(best)))
            gain = self._gain(pool, metric, candidate)
            if gain > best_gain:
                best, best_gain = candidate, gain
                yield Step(best, best_gain)

    def _gain(self, pool: KBestPool, metric: Metric, weights: Vector) -> float:
        rows = pool.best(weights, threads=self.threads)
        return float(metric.gain(pool.stats_of(rows).astype(np.float64)))
