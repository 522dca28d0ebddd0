"""What all tuners share: one way in (`fit`), one result, standardised features, no bad endings."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import DegenerateError, OptionError
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.base.weights import Weights
from tunesmith.metrics.base import Metric
from tunesmith.tune.scaling import feature_scale

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


@dataclass
class Tuner(ABC):
    """A tuner: hyper-parameters in the constructor, `fit` does the work.

    A subclass yields `Step`s from `steps`, in standardised units; the last one, or the one that
    scores best on the pool if `keep_best` is set, becomes the result.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    """What it is, in one line, with its paper."""
    dense_only: ClassVar[bool] = False
    """Line searches work along dense features only."""
    keep_best: ClassVar[bool] = False

    seed: int = parameter(DEFAULT_SEED, "seed of all chance")
    threads: int = parameter(1, "threads of the native loops", at_least=1)

    @property
    def keeps_scale(self) -> bool:
        """Whether the size of the weights means something and must not be normalised."""
        return False

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
    ) -> TuneResult:
        """Tune on `pool` for `metric` from `start` (1 for every dense feature if none is given).

        Where the end scores below the start on the pool, the start is given back, unless
        `keep_better_start` is off: a loop that decodes again judges the end on new lists.
        """
        check_parameters(self)
        if self.dense_only and pool.sparse_names:
            raise OptionError(
                f"{self.name} searches along single features and takes dense ones only, but the "
                f"lists have {len(pool.sparse_names):,} sparse features; drop them "
                f"(KBestPool.dense_only(), --drop-sparse) or take kb-mira, pro, risk, svm or ramp"
            )
        begin = start_vector(pool, start)
        scale = feature_scale(pool, threads=self.threads)
        standardised = pool.scaled(1.0 / scale)
        # Scored as a reranker will see them: on the lists themselves, with the weights given back.
        # Standardised features are rounded differently, which would decide ties differently.
        given = self._finished(pool, begin)
        start_score = self._score(pool, metric, given)
        sign = 1.0 if metric.higher_is_better else -1.0
        # Of all steps only two can be the result, and weights may have millions of entries.
        best = last = None
        history = []
        tuner = self.in_standard_units(pool.names, scale)
        for step in tuner.steps(standardised, metric, begin * scale):
            last = None
            score = float("nan")
            if np.isfinite(step.weights).all() and np.any(step.weights):
                vector = self._finished(pool, step.weights / scale)
                score = self._score(pool, metric, vector)
                last = _Scored(vector, score)
            history.append(HistoryEntry(score, step.objective, step.note))
            if last is not None and (best is None or sign * score > sign * best.score):
                best = last
        to_beat = start_score if keep_better_start else -sign * float("inf")
        chosen, refused = self._choose(sign, best, last, to_beat)
        if refused:
            log.warning("%s: %s; the best weights so far are kept", self.name, refused)
        if chosen is None:
            chosen = _Scored(given, start_score)
        weights = Weights.from_vector(pool.names, chosen.weights)
        return TuneResult(weights, chosen.score, start_score, refused, history)

    def _finished(self, pool: KBestPool, vector: Vector) -> Vector:
        """Weights as they are given back: normalised, unless their size means something."""
        if self.keeps_scale:
            return vector
        total = float(np.abs(vector[: len(pool.dense_names)]).sum() or np.abs(vector).sum())
        return vector / total

    def _score(self, pool: KBestPool, metric: Metric, weights: Vector) -> float:
        return metric.score(pool.stats_of(pool.best(weights, threads=self.threads)))

    def _choose(
        self, sign: float, best: "_Scored | None", last: "_Scored | None", start_score: float
    ) -> tuple["_Scored | None", str]:
        """Which step is the result; None and a reason when none is better than no tuning."""
        if best is None:
            return None, "all weights ended as zero, NaN or infinite"
        end = best if self.keep_best or last is None else last
        if sign * end.score >= sign * start_score:
            return end, ""
        if sign * best.score >= sign * start_score:
            return best, f"the last weights score {end.score:.2f}, below the start"
        return None, (
            f"no weights score better on the lists than the start ({start_score:.2f}; "
            f"best {best.score:.2f})"
        )


@dataclass(frozen=True)
class _Scored:
    weights: Vector  # in the user's units
    score: float


def unit_length(vector: Vector) -> Vector:
    """The vector scaled to length 1, for tuners whose result must not depend on the start's."""
    return vector / (np.linalg.norm(vector) or 1.0)


def start_vector(pool: KBestPool, start: Weights | None) -> Vector:
    """The start over the pool's features: given weights, or 1 for every dense feature."""
    if start is None:
        return np.concatenate([np.ones(len(pool.dense_names)), np.zeros(len(pool.sparse_names))])
    unknown = [name for name in start if name not in set(pool.names)]
    if unknown and len(unknown) == len(start):
        raise OptionError(
            f"none of the start weights names a feature of the lists (start: {unknown[0]}, …; "
            f"lists: {', '.join(pool.names[:5])})"
        )
    if unknown:
        log.warning("start weights of unknown features are left out: %s", ", ".join(unknown[:5]))
    vector = start.vector(pool.names)
    if not np.any(vector):
        raise DegenerateError("all start weights are zero")
    return vector
