"""Significance by resampling statistics, never text.

Both tests ask how often chance alone would show a difference as large as the one seen. Every trial
has its own stream of random numbers, so a seed gives the same result for any number of threads.

If tuning was repeated, a system has several runs and the mean of their scores (Clark et al. 2011,
Better Hypothesis Testing for Statistical Machine Translation: Controlling for Optimizer
Instability). Both tests here ask about the segments alone, drawn or exchanged in all runs at once:
they say whether these outputs differ. Whether other runs would differ too is asked by `two_way`.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.seeds import DEFAULT_SEED, derive_seed
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.metrics.base import Floats, Metric, Stats

#: As in sacreBLEU.
BOOTSTRAP_SAMPLES = 1000
RANDOMISATION_TRIALS = 10000
#: The most of either: all are held in memory at once.
MAX_SAMPLES = 1_000_000

# Differences of scores that should be equal differ by rounding at most this much; they count as
# equal, which is against significance.
_ROUNDING = 1e-9

#: The statistics of a system: int32 [segments, size], or a list of these, one for each run.
Runs = Stats | Sequence[Stats]


def _p_value(differences: Floats, seen: float) -> float:
    # One more in both places: the seen result is one of the results that chance can give.
    reached = int(np.count_nonzero(differences >= seen - _ROUNDING))
    return (reached + 1) / (len(differences) + 1)


def _middle(values: Floats, confidence: float) -> tuple[float, float]:
    ordered = np.sort(values)
    cut = int(len(ordered) * (1.0 - confidence) / 2.0 + _ROUNDING)
    return float(ordered[cut]), float(ordered[len(ordered) - cut - 1])


@dataclass(frozen=True)
class Bootstrap:
    """Scores of resampled test sets.

    Attributes
    ----------
    scores
        float64 [systems], on the test set itself; means over runs.
    resampled
        float64 [samples, systems], on test sets drawn from it.
    higher_is_better
        Whether that holds for these scores.
    """

    scores: Floats
    resampled: Floats
    higher_is_better: bool = True

    def mean(self, system: int) -> float:
        """The mean of the resampled scores."""
        return float(self.resampled[:, system].mean())

    def interval(self, system: int, confidence: float = 0.95) -> tuple[float, float]:
        """The percentile interval: what is left after cutting off both tails.

        As in sacreBLEU, whose ``±`` is half of its width.
        """
        return _middle(self.resampled[:, system], confidence)

    def difference_interval(
        self, system: int, baseline: int = 0, confidence: float = 0.95
    ) -> tuple[float, float]:
        """The same of the difference: score of `system` less score of `baseline`."""
        return _middle(self.resampled[:, system] - self.resampled[:, baseline], confidence)

    def p_value(self, system: int, baseline: int = 0) -> float:
        """How probable a difference as large as the seen one is if the systems are equally good.

        The statistic of sacreBLEU (after Moses' script): absolute differences of the resampled
        scores, less their mean, against the absolute difference seen. Unlike there, a tie counts
        for chance, so that a system does not differ significantly from itself.
        """
        differences = np.abs(self.resampled[:, system] - self.resampled[:, baseline])
        seen = abs(float(self.scores[system] - self.scores[baseline]))
        return _p_value(differences - differences.mean(), seen)

    def wins(self, system: int, baseline: int = 0) -> float:
        """The share of resampled test sets on which `system` is better (Koehn 2004); ties half."""
        differences = self.resampled[:, system] - self.resampled[:, baseline]
        if not self.higher_is_better:
            differences = -differences
        better = np.count_nonzero(differences > _ROUNDING)
        worse = np.count_nonzero(differences < -_ROUNDING)
        return float(0.5 + (better - worse) / (2 * len(differences)))


def paired_bootstrap(
    metric: Metric,
    systems: Sequence[Runs],
    *,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = DEFAULT_SEED,
    engine: EngineLike = ALL_CORES,
) -> Bootstrap:
    """Score test sets drawn with replacement from the segments (Koehn 2004).

    Parameters
    ----------
    metric
        What the statistics are of.
    systems
        For each system int32 [segments, size], of the same segments in the same order; or a list of
        these, one for each run, equally many for all systems; a score is the mean over runs.
    samples
        The number of test sets to draw.
    seed, engine
        The seed; who works, which does not change the result.
    """
    if not 1 <= samples <= MAX_SAMPLES:
        raise OptionError(f"{samples} bootstrap samples, expected 1 to {MAX_SAMPLES}")
    rows = [_rows(runs) for runs in systems]
    count = len(rows[0]) if rows else 0
    if any(len(runs) != count for runs in rows):
        raise OptionError("the systems have unequal numbers of runs")
    gains = _core.bootstrap_gains(
        metric.gain,
        [run for runs in rows for run in runs],
        samples,
        derive_seed(seed, "bootstrap"),
        as_engine(engine).threads,
    )
    return Bootstrap(
        scores=np.array([_mean_score(metric, runs) for runs in rows]),
        resampled=_shown(metric, gains).reshape(samples, len(rows), count).mean(axis=2),
        higher_is_better=metric.higher_is_better,
    )


@dataclass(frozen=True)
class Randomisation:
    """The result of `approximate_randomisation`.

    Attributes
    ----------
    difference
        Score of the system less score of the baseline, as seen.
    differences
        float64 [trials]: the absolute differences under exchange.
    """

    difference: float
    differences: Floats

    @property
    def p_value(self) -> float:
        """How often exchanged outputs differ at least as much as the real ones."""
        return _p_value(self.differences, abs(self.difference))


def approximate_randomisation(
    metric: Metric,
    baseline: Runs,
    system: Runs,
    *,
    trials: int = RANDOMISATION_TRIALS,
    seed: int = DEFAULT_SEED,
    engine: EngineLike = ALL_CORES,
) -> Randomisation:
    """Exchange the outputs of two systems at random (Noreen 1989; Riezler & Maxwell 2005).

    If the systems are equally good, it does not matter which output came from which. The test makes
    fewer assumptions than the bootstrap and rejects less often by mistake.

    Parameters
    ----------
    metric
        What the statistics are of.
    baseline, system
        int32 [segments, size] each, of the same segments in the same order; or lists of these, one
        for each run, equally many. Then a segment is exchanged in all runs at once.
    trials
        How often to exchange.
    seed, engine
        The seed; who works, which does not change the result.
    """
    if not 1 <= trials <= MAX_SAMPLES:
        raise OptionError(f"{trials} randomisation trials, expected 1 to {MAX_SAMPLES}")
    first, second = _rows(baseline), _rows(system)
    gains = _core.exchange_gains(
        metric.gain,
        first,
        second,
        trials,
        derive_seed(seed, "randomisation"),
        as_engine(engine).threads,
    )
    scores = _shown(metric, gains)
    return Randomisation(
        difference=_mean_score(metric, second) - _mean_score(metric, first),
        differences=np.abs(scores[:, 1] - scores[:, 0]),
    )


def _rows(runs: Runs) -> list[Stats]:
    """The statistics of each run."""
    each = [runs] if isinstance(runs, np.ndarray) else runs
    return [np.ascontiguousarray(stats, dtype=np.int32) for stats in each]


def _mean_score(metric: Metric, runs: Sequence[Stats]) -> float:
    return float(np.mean([metric.score(stats.sum(axis=0, dtype=np.int64)) for stats in runs]))


def _shown(metric: Metric, gains: Floats) -> Floats:
    return np.array([metric.shown(gain) for gain in gains.ravel()]).reshape(gains.shape)
