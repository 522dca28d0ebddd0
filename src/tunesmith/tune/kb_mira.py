"""Batch k-best MIRA (Cherry & Foster 2012, Algorithm 1): hope and fear from k-best lists."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import generator
from tunesmith.metrics.base import PSEUDO_CORPUS, Metric
from tunesmith.tune.base import Step, Vector, interpolated
from tunesmith.tune.batch_mira import SMALL_COUNT, BatchMira
from tunesmith.tune.bounded import BoundedTuner
from tunesmith.tune.gains import spread_within


@dataclass
class KBestMira(BatchMira, BoundedTuner):
    """Per sentence, the smallest step that puts the hope far enough above the fear.

    hope = argmax w·h + G, fear = argmax w·h − G; w += min(C, loss / ‖δ‖²) δ with
    δ = h(hope) − h(fear) and loss = G(hope) − G(fear) − w·δ. G(e) is the gain of the pseudo-corpus
    plus e, times the number of sentences in it (Chiang et al. 2008 take its length), in standard
    units. The running average of the weights, interpolated with the start where a loop asks for
    it, is scored on the pool after each pass; the best wins. Weights that have limits are put back
    within them after every step.
    """

    name: ClassVar[str] = "kb-mira"
    title: ClassVar[str] = "batch k-best MIRA (Cherry & Foster 2012)"

    C: float = parameter(0.2, "cap of a step, in standardised units", above=0)

    def steps(self, pool: KBestPool, metric: Metric, start: Vector) -> Iterator[Step]:
        """One step per pass: the average of all weights seen so far, pulled back to the start."""
        chance = generator(self.seed, self.name)
        unit = self.from_unit_length(pool, start)
        begin, limits = unit.weights, unit.limits
        chosen = pool.stats_of(pool.best(begin, threads=self.threads)).astype(np.float64)
        mira = _core.BatchMira(
            pool.native,
            metric.gain,
            begin,
            chosen / pool.sentences + SMALL_COUNT,
            step_cap=self.C,
            decay=self.decay,
            gain_scale=1.0 / self._spread(pool, metric, chosen),
            threads=self.threads,
        )
        bounded = limits.bounded
        mira.keep_within(bounded, limits.low[bounded], limits.high[bounded])
        for _ in range(self.passes):
            loss = mira.run_pass(chance.permutation(pool.sentences))
            if self.keeps_scale:
                share = self.interpolation
                mixed = share * mira.average() + (1.0 - share) * begin
            else:
                mixed = interpolated(begin, mira.average(), self.interpolation)
            yield Step(unit.size * limits.clip(mixed), loss)

    def _spread(self, pool: KBestPool, metric: Metric, chosen: Vector) -> float:
        """The spread of G within the sentences, around the start's own choices."""
        gains = metric.sentence_gains(
            pool.stats, PSEUDO_CORPUS, background=chosen + SMALL_COUNT, engine=self.engine
        )
        return spread_within(pool, pool.sentences * gains, engine=self.engine)
