"""What to expect on new sentences: tune on one half of the lists, score the other, both ways."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import generator
from tunesmith.base.weights import Weights
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Tuner, start_vector


@dataclass(frozen=True)
class HeldOut:
    """Scores of all sentences, each chosen by weights that never saw it."""

    score: float
    """The choices of the weights that were tuned without the sentence's part."""
    start_score: float
    """The choices of the start weights, on the same sentences."""
    tuned_score: float
    """The mean score of the parts that the weights were tuned on: the optimistic view."""


def folds(sentences: int, parts: int, seed: int) -> list[npt.NDArray[np.int64]]:
    """The sentences in parts of equal size, by chance, each in ascending order.

    >>> [part.tolist() for part in folds(5, 2, seed=1)]
    [[2, 3], [0, 1, 4]]
    """
    order = generator(seed, "folds").permutation(sentences)
    bounds = [sentences * part // parts for part in range(parts + 1)]
    return [np.sort(order[a:b]).astype(np.int64) for a, b in pairwise(bounds)]


def held_out(
    tuner: Tuner,
    pool: KBestPool,
    metric: Metric,
    start: Weights | None = None,
    *,
    parts: int = 2,
    progress: Callable[[int], None] = lambda part: None,
) -> HeldOut:
    """Tune `parts` times, each time without one part of the sentences, and score that part.

    The statistics of the parts are added before the score is taken, so it is a corpus score of
    all sentences and can be compared with `TuneResult.score`. The split depends on the tuner's
    seed only. `progress` is called after each part.
    """
    if pool.sentences < parts:
        raise OptionError(f"{pool.sentences} sentences cannot be split into {parts} parts")
    split = folds(pool.sentences, parts, tuner.seed)
    begin = start_vector(pool, start)
    chosen = np.zeros(metric.size, dtype=np.int64)
    tuned = []
    for part, left_out in enumerate(split):
        rest = np.setdiff1d(np.arange(pool.sentences), left_out)
        result = copy.copy(tuner).fit(pool.select(rest), metric, start)
        tuned.append(result.score)
        unseen = pool.select(left_out)
        weights = result.weights.vector(pool.names)
        chosen += unseen.stats_of(unseen.best(weights, threads=tuner.threads))
        progress(part)
    started = pool.stats_of(pool.best(begin, threads=tuner.threads))
    return HeldOut(metric.score(chosen), metric.score(started), float(np.mean(tuned)))
