"""The test over runs and segments: its level where nothing differs, its power where it does.

Nulls are simulated as tuning makes them: both systems are drawn alike, but every run has luck of
its own, which holds for all its segments.
"""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from tunesmith.base.errors import OptionError
from tunesmith.evaluate import approximate_randomisation, paired_bootstrap
from tunesmith.evaluate.two_way import ScoreSample, holm, sample_scores, two_way_test
from tunesmith.metrics import Bleu, Wer

SEGMENTS, WORDS, SAMPLES = 100, 20, 200


def simulated(chance, runs, luck, gap=0.0):
    """Statistics of two systems; `luck` and `gap` are in logits of the error rate."""
    segments = chance.normal(-1.0, 0.6, SEGMENTS)

    def run(shift):
        own = shift + chance.normal(0.0, luck)
        rate = 1 / (1 + np.exp(-(segments + own + chance.normal(0.0, 0.3, SEGMENTS))))
        return np.column_stack([chance.binomial(WORDS, rate), np.full(SEGMENTS, WORDS)]).astype(
            np.int32
        )

    return [[run(shift) for _ in range(runs)] for shift in (0.0, gap)]


def p_of(systems):
    return two_way_test(*sample_scores(Wer(), systems, samples=SAMPLES)).p_value


def found(runs, luck, count, gap=0.0):
    """How often the interval of 95 % leaves 0 out, that is p < 0.05."""
    chance = np.random.default_rng([runs, int(100 * luck)])
    times = 0
    for _ in range(count):
        systems = simulated(chance, runs, luck, gap)
        low, high = two_way_test(*sample_scores(Wer(), systems, samples=SAMPLES)).interval
        times += not low <= 0.0 <= high
    return times / count


@pytest.mark.parametrize("runs", [2, 3, 5])
@pytest.mark.parametrize("luck", [0.0, 0.05, 0.15])
def test_equal_systems_differ_in_at_most_one_of_twenty_cases(runs, luck):
    """Of 500 nulls at most 5 %, and two standard deviations of that share."""
    assert found(runs, luck, 500) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 500)


def test_segments_alone_do_not_hold_the_level():
    """Why there is this test: the others take the luck of runs for a difference."""
    chance = np.random.default_rng(3)
    nulls = [simulated(chance, 5, 0.15) for _ in range(60)]
    drawn = [paired_bootstrap(Wer(), both, samples=SAMPLES).p_value(1) for both in nulls]
    exchanged = [approximate_randomisation(Wer(), *both, trials=SAMPLES).p_value for both in nulls]
    for p_values in (drawn, exchanged):
        assert np.mean(np.array(p_values) < 0.05) > 0.25
    assert np.mean(np.array([p_of(both) for both in nulls]) < 0.05) <= 0.05


@pytest.mark.parametrize("runs", [3, 5])
def test_what_differs_is_found(runs):
    assert found(runs, 0.02, 50, gap=-0.4) > 0.9


def test_a_lucky_run_does_not_decide():
    """The mean differs as much in both cases; only where all runs agree it means something."""
    chance = np.random.default_rng(4)
    base = simulated(chance, 5, 0.0)[0]
    fifth = (np.arange(SEGMENTS) % 5 == 0)[:, None]
    steady = [np.maximum(run - 4 * np.array([1, 0]) * fifth, 0) for run in base]
    lucky = [np.maximum(base[0] - 4 * np.array([1, 0]), 0), *base[1:]]
    assert p_of([base, steady]) < 0.01
    assert p_of([base, lucky]) > 0.3


def test_the_two_errors_are_those_of_runs_and_of_segments():
    chance = np.random.default_rng(5)
    systems = simulated(chance, 4, 0.2)
    result = two_way_test(*sample_scores(Wer(), systems, samples=4000))
    rates = [[100 * run[:, 0].sum() / run[:, 1].sum() for run in runs] for runs in systems]
    assert result.difference == pytest.approx(np.mean(rates[1]) - np.mean(rates[0]))
    assert result.run_variance == pytest.approx(np.var(np.subtract(*rates), ddof=1) / 4)
    means = [np.mean([100 * run[:, 0] / run[:, 1] for run in runs], axis=0) for runs in systems]
    of_segments = np.var(np.subtract(*means), ddof=1) / SEGMENTS
    assert result.segment_variance == pytest.approx(of_segments, rel=0.08)
    low, high = result.interval
    assert low < result.difference < high
    assert (result.p_value < 0.05) == (low > 0 or high < 0)


def test_with_one_kind_of_error_it_is_students_test():
    """Runs that differ alone, and segments that differ alone: p is that of the paired t-test."""
    chance = np.random.default_rng(6)
    first, second = chance.normal(30.0, 1.0, 5), chance.normal(31.5, 1.0, 5)
    still = np.full(10, 30.0)
    by_runs = two_way_test(ScoreSample(first, still, 50), ScoreSample(second, still, 50))
    assert by_runs.p_value == pytest.approx(scipy_stats.ttest_rel(first, second).pvalue, rel=1e-6)

    one, other = (chance.normal(mean, 3.0, 40) for mean in (0.0, 1.0))
    drawn = chance.integers(40, size=(20000, 40))
    by_segments = two_way_test(
        *(
            ScoreSample(np.full(3, values.mean()), values[drawn].mean(axis=1), 40)
            for values in (one, other)
        )
    )
    expected = scipy_stats.ttest_rel(one, other).pvalue
    assert by_segments.p_value == pytest.approx(expected, rel=0.1)


def test_equal_outputs_do_not_differ_and_sides_can_be_exchanged():
    chance = np.random.default_rng(7)
    one, other = simulated(chance, 3, 0.1)
    assert p_of([one, one]) == 1.0
    assert p_of([one, other]) == pytest.approx(p_of([other, one]))


def test_the_mean_of_test_sets_is_known_better_than_each():
    chance = np.random.default_rng(8)
    sets = [
        sample_scores(Wer(), simulated(chance, 3, 0.0, gap=0.1), samples=2000, seed=seed)
        for seed in (1, 2)
    ]
    alone = [two_way_test(*samples) for samples in sets]
    both = two_way_test(*(ScoreSample.mean_of(column) for column in zip(*sets, strict=True)))
    assert both.difference == pytest.approx(np.mean([one.difference for one in alone]))
    expected = sum(one.segment_variance for one in alone) / 4
    assert both.segment_variance == pytest.approx(expected, rel=0.1)


def test_one_run_is_refused():
    one = [[np.ones((4, Bleu().gain.size), dtype=np.int32)]] * 2
    with pytest.raises(OptionError, match="one run does not say how much runs differ"):
        two_way_test(*sample_scores(Bleu(), one, samples=10))


def test_holm_multiplies_the_smallest_by_all_and_keeps_the_order():
    assert holm([]) == []
    assert holm([0.02]) == [0.02]
    assert holm([0.5, 0.001, 0.04]) == pytest.approx([0.5, 0.003, 0.08])
    assert holm([0.9, 0.8]) == [1.0, 1.0]
