import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import line_search as slow
from reference.pools import random_pool
from tunesmith import _core
from tunesmith.metrics.bleu import Bleu

GAIN = Bleu(tokenize="none", smoothing="none").gain
INF = math.inf


def case(seed, coarse, **options):
    """A pool, weights and a direction; coarse ones have ties everywhere, also at the weights."""
    pool = random_pool(seed, coarse=coarse, sparse=0, **options)
    chance = np.random.default_rng([seed, 1])
    size = (2, len(pool.names))
    draw = chance.integers(-2, 3, size=size) if coarse else chance.normal(size=size)
    # BLEU of small random statistics is mostly 0; more matches make every change visible.
    pool.stats[:, :4] = np.maximum(pool.stats[:, :4], 1)
    pool.stats[:, 4:8] = np.maximum(pool.stats[:, 4:8], pool.stats[:, :4])
    return pool, *draw.astype(np.float64)


def wide(intervals):
    """Without narrow ones (the one at 0 is always given), neighbours of one gain made one."""
    kept = []
    for a, b, gain in intervals:
        if math.isinf(b - a) or b - a > slow.NARROW * max(1.0, min(abs(a), abs(b))):
            kept.append((a, b, gain))
    return slow.merged(kept)


def check_equal(found, expected):
    assert [g for _, _, g in found] == [g for _, _, g in expected]
    np.testing.assert_allclose(
        [ends[:2] for ends in found], [ends[:2] for ends in expected], rtol=1e-6, atol=1e-9
    )


@given(seed=st.integers(0, 10_000), coarse=st.booleans())
def test_equals_brute_force_along_any_direction(seed, coarse):
    pool, weights, direction = case(seed, coarse)
    columns = _core.Columns(pool.native, 1)
    found, here = columns.along(GAIN, weights, direction, -INF, INF)
    check_equal(wide(found.tolist()), slow.intervals(pool, GAIN, weights, direction))
    assert found[here, 0] <= 0 <= found[here, 1]


@given(seed=st.integers(0, 10_000), coarse=st.booleans(), feature=st.integers(0, 2))
def test_equals_brute_force_along_features(seed, coarse, feature):
    pool, weights, _ = case(seed, coarse, hypotheses=12)
    columns = _core.Columns(pool.native, 2)
    found, here = columns.along_feature(GAIN, weights, feature, -INF, INF)
    check_equal(wide(found.tolist()), slow.intervals(pool, GAIN, weights, np.eye(3)[feature]))
    assert found[here, 2] == GAIN(pool.stats_of(pool.best(weights)).astype(np.float64))


@given(
    seed=st.integers(0, 10_000),
    coarse=st.booleans(),
    # Limits closer to 0 than rounding lets crossings be told apart make no interval of their own.
    low=st.integers(-3000, 0).map(lambda n: n / 1000),
    high=st.integers(0, 3000).map(lambda n: n / 1000),
)
def test_limits_cut_the_line(seed, coarse, low, high):
    pool, weights, direction = case(seed, coarse)
    columns = _core.Columns(pool.native, 1)
    whole, _ = columns.along(GAIN, weights, direction, -INF, INF)
    cut, here = columns.along(GAIN, weights, direction, low, high)
    assert cut[0, 0] == low
    assert cut[-1, 1] == high
    assert cut[here, 0] <= 0 <= cut[here, 1]
    expected = [
        (max(a, low), min(b, high), g) for a, b, g in whole.tolist() if b > low and a < high
    ]
    check_equal(wide(cut.tolist()), wide(expected))


@given(seed=st.integers(0, 10_000), sharpness=st.floats(0.01, 50))
def test_smoothed_count_equals_the_slow_twin(seed, sharpness):
    pool, weights, _ = case(seed, coarse=False)
    columns = _core.Columns(pool.native, 1)
    expected = slow.smoothed_gain(pool, GAIN, weights, sharpness)
    assert columns.smoothed(GAIN, weights, sharpness) == pytest.approx(expected, abs=1e-12)
    exact = GAIN(pool.stats_of(pool.best(weights)).astype(np.float64))
    assert columns.smoothed(GAIN, weights, 1e9) == pytest.approx(exact, abs=1e-9)


