"""The best and the worst corpus score of a choice from the lists, by greedy search."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.pool import KBestPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.metrics.base import Metric


@dataclass(frozen=True, eq=False)
class Oracle:
    """One hypothesis per sentence, and what they score together."""

    rows: npt.NDArray[np.int64]
    """[sentences] the chosen row of each sentence."""
    score: float


def greedy_oracle(
    pool: KBestPool,
    metric: Metric,
    start: npt.NDArray[np.int64] | None = None,
    *,
    worst: bool = False,
    engine: EngineLike = ALL_CORES,
) -> Oracle:
    """The greedy corpus oracle of Venugopal & Vogel (2005), as Hayashi et al. (2009) use it.

    From a start (each sentence's best hypothesis by itself, if none is given), replace one
    sentence's choice at a time by what improves the corpus score most, until nothing does. For
    metrics that are a mean over sentences this is the true optimum; for BLEU and its like it is a
    very good bound from inside.

    Parameters
    ----------
    pool, metric
        The lists, with the statistics of this metric.
    start
        [sentences] a row of each sentence.
    worst
        Look for the worst score instead.
    engine
        Who works; the result does not depend on it.
    """
    if start is None:
        gains = metric.sentence_gains(pool.stats, engine=engine)
        start = _first_of_highest(pool, -gains if worst else gains)
    rows = _core.greedy_oracle(pool.native, metric.gain, start, worst, as_engine(engine).threads)
    return Oracle(rows, metric.score(pool.stats_of(rows)))


def _first_of_highest(pool: KBestPool, values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """[sentences] the first row of the highest value of each sentence."""
    highest = np.maximum.reduceat(values, pool.offsets[:-1])
    hits = np.flatnonzero(values == np.repeat(highest, np.diff(pool.offsets)))
    return hits[np.searchsorted(hits, pool.offsets[:-1])].astype(np.int64)
