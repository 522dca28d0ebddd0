"""Gains of single hypotheses in standard units, so that no tuner depends on a metric's scale."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.pool import KBestPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Vector

# The first of a metric's sentence-level kinds: add-1 for BLEU, as the papers have it.
OWN = "own"
# Where lists are made again for new weights, one kind of gain must do: the corpus score of lists
# that are still growing does not tell which is better.
IN_A_LOOP = {"gain": OWN}


def gain_parameter() -> Any:
    """The option of the tuners that take sentence-level gains."""
    return parameter(
        "",
        "sentence-level gain: one of the metric's kinds, or 'own', the first of them; the corpus "
        "score chooses if empty",
    )


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


def gains_to_try(
    pool: KBestPool, metric: Metric, asked: str, *, engine: EngineLike = ALL_CORES
) -> Iterator[Vector]:
    """`standard_gains` of each kind that a tuner's option `gain` asks for.

    A sum of add-1 BLEU over sentences is not BLEU: how much it favours short texts depends on the
    lists (Nakov, Guzmán & Vogel 2012). Of the weights that each kind leads to, the corpus score
    takes the best.
    """
    kinds = {"": metric.tuning_kinds, OWN: metric.sentence_kinds[:1]}.get(asked, (asked,))
    for kind in kinds:
        yield standard_gains(pool, metric, kind, engine=engine)


def costs_of(pool: KBestPool, gains: Vector) -> Vector:
    """[rows] what a hypothesis gains less than the best one of its sentence; never negative."""
    best = np.maximum.reduceat(gains, pool.offsets[:-1])
    return np.repeat(best, np.diff(pool.offsets)) - gains
