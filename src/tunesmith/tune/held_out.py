"""What to expect on new sentences: tune on one half of the lists, score the other, both ways."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import generator
from tunesmith.base.weights import Weights
from tunesmith.engine import ThreadEngine
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Tuner, TuneResult, start_vector


@dataclass(frozen=True)
class HeldOut:
    """Scores of all sentences, each chosen by weights that never saw it."""

    score: float
    """The choices of the weights that were tuned without the sentence's part."""
    start_score: float
    """The choices of the start weights, on the same sentences."""
    tuned_score: float
    """The mean score of the parts that the weights were tuned on: the optimistic view."""
    chosen: npt.NDArray[np.int64] = field(
        default_factory=lambda: np.empty(0, np.int64), compare=False, repr=False
    )
    """[sentences] the row of the pool that those weights choose."""
    unchanged: int = 0
    """Parts without which the tuner found nothing better than its start, which was taken then."""


Choose = Callable[[Tuner, KBestPool], Tuner]
"""Gives a tuner the settings that suit some lists."""


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
    choose: Choose = lambda tuner, pool: tuner,
    progress: Callable[[int], None] = lambda part: None,
) -> HeldOut:
    """Tune `parts` times, each time without one part of the sentences, and score that part.

    Where settings are chosen by looking at scores, `choose` chooses them anew each time, on the
    sentences that are tuned on: an estimate on sentences that helped to choose would be too high.
    The statistics of the parts are added before the score is taken, so it is a corpus score of
    all sentences and can be compared with `TuneResult.score`. The split depends on the tuner's
    seed only. The parts share the tuner's threads; `progress` is called after each of them,
    with the number of those before.
    """
    if pool.sentences < parts:
        raise OptionError(f"{pool.sentences} sentences cannot be split into {parts} parts")
    begin = start_vector(pool, start)
    engine = ThreadEngine(tuner.threads)
    workers = max(1, min(parts, engine.threads))
    # Tuning one part on one thread leaves no thread idle, which not every tuner can say of itself.
    part_tuner = dataclasses.replace(tuner, engine=engine.share(workers))

    def without(left_out: npt.NDArray[np.int64]) -> tuple[TuneResult, npt.NDArray[np.int64]]:
        rest = pool.select(np.setdiff1d(np.arange(pool.sentences), left_out))
        result = choose(part_tuner, rest).fit(rest, metric, start)
        unseen = pool.select(left_out)
        best = unseen.best(result.weights.vector(pool.names), threads=part_tuner.threads)
        return result, best - unseen.offsets[:-1] + pool.offsets[left_out]

    tuned, chosen, unchanged = [0.0] * parts, np.empty(pool.sentences, dtype=np.int64), 0
    split = folds(pool.sentences, parts, tuner.seed)
    for done, (part, (result, rows)) in enumerate(engine.as_done(without, split)):
        tuned[part] = result.score
        unchanged += bool(result.refused) and result.score == result.start_score
        chosen[split[part]] = rows
        progress(done)
    started = pool.stats_of(pool.best(begin, threads=tuner.threads))
    return HeldOut(
        metric.score(pool.stats_of(chosen)), metric.score(started), float(np.mean(tuned)), chosen,
        unchanged,
    )  # fmt: skip
