"""Gains of single hypotheses in standard units, so that no tuner depends on a metric's scale."""

import numpy as np

from tunesmith import _core
from tunesmith.base.pool import KBestPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Vector


def spread_within(pool: KBestPool, values: Vector, *, engine: EngineLike = ALL_CORES) -> float:
    """The pooled standard deviation of a value of each row within its sentence; 1 if there is none.

    Only differences within a list matter to a tuner, and this is their typical size.
    """
    spread: float = _core.row_spread(pool.native, values, as_engine(engine).threads)
    # Rounding leaves specks of variance in constant values; they count as none.
    return spread if spread > 1e-12 * float(np.abs(values).max()) else 1.0


def standard_gains(
    pool: KBestPool, metric: Metric, kind: str = "", *, engine: EngineLike = ALL_CORES
) -> Vector:
    """[rows] the sentence-level gain of every hypothesis, divided by its spread in the sentences.

    `kind` is one of the metric's `sentence_kinds`, the first of them if empty. The papers' costs
    are sentence BLEU, whose spread is about 0.1 in usual lists: a setting of a paper that
    multiplies a cost is ten times as large in these units.
    """
    gains = metric.sentence_gains(pool.stats, kind or None, engine=engine)
    return gains / spread_within(pool, gains, engine=engine)


def costs_of(pool: KBestPool, gains: Vector) -> Vector:
    """[rows] what a hypothesis gains less than the best one of its sentence; never negative."""
    best = np.maximum.reduceat(gains, pool.offsets[:-1])
    return np.repeat(best, np.diff(pool.offsets)) - gains