def free_options(features, **changes):
    options = _core.ClimbOptions()
    options.low, options.high = [-INF] * features, [INF] * features
    for key, value in changes.items():
        setattr(options, key, value)
    return options


@pytest.mark.parametrize(
    ("directions", "sharpness"), [(0, 0.0), (3, 0.0), (0, 3.0)], ids=["plain", "random", "smooth"]
)
@pytest.mark.parametrize("coarse", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_no_step_lowers_the_objective(seed, coarse, directions, sharpness):
    pool, weights, _ = case(seed, coarse, sentences=30, hypotheses=20, dense=5)
    columns = _core.Columns(pool.native, 1)
    start = columns.smoothed(GAIN, weights, 3 / np.linalg.norm(weights))
    if sharpness == 0.0:
        start = GAIN(pool.stats_of(pool.best(weights)).astype(np.float64))
    gains = [start]
    for rounds in range(1, 8):  # the same seed: each climb is the beginning of the next
        options = free_options(5, rounds=rounds, random_directions=directions)
        _, gain, _ = columns.climb(GAIN, weights[None, :], options, sharpness, 0, 1)
        gains.append(gain[0])
    assert (np.diff(gains) >= -1e-12).all()
    assert gains[-1] > start


@pytest.mark.parametrize("seed", range(5))
def test_a_climb_ends_where_no_feature_gains(seed):
    pool, weights, _ = case(seed, False, sentences=30, hypotheses=20, dense=5)
    columns = _core.Columns(pool.native, 1)
    ends, gains, searches = columns.climb(GAIN, weights[None, :], free_options(5), 0.0, 0, 1)
    assert gains[0] == GAIN(pool.stats_of(pool.best(ends[0])).astype(np.float64))
    assert searches >= 5
    for feature in range(5):
        found, _ = columns.along_feature(GAIN, ends[0], feature, -INF, INF)
        assert found[:, 2].max() <= gains[0] + 1e-9


@pytest.mark.parametrize("lowest", [False, True])
@pytest.mark.parametrize("window", [0, 1, 3])
@pytest.mark.parametrize("seed", range(5))
def test_windows_smooth_the_line(seed, window, lowest):
    """One free feature, one round: the step goes to the interval with the best neighbourhood."""
    pool, weights, _ = case(seed, False, sentences=30, hypotheses=20)
    columns = _core.Columns(pool.native, 1)
    found, here = columns.along_feature(GAIN, weights, 1, -INF, INF)
    gains = found[:, 2]
    judged = []
    for i in range(len(gains)):
        part = gains[max(0, i - window) : i + window + 1]
        judged.append(part.min() if lowest else part.mean())
    options = free_options(3, rounds=1, window=window, window_lowest=lowest)
    options.low = [weights[0], -INF, weights[2]]
    options.high = [weights[0], INF, weights[2]]
    ends, _, _ = columns.climb(GAIN, weights[None, :], options, 0.0, 0, 1)
    step = ends[0, 1] - weights[1]
    best = max(judged)
    if best <= judged[here] + 1e-10:
        assert step == 0.0
        return
    (reached,) = np.flatnonzero((found[:, 0] < step) & (step < found[:, 1]))
    assert judged[reached] == pytest.approx(best, abs=1e-9)


def test_statistics_of_another_metric_are_refused():
    pool, weights, direction = case(1, False)
    columns = _core.Columns(pool.native, 1)
    with pytest.raises(ValueError, match="statistics of another metric"):
        columns.along(Bleu(order=2).gain, weights, direction, -INF, INF)
    with pytest.raises(ValueError, match="one number per dense feature"):
        columns.along(GAIN, weights[:2], direction, -INF, INF)
