"""What all tuners share: one way in (`fit`), one result, standardised features, no bad endings."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import DegenerateError, OptionError, kind_of
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import seed_parameter
from tunesmith.base.weights import Weights
from tunesmith.engine import EngineLike, as_engine, engine_parameter
from tunesmith.metrics.base import Metric
from tunesmith.tune.list_turns import ListTurns
from tunesmith.tune.scaling import feature_scale
from tunesmith.tune.turns import LoopSetting, Turns

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Step:
    """One entry of a tuner's history: weights it considered and what it thinks of them."""

    weights: Vector
    objective: float
    """The tuner's own objective, in its own units."""
    note: str = ""


@dataclass(frozen=True)
class HistoryEntry:
    """A step as the caller sees it: scored by the metric on the pool."""

    score: float
    objective: float
    note: str


@dataclass(frozen=True)
class TuneResult:
    """What `Tuner.fit` gives back."""

    weights: Weights
    """In the user's units; absolute values of the dense weights sum to 1, unless a tuner's own
    settings give the size of weights a meaning."""
    score: float
    """The metric's score of the pool's best hypotheses under `weights`."""
    start_score: float
    """The same under the start weights."""
    refused: str = ""
    """Why the tuner's own end was not taken, where it was not."""
    history: list[HistoryEntry] = field(default_factory=list)

    def warning(self, tuner: str) -> str:
        """What a person should hear of `refused`; empty if there is nothing to say."""
        return f"{tuner}: {self.refused}; the best weights so far are kept" if self.refused else ""

    def warn(self, tuner: str) -> None:
        """Say it."""
        if self.refused:
            log.warning(self.warning(tuner))


@dataclass
class AnyTuner(ABC):
    """What tuners of all kinds of hypothesis spaces share.

    Steps are considered one after the other; the last one, or the one that scores best on the
    space if `keep_best` is set, becomes the result.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    """What it is, in one line, with its paper."""
    dense_only: ClassVar[bool] = False
    """Line searches work along dense features only."""
    keep_best: ClassVar[bool] = False
    loop_settings: ClassVar[Mapping[str, Any]] = {}
    """What a loop of decoding and tuning sets otherwise; the defaults are for lists as given."""

    seed: int = seed_parameter()
    engine: EngineLike = engine_parameter("threads of the native loops")

    @property
    def threads(self) -> int:
        """Threads of the native loops."""
        return as_engine(self.engine).threads

    @abstractmethod
    def turns(self, setting: LoopSetting) -> Turns:
        """The turns of a loop that this tuner takes part in.

        A source that cannot give what they need is refused.
        """

    @property
    def keeps_scale(self) -> bool:
        """Whether the size of the weights means something and must not be normalised."""
        return False

    def _finished(self, vector: Vector, dense_size: int) -> Vector:
        """Weights as they are given back: normalised, unless their size means something."""
        if self.keeps_scale:
            return vector
        total = float(np.abs(vector[:dense_size]).sum() or np.abs(vector).sum())
        return vector / (total or 1.0)

    def _follow(
        self,
        steps: Iterator[Step],
        finish: Callable[[Vector], Vector],
        score: Callable[[Vector], float],
        start: "Scored",
        metric: Metric,
        *,
        keep_better_start: bool,
    ) -> tuple["Scored", str, list[HistoryEntry]]:
        """The step to give back, why the tuner's own end was not taken, and the way there.

        `finish` makes weights that can be given back of a step's; `score` scores those.
        """
        sign = 1.0 if metric.higher_is_better else -1.0
        # Of all steps only two can be the result, and weights may have millions of entries.
        best = last = None
        history = []
        for step in steps:
            last = None
            value = float("nan")
            if np.isfinite(step.weights).all() and np.any(step.weights):
                vector = finish(step.weights)
                value = score(vector)
                last = Scored(vector, value)
            history.append(HistoryEntry(value, step.objective, step.note))
            if last is not None and (best is None or sign * value > sign * best.score):
                best = last
        to_beat = start.score if keep_better_start else -sign * float("inf")
        chosen, refused = self._choose(metric, best, last, to_beat)
        if chosen is None and not np.any(start.weights):
            raise DegenerateError(
                f"{self.name} found no weights that choose better than the first entries "
                f"({start.score:.{metric.places(0.0, start.score)}f}): sparse features alone say "
                "too little here"
            )
        return start if chosen is None else chosen, refused, history

    def _choose(
        self, metric: Metric, best: "Scored | None", last: "Scored | None", start_score: float
    ) -> tuple["Scored | None", str]:
        """Which step is the result; None and a reason when none is better than no tuning."""
        if best is None:
            return None, "all weights ended as zero, NaN or infinite"
        sign = 1.0 if metric.higher_is_better else -1.0
        end = best if self.keep_best or last is None else last
        if sign * end.score >= sign * start_score:
            return end, ""
        if sign * best.score >= sign * start_score:
            places = metric.places(start_score, end.score)
            return best, f"the last weights score {end.score:.{places}f}, below the start"
        places = metric.places(start_score, best.score)
        return None, (
            f"no weights score better on the lists than the start ({start_score:.{places}f}; "
            f"best {best.score:.{places}f})"
        )


@dataclass
class Tuner(AnyTuner):
    """A tuner of k-best lists: hyper-parameters in the constructor, `fit` does the work.

    A subclass yields `Step`s from `steps`, in standardised units.
    """

    def turns(self, setting: LoopSetting) -> ListTurns:
        """Turns on k-best lists."""
        return ListTurns(self, setting)

    def in_standard_units(self, names: tuple[str, ...], scale: Vector) -> Self:
        """The tuner with whatever it has in the user's units put into standardised ones."""
        return self

    @abstractmethod
    def steps(self, pool: KBestPool, metric: Metric, start: Vector) -> Iterator[Step]:
        """Optimise on the standardised `pool` from `start`, yielding weights as they improve."""

    def fit(
        self,
        pool: KBestPool,
        metric: Metric,
        start: Weights | None = None,
        *,
        keep_better_start: bool = True,
        measured_on: KBestPool | None = None,
    ) -> TuneResult:
        """Tune on `pool` for `metric` from `start` (1 for every dense feature if none is given).

        Where the end scores below the start on the pool, the start is given back, unless
        `keep_better_start` is off: a loop that decodes again judges the end on new lists.
        `measured_on` are the lists that tell the sizes of features, where these are not `pool`.
        """
        check_parameters(self)
        if not isinstance(pool, KBestPool):
            raise OptionError(f"the pool is {kind_of(pool)}, expected a KBestPool; see read_pool")
        if not isinstance(metric, Metric):
            raise OptionError(f"the metric is {kind_of(metric)}, expected a Metric")
        if self.dense_only and pool.sparse_names:
            raise OptionError(
                f"{self.name} searches along single features and takes dense ones only, but the "
                f"lists have {len(pool.sparse_names):,} sparse features; drop them "
                f"(KBestPool.dense_only(), --drop-sparse) or take kb-mira, pro, risk, svm or ramp"
            )
        begin = start_vector(pool, start)
        scale = feature_scale(pool, measured_on=measured_on, engine=self.engine)
        standardised = pool.scaled(1.0 / scale)
        # Scored as a reranker will see them: on the lists themselves, with the weights given back.
        # Standardised features are rounded differently, which would decide ties differently.
        dense_size = len(pool.dense_names)
        given = self._finished(begin, dense_size)
        start_score = self._score(pool, metric, given)
        tuner = self.in_standard_units(pool.names, scale)
        chosen, refused, history = self._follow(
            tuner.steps(standardised, metric, begin * scale),
            lambda weights: self._finished(weights / scale, dense_size),
            lambda weights: self._score(pool, metric, weights),
            Scored(given, start_score),
            metric,
            keep_better_start=keep_better_start,
        )
        weights = Weights.from_vector(pool.names, chosen.weights)
        return TuneResult(weights, chosen.score, start_score, refused, history)

    def _score(self, pool: KBestPool, metric: Metric, weights: Vector) -> float:
        return metric.score(pool.stats_of(pool.best(weights, threads=self.threads)))


