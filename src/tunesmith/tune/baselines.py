"""What can be had without tuning: the lists' first entries, and each feature by itself."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.base.pool import KBestPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.metrics.base import Metric

# Sparse features are tried one by one while there are so few: one for each system, say.
MOST_SPARSE = 100


@dataclass(frozen=True)
class Alone:
    """The feature that chooses best by itself."""

    feature: str
    sign: int
    """−1 if the hypothesis with the lowest value is chosen."""
    score: float

    def __str__(self) -> str:
        return f"{'' if self.sign > 0 else 'lowest '}{self.feature}"


def first_entries(pool: KBestPool) -> npt.NDArray[np.int64]:
    """[sentences] the first row of each: what a system puts there is its own choice."""
    return pool.offsets[:-1]


def best_alone(pool: KBestPool, metric: Metric, *, engine: EngineLike = ALL_CORES) -> Alone | None:
    """The feature whose highest (or lowest) values choose best; None if there is only one feature.

    Ties go to the hypothesis that comes first. A sparse feature is tried upwards only: it is 0
    where a hypothesis does not have it.
    """
    names = pool.names if len(pool.sparse_names) <= MOST_SPARSE else pool.dense_names
    if len(pool.names) < 2:
        return None
    better = 1.0 if metric.higher_is_better else -1.0
    best: Alone | None = None
    for place, name in enumerate(names):
        for sign in (1, -1) if place < len(pool.dense_names) else (1,):
            weights = np.zeros(len(pool.names))
            weights[place] = sign
            rows = pool.best(weights, threads=as_engine(engine).threads)
            score = metric.score(pool.stats_of(rows))
            if best is None or better * score > better * best.score:
                best = Alone(name, sign, score)
    return best
