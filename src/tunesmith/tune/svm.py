"""A latent structured SVM on k-best lists (Cherry & Foster 2012, section 3.2)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import derive_seed
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Step, Tuner, Vector
from tunesmith.tune.gains import IN_A_LOOP, costs_of, gain_parameter, gains_to_try


@dataclass
class Svm(Tuner):
    """Separate an oracle from every other hypothesis by a margin of what the other costs.

    Minimises λ/2 ‖w‖² + Σ max_e [cost(e) + w·h(e)] − max_{e*} w·h(e*), e* in the set of the
    sentence's best hypotheses (the paper's: exactly the best; ours: within a slack of it).
    Alternates: the weights choose an oracle from each set; with the oracles fixed the problem is
    convex and solved by cutting planes.
    """

    name: ClassVar[str] = "svm"
    title: ClassVar[str] = "latent structured SVM with cutting planes (Cherry & Foster 2012)"
    keep_best: ClassVar[bool] = True
    loop_settings: ClassVar[Mapping[str, Any]] = IN_A_LOOP

    selections: int = parameter(10, "times to select oracles and optimise", at_least=1)
    l2: float = parameter(30.0, "weight of ‖w‖²/2 (λ), in standardised units", above=0)
    oracle_slack: float = parameter(
        1.5, "how far below a sentence's best an oracle may be, in spreads of the gain", at_least=0
    )
    gap: float = parameter(1e-3, "duality gap to stop at, as a part of the objective", above=0)
    rounds: int = parameter(100, "most rounds of cuts per selection", at_least=1)
    gain: str = gain_parameter()

    def steps(self, pool: KBestPool, metric: Metric, start: Vector) -> Iterator[Step]:
        """One step per selection of oracles, for each kind of gain."""
        for gains in gains_to_try(pool, metric, self.gain, engine=self.engine):
            yield from self._steps(pool, gains, start)

    def _steps(self, pool: KBestPool, gains: Vector, start: Vector) -> Iterator[Step]:
        # Whatever is within the slack of the best is as good as the best, and the start chooses
        # first: one that is all 0 (sparse features alone) would choose what comes first in a list.
        slack = self.oracle_slack if np.any(start) else 0.0
        costs = np.maximum(costs_of(pool, gains) - slack, 0.0)
        svm = _core.StructuredSvm(
            pool.native,
            costs,
            regularisation=self.l2,
            start=start,
            threads=self.threads,
        )
        for selection in range(self.selections):
            changed = svm.select_oracles()
            if not changed:
                break
            objective, left, rounds = svm.optimise(
                self.gap, self.rounds, derive_seed(self.seed, self.name, selection)
            )
            note = f"{changed} oracles changed, {rounds} rounds, gap {left:.3g}"
            yield Step(svm.weights(), objective, note)