@dataclass(frozen=True)
class Scored:
    """Weights as they would be given back, and what the metric says of them."""

    weights: Vector  # in the user's units
    score: float


def unit_length(vector: Vector) -> Vector:
    """The vector scaled to length 1, for tuners whose result must not depend on the start's."""
    return vector / (np.linalg.norm(vector) or 1.0)


def interpolated(start: Vector, learnt: Vector, share: float) -> Vector:
    """Ψ of what was learnt and 1 − Ψ of the start (Hopkins & May 2011), both of length 1.

    In a loop, which starts from what it learnt before, this is a moving average.
    """
    return share * unit_length(learnt) + (1.0 - share) * unit_length(start)


def start_vector(pool: KBestPool, start: Weights | None) -> Vector:
    """The start over the pool's features: given weights, or 1 for every dense feature.

    Without dense features all are 0: the first entries are chosen.
    """
    if start is None:
        return np.concatenate([np.ones(len(pool.dense_names)), np.zeros(len(pool.sparse_names))])
    return known_weights(pool.names, start, "lists")


def known_weights(names: tuple[str, ...], start: Weights, where: str) -> Vector:
    """The start weights of `names`; those of other features are left out, with a warning."""
    known = set(names)
    unknown = [name for name in start if name not in known]
    if unknown and len(unknown) == len(start):
        raise OptionError(
            f"none of the start weights names a feature of the {where} (start: {unknown[0]}, …; "
            f"{where}: {', '.join(names[:5])})"
        )
    if unknown:
        log.warning("start weights of unknown features are left out: %s", ", ".join(unknown[:5]))
    vector = start.vector(names)
    if not np.any(vector):
        raise DegenerateError("all start weights are zero")
    return vector
