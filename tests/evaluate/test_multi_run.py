"""Tests of systems with several runs: against all exchanges there are, and known spreads."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith.base.errors import OptionError
from tunesmith.evaluate import approximate_randomisation, paired_bootstrap
from tunesmith.metrics import Wer

WORDS = 5


def stats(errors):
    return np.array([[e, WORDS] for e in errors], dtype=np.int32)


def score(runs):
    wer = Wer()
    return np.mean([wer.score(run.sum(axis=0)) for run in runs])


ERRORS = st.tuples(st.integers(2, 4), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(
        *[
            st.lists(
                st.lists(st.integers(0, WORDS), min_size=shape[0], max_size=shape[0]),
                min_size=shape[1],
                max_size=shape[1],
            )
        ]
        * 2
    )
)


@settings(max_examples=30)
@given(ERRORS)
def test_randomisation_approximates_all_exchanges_of_segments(errors):
    first, second = ([stats(run) for run in runs] for runs in errors)
    seen = abs(score(first) - score(second))
    reached = []
    for mask in itertools.product([False, True], repeat=len(first[0])):
        swap = np.array(mask)[:, None]
        pairs = list(zip(first, second, strict=True))
        one = [np.where(swap, b, a) for a, b in pairs]
        other = [np.where(swap, a, b) for a, b in pairs]
        reached.append(abs(score(one) - score(other)) >= seen - 1e-9)
    result = approximate_randomisation(Wer(), first, second, trials=3000)
    assert result.p_value == pytest.approx(np.mean(reached), abs=0.05)
    assert result.difference == pytest.approx(score(second) - score(first))


def test_one_run_is_what_it_was():
    chance = np.random.default_rng(1)
    first, second = (stats(chance.integers(0, WORDS, 100)) for _ in range(2))
    alone = approximate_randomisation(Wer(), first, second, trials=100)
    listed = approximate_randomisation(Wer(), [first], [second], trials=100)
    assert alone.differences.tobytes() == listed.differences.tobytes()
    alone, listed = (
        paired_bootstrap(Wer(), systems, samples=100)
        for systems in ([first, second], [[first], [second]])
    )
    assert alone.resampled.tobytes() == listed.resampled.tobytes()


def test_bootstrap_scores_are_means_over_runs_of_the_same_segments():
    """Runs that differ by a constant stay apart by it; equal runs are as one."""
    chance = np.random.default_rng(2)
    rates = chance.integers(0, WORDS, 8)
    result = paired_bootstrap(Wer(), [[stats([rate] * 50) for rate in rates]], samples=20)
    assert result.scores[0] == pytest.approx(100.0 * rates.mean() / WORDS)
    assert result.resampled == pytest.approx(100.0 * rates.mean() / WORDS)

    same = stats(chance.integers(0, WORDS, 400))
    one = paired_bootstrap(Wer(), [same], samples=500).resampled
    several = paired_bootstrap(Wer(), [[same, same, same]], samples=500).resampled
    assert several == pytest.approx(one)


def test_systems_are_scored_on_the_same_segments():
    chance = np.random.default_rng(3)
    runs = [stats(chance.integers(0, WORDS, 30)) for _ in range(4)]
    worse = [run + np.array([1, 0], dtype=np.int32) for run in runs]
    result = paired_bootstrap(Wer(), [runs, worse], samples=300)
    assert result.resampled[:, 1] - result.resampled[:, 0] == pytest.approx(100.0 / WORDS)
    assert result.wins(1) == 0.0


def test_unequal_numbers_of_runs_are_refused():
    one = stats([1, 2])
    for call in (
        lambda: approximate_randomisation(Wer(), [one], [one, one]),
        lambda: paired_bootstrap(Wer(), [[one], [one, one]]),
    ):
        with pytest.raises(OptionError, match="the systems have unequal numbers of runs"):
            call()
