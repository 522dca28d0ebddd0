"""PRO (Hopkins & May 2011): tuning as pairwise ranking, ranking as binary classification."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import derive_seed
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Step, Tuner, Vector, interpolated
from tunesmith.tune.gains import IN_A_LOOP, gain_parameter, gains_to_try

# Γ, the candidate pairs of a sentence: Hopkins & May's, and Cherry & Foster's.
CANDIDATES = {"threshold": 5000, "sigmoid": 100}


@dataclass
class Pro(Tuner):
    """Sample pairs of hypotheses that differ in gain; learn to put the better one first.

    w = argmin λ/2 ‖w‖² + Σ loss(w·(h(good) − h(bad))), with the logistic loss log(1 + exp(−m))
    (maximum entropy) or the hinge (1 − m)₊ (a linear SVM).
    """

    name: ClassVar[str] = "pro"
    title: ClassVar[str] = "pairwise ranking optimisation (Hopkins & May 2011)"
    keep_best: ClassVar[bool] = True
    loop_settings: ClassVar[Mapping[str, Any]] = IN_A_LOOP

    sampler: str = parameter(
        "threshold",
        "which candidate pairs count: all beyond a threshold, or by a sigmoid of the difference",
        choices=("threshold", "sigmoid"),
    )
    candidates: int = parameter(
        0, "candidate pairs per sentence (Γ); 0: 5000 for threshold, 100 for sigmoid", at_least=0
    )
    keep: int = parameter(100, "of these, pairs to keep: those that differ most (Ξ)", at_least=1)
    threshold: float = parameter(
        2.0, "least difference in gain of a pair (α), in spreads of the gain", at_least=0
    )
    softness: float = parameter(
        1.0, "width of the sigmoid sampler, in spreads of the gain", above=0
    )
    loss: str = parameter(
        "logistic",
        "logistic (maximum entropy) or hinge (linear SVM)",
        choices=("logistic", "hinge"),
    )
    l2: float = parameter(100.0, "weight of ‖w‖²/2 (λ), in standardised units", above=0)
    gain: str = gain_parameter()
    interpolation: float = parameter(
        1.0, "part of the new weights in the result, the rest is the start (Ψ)", above=0, at_most=1
    )

    def steps(self, pool: KBestPool, metric: Metric, start: Vector) -> Iterator[Step]:
        """One step for each kind of gain."""
        for gains in gains_to_try(pool, metric, self.gain, engine=self.engine):
            yield self._step(pool, gains, start)

    def _step(self, pool: KBestPool, gains: Vector, start: Vector) -> Step:
        """Sample, classify, interpolate."""
        pairs = _core.sample_pairs(
            pool.native,
            gains,
            sigmoid=self.sampler == "sigmoid",
            candidates=self.candidates or CANDIDATES[self.sampler],
            keep=self.keep,
            threshold=self.threshold,
            softness=self.softness,
            seed=derive_seed(self.seed, self.name, "pairs"),
            threads=self.threads,
        )
        if not len(pairs):
            return Step(start, 0.0, "no two hypotheses of a sentence differ enough")
        learnt, objective, iterations, converged = self._classify(pool, pairs)
        weights = interpolated(start, learnt, self.interpolation)
        note = f"{len(pairs):,} pairs, {iterations} iterations"
        return Step(weights, objective, note if converged else note + ", not converged")

    def _classify(
        self, pool: KBestPool, pairs: npt.NDArray[np.int64]
    ) -> tuple[Vector, float, int, bool]:
        if self.loss == "hinge":
            result = _core.fit_hinge(
                pool.native,
                pairs,
                regularisation=self.l2,
                tolerance=0.1,
                iterations=300,
                seed=derive_seed(self.seed, self.name, "order"),
            )
        else:
            result = _core.fit_logistic(
                pool.native,
                pairs,
                regularisation=self.l2,
                start=np.zeros(len(pool.names)),
                tolerance=1e-6,
                iterations=300,
                threads=self.threads,
            )
        return result
