"""Tune on n-best lists, with everything that a person wants to know about the result."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

from tunesmith.base.errors import OptionError
from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.metrics.base import Metric
from tunesmith.metrics.resample import paired_bootstrap
from tunesmith.tune.base import Tuner, TuneResult
from tunesmith.tune.baselines import best_alone, first_entries, metric_like
from tunesmith.tune.bounded import BoundedTuner
from tunesmith.tune.held_out import Choose, HeldOut, held_out
from tunesmith.tune.oracle import greedy_oracle
from tunesmith.tune.report import Gain, TuningReport


@dataclass(frozen=True)
class NbestTuning:
    """Weights, and scores around them: where it began, what is possible, what will be kept."""

    result: TuneResult
    held_out: HeldOut | None
    report: TuningReport
    seconds: float

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
    references: int = 1,
    start_is: str = "",
) -> NbestTuning:
    """Tune on a pool; `estimate` adds the held-out score, for two more tuning runs on halves.

    `choose` says how the tuner's settings were chosen on this pool, so that the estimate can
    choose them on each half. The report names the number of `references` and what the start is.
    """
    if not pool.names:
        raise OptionError(
            "the lists have no features to weigh; add some, --add length or --add mbr say"
        )
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
        oracle = greedy_oracle(pool, metric, engine=tuner.engine)
        held = None if estimated is None else estimated.result()
    first = first_entries(pool)
    systems = [first] if held is None else [first, held.chosen]
    drawn = paired_bootstrap(
        metric, [pool.stats[rows] for rows in systems], seed=tuner.seed, engine=tuner.engine
    )
    gain = None
    if held is not None:
        gain = Gain(held.score - float(drawn.scores[0]), *drawn.difference_interval(1))
    report = TuningReport(
        metric=metric,
        sentences=pool.sentences,
        hypotheses=pool.rows,
        features=len(pool.names),
        tuner=tuner.name,
        first=float(drawn.scores[0]),
        start=result.start_score,
        start_is=_start_is(pool, tuner, start, start_is),
        uniform=start is None,
        alone=best_alone(pool, metric, engine=tuner.engine),
        tuned=result.score,
        held_out=None if held is None else held.score,
        gain=gain,
        oracle=oracle.score,
        chosen_anew=choose is not None,
        scored_by=metric.line(references),
    )
    spread = float(drawn.resampled[:, 0].std())
    refused = _refused(tuner.name, result, held)
    warnings = (*refused, *_warnings(report, spread), *_looks_like_metrics(pool))
    return NbestTuning(result, held, replace(report, warnings=warnings), perf_counter() - begin)


def _start_is(pool: KBestPool, tuner: Tuner, start: Weights | None, name: str) -> str:
    """What tuning begins with, for the report."""
    if start is not None:
        said = name or "the weights given"
    elif not pool.dense_names:
        return ""
    else:
        said = f"one weight for all {'dense ' if pool.sparse_names else ''}features"
    moved = isinstance(tuner, BoundedTuner) and tuner.moved_start(pool, start) is not None
    return f"{said}, within the limits" if moved else said


def _refused(tuner: str, result: TuneResult, held: HeldOut | None) -> Iterator[str]:
    if result.refused:
        yield result.warning(tuner)
    elif held is not None and held.unchanged:
        yield (
            f"held out: {tuner} found nothing better than its start on "
            f"{'one half' if held.unchanged == 1 else 'both halves'} of the lists, and took it"
        )


def _looks_like_metrics(pool: KBestPool) -> Iterator[str]:
    if names := metric_like(pool.dense_names):
        yield (
            f"features that look like scores against a reference: {', '.join(names)}; new text has "
            f"none: leave them out (--drop {','.join(names)}), or tune for one "
            f"(--metric column:{names[0]})"
        )


def _warnings(report: TuningReport, spread: float) -> Iterator[str]:
    """What a person should hear before using the weights.

    `spread` is the standard error of the score: how much it moves with the choice of sentences.
    """
    sign = 1.0 if report.metric.higher_is_better else -1.0
    places = report.decimals
    room = sign * (report.oracle - report.first)
    if report.hypotheses == report.sentences:
        yield "every sentence has one hypothesis only: tuning cannot change anything"
    elif room <= 0 or room < spread:
        yield (
            f"even the best choice that greedy search finds in the lists scores "
            f"{report.oracle:.{places}f}, the first entries {report.first:.{places}f}, and the "
            f"choice of the sentences moves that by {spread:.{places}f}: tuning cannot help much, "
            "longer or more diverse lists might"
        )
    if report.held_out is None:
        return
    beaten = [("the first entries", report.first)]
    if report.alone is not None:
        beaten.append((f"'{report.alone}' alone", report.alone.score))
    said = [
        f"{what} {score:.{places}f}"
        for what, score in beaten
        if sign * (report.held_out - score) <= 0
    ]
    if said:
        no_more = "a gain" if sign * (report.held_out - report.first) <= 0 else "more than that"
        advice = "more sentences, fewer features or a stronger regulariser might help"
        if report.features == 1:
            advice = "there is one feature only: add others (--add lm:text=…, --add mbr, …)"
        yield (
            f"on held-out sentences the weights score {report.held_out:.{places}f}, "
            f"{' and '.join(said)}: do not expect {no_more} on new text; {advice}"
        )
