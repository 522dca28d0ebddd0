"""A test over runs *and* segments: would other tuning runs and another test set say the same?

The difference of two systems' mean scores depends on the segments that the test set happens to have
and on the tuning runs that happen to have been made (Clark et al. 2011). Every run translates every
segment, so the error of the mean difference is at most the sum of two parts, each estimated alone:

    V_segments   the variance of the runs' mean difference over test sets that are drawn
    V_runs       s² / R, with s² the variance of the R runs' differences on the test set itself

(What a run does to single segments is in both: the sum is too large rather than too small.) There
are many segments but few runs, and V_runs may be far too small by luck, which drawing from five
runs does not see. p is the α at which

    difference² = t²(α, N − 1) V_segments + t²(α, R − 1) V_runs

with Student's two-sided quantiles t. Equal systems get p < α in at most α of all cases, whatever
the two variances are (Banerjee 1961, On Confidence Interval for Two-Means Problem Based on Separate
Estimates of Variances and Tabulated Values of t-Table). Welch's degrees of freedom would give p <
0.05 in up to 12 % of them with two runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from tunesmith.base.errors import OptionError
from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.evaluate.student import two_sided_quantile
from tunesmith.metrics.base import Floats, Metric, Stats
from tunesmith.metrics.resample import BOOTSTRAP_SAMPLES, paired_bootstrap

# Smaller p-values are not told apart.
_SMALLEST = 1e-10


@dataclass(frozen=True)
class ScoreSample:
    """The scores of a system: of its runs, and on test sets drawn from the test set.

    Attributes
    ----------
    runs
        float64 [runs], on the test set itself.
    drawn
        float64 [samples]: means over the runs; sample `i` of all systems has the same segments.
    segments
        How many the test set has.
    """

    runs: Floats
    drawn: Floats
    segments: int

    @classmethod
    def mean_of(cls, sets: Sequence["ScoreSample"]) -> "ScoreSample":
        """The mean over several test sets of one system, which were drawn independently."""
        return cls(
            np.mean([one.runs for one in sets], axis=0),
            np.mean([one.drawn for one in sets], axis=0),
            min(one.segments for one in sets),
        )


def sample_scores(
    metric: Metric,
    systems: Sequence[Sequence[Stats]],
    *,
    samples: int = BOOTSTRAP_SAMPLES,
    seed: int = DEFAULT_SEED,
    engine: EngineLike = ALL_CORES,
) -> list[ScoreSample]:
    """Score systems of several runs for `two_way_test`; parameters as in `paired_bootstrap`.

    Test sets that are averaged (`ScoreSample.mean_of`) need different seeds.
    """
    drawn = paired_bootstrap(metric, systems, samples=samples, seed=seed, engine=engine)
    return [
        ScoreSample(
            np.array([metric.score(stats.sum(axis=0, dtype=np.int64)) for stats in runs]),
            drawn.resampled[:, i],
            len(runs[0]),
        )
        for i, runs in enumerate(systems)
    ]


@dataclass(frozen=True)
class TwoWayTest:
    """The difference of two systems' mean scores with its two errors."""

    difference: float
    run_variance: float
    """Of the mean difference, as the runs vary (V_runs)."""
    segment_variance: float
    """Of the mean difference, as the segments vary (V_segments)."""
    runs: int
    segments: int

    def margin(self, alpha: float) -> float:
        """How far the difference may be from the true one with probability 1 − α."""
        parts = ((self.run_variance, self.runs), (self.segment_variance, self.segments))
        return sqrt(
            sum(
                variance * two_sided_quantile(alpha, size - 1) ** 2
                for variance, size in parts
                if variance
            )
        )

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true difference is with probability 0.95."""
        margin = self.margin(0.05)
        return self.difference - margin, self.difference + margin

    @property
    def p_value(self) -> float:
        """How probable a difference as large as the seen one is if the systems are equally good."""
        if self.segments < 2 or not self.difference:
            return 1.0
        low, high = np.log(_SMALLEST), 0.0
        # The margin falls as α rises: halve the interval in which it passes the difference.
        for _ in range(40):
            middle = (low + high) / 2
            if self.margin(float(np.exp(middle))) > abs(self.difference):
                low = middle
            else:
                high = middle
        return float(np.exp(high))


def two_way_test(baseline: ScoreSample, system: ScoreSample) -> TwoWayTest:
    """Test the difference of two systems; run `i` of one is paired with run `i` of the other.

    >>> runs, drawn = np.array([30.0, 30.2, 30.1]), np.array([29.0, 30.0, 31.0])
    >>> one = ScoreSample(runs, drawn, 1000)
    >>> two_way_test(one, ScoreSample(runs + 1, drawn + 1.1, 1000)).difference
    1.0
    """
    count = len(baseline.runs)
    if len(system.runs) != count:
        raise OptionError("the systems have unequal numbers of runs")
    if count < 2:
        raise OptionError("one run does not say how much runs differ, expected 2 or more")
    differences = system.runs - baseline.runs
    segments = baseline.segments
    # A drawn test set varies less than a new one by (N − 1) / N.
    drawn = np.var(system.drawn - baseline.drawn) * segments / max(segments - 1, 1)
    return TwoWayTest(
        difference=float(differences.mean()),
        run_variance=float(np.var(differences, ddof=1)) / count,
        segment_variance=float(drawn),
        runs=count,
        segments=segments,
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number (Holm 1979): at most α of families have one below α.

    >>> [round(p, 6) for p in holm([0.04, 0.01, 0.03])]
    [0.06, 0.03, 0.06]
    """
    corrected = [1.0] * len(p_values)
    reached = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        reached = max(reached, min(1.0, p_values[place] * (len(p_values) - rank)))
        corrected[place] = reached
    return corrected
