"""Tune on n-best lists, with everything that a person wants to know about the result."""

from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from time import perf_counter

from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Tuner, TuneResult
from tunesmith.tune.held_out import Choose, HeldOut, held_out
from tunesmith.tune.oracle import greedy_oracle

# Below this many points between start and oracle there is nothing to gain, whatever the tuner.
NO_ROOM = 0.5


@dataclass(frozen=True)
class NbestTuning:
    """Weights, and scores around them: where it began, what is possible, what will be kept."""

    result: TuneResult
    oracle_score: float
    held_out: HeldOut | None
    seconds: float
    warnings: list[str]

    @property
    def weights(self) -> Weights:
        """The tuned weights."""
        return self.result.weights


def tune_nbest(
    pool: KBestPool,
    metric: Metric,
    tuner: Tuner,
    start: Weights | None = None,
    *,
    estimate: bool = True,
    choose: Choose | None = None,
) -> NbestTuning:
    """Tune on a pool; `estimate` adds the held-out score, for two more tuning runs on halves.

    `choose` says how the tuner's settings were chosen on this pool, so that the estimate can
    choose them on each half.
    """
    begin = perf_counter()
    # The estimate runs beside the tuning where there are threads for both: some tuners go through
    # the sentences one by one and keep a single thread busy.
    with ThreadPoolExecutor(1) as beside:
        estimated = None
        if estimate and pool.sentences >= 4:
            estimator = held_out if choose is None else partial(held_out, choose=choose)
            estimated = beside.submit(estimator, tuner, pool, metric, start)
            if tuner.threads == 1:
                wait([estimated])
        result = tuner.fit(pool, metric, start)
        oracle = greedy_oracle(pool, metric, engine=tuner.engine).score
        held = None if estimated is None else estimated.result()
    seconds = perf_counter() - begin
    return NbestTuning(result, oracle, held, seconds, _warnings(pool, metric, result, oracle, held))


def _warnings(
    pool: KBestPool, metric: Metric, result: TuneResult, oracle: float, held: HeldOut | None
) -> list[str]:
    """What a person should hear before using the weights."""
    sign = 1.0 if metric.higher_is_better else -1.0
    warnings = []
    if pool.rows == pool.sentences:
        warnings.append("every sentence has one hypothesis only: tuning cannot change anything")
    elif sign * (oracle - result.start_score) < NO_ROOM:
        warnings.append(
            f"even the best choice that greedy search finds in the lists scores {oracle:.2f}: "
            "tuning cannot help much, longer or more diverse lists might"
        )
    if held is not None and sign * (held.score - held.start_score) <= 0:
        warnings.append(
            f"on held-out sentences the weights score {held.score:.2f}, the start "
            f"{held.start_score:.2f}: do not expect a gain on new text; more sentences, fewer "
            "features or a stronger regulariser might help"
        )
    return warnings
