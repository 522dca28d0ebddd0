"""Structured ramp loss (Gimpel & Smith 2012): RAMPION on k-best lists."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import generator
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Step, Vector
from tunesmith.tune.bounded import BoundedTuner
from tunesmith.tune.gains import IN_A_LOOP, costs_of, gain_parameter, gains_to_try

# How much of the cost the two maximisations see: hypothesis to move to, hypothesis to move from.
KINDS = {"hope-fear": (-1.0, 1.0), "model-fear": (0.0, 1.0), "hope-model": (-1.0, 0.0)}


@dataclass
class Ramp(BoundedTuner):
    """Between the best that the model could choose and the worst that it might.

    Minimises λ/2 ‖w − start‖² + the mean of max_e [w·h(e) + cost(e)] − max_e [w·h(e) − cost(e)]
    (the paper's third ramp loss; the others leave the cost out of one maximum). The concave-convex
    procedure: fix the argmax of the second term, the hope, for every sentence; descend along
    subgradients of the rest, which is convex; repeat.
    """

    name: ClassVar[str] = "ramp"
    title: ClassVar[str] = "structured ramp loss, concave-convex procedure (Gimpel & Smith 2012)"
    keep_best: ClassVar[bool] = True
    loop_settings: ClassVar[Mapping[str, Any]] = IN_A_LOOP

    kind: str = parameter(
        "hope-fear", "which two hypotheses the loss compares", choices=tuple(KINDS)
    )
    rounds: int = parameter(20, "times to fix the hopes anew (T')", at_least=1)
    passes: int = parameter(5, "passes over the sentences per round (T'')", at_least=1)
    cost_weight: float = parameter(
        0.1, "cost of a spread of gain, where the start has length 1 (α)", above=0
    )
    rate: float = parameter(
        3.0, "steps of the first pass, all sentences together (η); falls as 1/√passes", above=0
    )
    l2: float = parameter(0.01, "weight of ‖w − start‖²/2 (λ), in standardised units", at_least=0)
    batch: int = parameter(8, "sentences whose fears are found together", at_least=1)
    gain: str = gain_parameter()

    def steps(self, pool: KBestPool, metric: Metric, start: Vector) -> Iterator[Step]:
        """One step per round, for each kind of gain."""
        for gains in gains_to_try(pool, metric, self.gain, engine=self.engine):
            yield from self._steps(pool, costs_of(pool, gains), start)

    def _steps(self, pool: KBestPool, costs: Vector, start: Vector) -> Iterator[Step]:
        chance = generator(self.seed, self.name)
        hope_factor, fear_factor = (self.cost_weight * factor for factor in KINDS[self.kind])
        unit = self.from_unit_length(pool, start)
        anchor, limits = unit.weights, unit.limits
        anchor_scores = pool.scores(anchor, threads=self.threads)
        deviation, bounded = np.zeros_like(anchor), limits.bounded
        for step in range(self.rounds * self.passes):
            if step % self.passes == 0:
                hopes = _core.augmented_best(
                    pool.native, costs, hope_factor, anchor + deviation, self.threads
                )
            deviation, loss = _core.ramp_epoch(
                pool.native,
                costs,
                hopes,
                chance.permutation(pool.sentences),
                anchor_scores,
                deviation,
                fear_factor=fear_factor,
                rate=self.rate / pool.sentences / np.sqrt(1 + step),
                regularisation=self.l2,
                batch=self.batch,
                threads=self.threads,
            )
            # Projected onto the limits, where there are any.
            deviation = limits.clip(anchor + deviation) - anchor if len(bounded) else deviation
            if (step + 1) % self.passes == 0:
                yield Step(unit.size * (anchor + deviation), loss)
