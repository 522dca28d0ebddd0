"""Hyper-parameters by cross-validation: the settings that do best on sentences they did not see.

Hayashi et al. (2009) choose their Q and λ this way, on two halves of the development set.
"""

import dataclasses
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import parameters_of
from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Tuner
from tunesmith.tune.held_out import Choose, held_out


@dataclass(frozen=True)
class Trial:
    """One combination of settings, and how it did."""

    options: Mapping[str, Any]
    score: float
    """On the sentences that were left out."""
    tuned_score: float
    """On the sentences that the weights were tuned on."""


def combinations(grid: Mapping[str, Sequence[Any]]) -> Iterator[dict[str, Any]]:
    """All combinations of the values of a grid, the last setting changing fastest.

    >>> list(combinations({"C": [0.1, 1.0], "passes": [5]}))
    [{'C': 0.1, 'passes': 5}, {'C': 1.0, 'passes': 5}]
    """
    for values in itertools.product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def cross_validate(
    tuner: Tuner,
    grid: Mapping[str, Sequence[Any]],
    pool: KBestPool,
    metric: Metric,
    start: Weights | None = None,
    *,
    folds: int = 2,
    progress: Callable[[Trial], None] = lambda trial: None,
) -> list[Trial]:
    """Try every combination of `grid` in the place of the tuner's own settings.

    All combinations see the same split of the sentences into `folds` parts, which depends on the
    tuner's seed only. `best_trial` picks the winner; ``dataclasses.replace(tuner, **options)``
    makes its tuner.
    """
    known = {field.name for field in parameters_of(type(tuner))} - {"seed", "engine"}
    for key, values in grid.items():
        if key not in known:
            raise OptionError(
                f"tuner '{tuner.name}' has no option '{key}' to search over, expected one of: "
                f"{', '.join(sorted(known))}"
            )
        if not values:
            raise OptionError(f"no values of '{key}' to search over")
    trials = []
    for options in combinations(grid):
        candidate = dataclasses.replace(tuner, **options)
        estimate = held_out(candidate, pool, metric, start, parts=folds)
        trials.append(Trial(options, estimate.score, estimate.tuned_score))
        progress(trials[-1])
    return trials


def best_trial(trials: Sequence[Trial], metric: Metric) -> Trial:
    """The trial of the best score on unseen sentences; of equals the first."""
    sign = 1.0 if metric.higher_is_better else -1.0
    return max(trials, key=lambda trial: sign * trial.score)


def choose_by(
    grid: Mapping[str, Sequence[Any]], metric: Metric, start: Weights | None = None, *, folds: int
) -> Choose:
    """The choice of the best trial as `held_out` makes it anew in each of its parts."""

    def choose(tuner: Tuner, pool: KBestPool) -> Tuner:
        parts = min(folds, pool.sentences)
        trials = cross_validate(tuner, grid, pool, metric, start, folds=parts)
        return dataclasses.replace(tuner, **best_trial(trials, metric).options)

    return choose
