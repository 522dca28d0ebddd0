"""Gains of single hypotheses in standard units, so that no tuner depends on a metric's scale."""

import numpy as np

from tunesmith import _core
from tunesmith.base.pool import KBestPool
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Vector


def spread_within(pool: KBestPool, values: Vector, *, threads: int = 1) -> float:
    """The pooled standard deviation of a value of each row within its sentence; 1 if there is none.

    Only differences within a list matter to a tuner, and this is their typical size.
    """
    spread: float = _core.row_spread(pool.native, values, threads)
    # Rounding leaves specks of variance in constant values; they count as none.
    return spread if spread > 1e-12 * float(np.abs(values).max()) else 1.0


def standard_gains(
    pool: KBestPool, metric: Metric, kind: str | None = None, *, threads: int = 1
) -> Vector:
    """[rows] the sentence gain of every hypothesis, divided by its spread within the sentences.

    The papers' costs are sentence BLEU, whose spread is about 0.1 in usual lists: a setting of a
    paper that multiplies a cost is ten times as large in these units.
    """
    gains = metric.sentence_gains(pool.stats, kind, threads=threads)
    return gains / spread_within(pool, gains, threads=threads)
