"""What can be had without tuning: the lists' first entries, and each feature by itself."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.base.pool import KBestPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.metrics.base import Metric

# Sparse features are tried one by one while there are so few: one for each system, say.
MOST_SPARSE = 100


# Names of metrics that need a reference, as part of a column's name; quality estimates (CometKiwi)
# need none.
_METRIC = re.compile(
    r"(?:^|[^a-z0-9])(?:(?:sent|sacre|sp)?bleu|bleurt|chr_?f|ter|wer|cer|meteor|rouge|comet(?!.?kiwi)|"
    r"xcomet|metricx|score_ref|ref_score|bertscore)",
    re.IGNORECASE,
)
_NO_REFERENCE = re.compile(r"kiwi|qe(?![a-z])", re.IGNORECASE)


def metric_like(names: Iterable[str]) -> list[str]:
    """Features that look like scores against a reference, which new text does not have.

    >>> metric_like(["lm", "sentBLEU", "comet_22", "cometkiwi", "comet-qe", "bleu.ref", "letter"])
    ['sentBLEU', 'comet_22', 'bleu.ref']
    """
    return [name for name in names if _METRIC.search(name) and not _NO_REFERENCE.search(name)]


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
