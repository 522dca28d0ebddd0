import math

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import make_tuner

BLEU = Bleu(tokenize="none")


@pytest.fixture(scope="module")
def pool():
    return random_pool(7, sentences=40, hypotheses=30, dense=5, sparse=0)


START = Weights({"d0": 1.0, "d1": -0.5, "d2": 0.25, "d3": 0.5, "d4": 1.0})


def fit(pool, start=START, **options):
    return make_tuner("mert", restarts=4, combinations=8, **options).fit(pool, BLEU, start)


def test_more_climbs_never_end_lower(pool):
    scores = [
        make_tuner("kb-mert", restarts=restarts, combinations=more).fit(pool, BLEU, START).score
        for restarts, more in ((0, 0), (4, 0), (20, 0), (20, 16))
    ]
    assert scores == sorted(scores)
    assert scores[-1] > scores[0]


def test_fixed_weights_keep_their_value(pool):
    result = fit(pool, fixed="d1, d4")
    assert result.weights["d1"] == pytest.approx(-0.5, rel=1e-12)
    assert result.weights["d4"] == pytest.approx(1.0, rel=1e-12)
    assert result.weights["d0"] != pytest.approx(1.0)
    assert result.score > result.start_score
    assert fit(pool, fixed=("d1", "d4")) == result


def test_bounded_weights_stay_within(pool):
    result = fit(pool, bounds="d0=0.5:2, d2=:-0.1, d3=0:")
    assert 0.5 <= result.weights["d0"] <= 2
    assert result.weights["d2"] <= -0.1
    assert result.weights["d3"] >= 0
    free = fit(pool)
    assert not (free.weights["d0"] >= 0.5 and free.weights["d2"] <= -0.1)


def test_bounds_of_the_sign_leave_the_weights_normalised(pool):
    result = fit(pool, bounds={"d0": (-math.inf, 0.0), "d1": (0.0, math.inf)})
    assert result.weights["d0"] <= 0 <= result.weights["d1"]
    assert sum(map(abs, result.weights.values())) == pytest.approx(1.0)


def test_a_start_outside_the_bounds_is_moved_into_them(pool):
    result = make_tuner("kb-mert", restarts=0, combinations=0, bounds="d1=0.5:1, d0=-1:-1").fit(
        pool, BLEU, START
    )
    assert 0.5 <= result.weights["d1"] <= 1
    assert result.weights["d0"] == pytest.approx(-1.0, rel=1e-12)
    inside = np.array([-1.0, 0.5, 0.25, 0.5, 1.0])
    assert result.start_score == BLEU.score(pool.stats_of(pool.best(inside)))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fixed": "x"}, "limits of 'x', which is no feature of the lists: d0, d1"),
        ({"bounds": "d0"}, "bounds 'd0', expected name=low:high, as in LM0=0:"),
        ({"bounds": "d0=a:1"}, "bounds 'd0=a:1', expected name=low:high"),
        ({"bounds": "d0=5"}, "bounds 'd0=5', expected name=low:high"),
        ({"bounds": "=0:1"}, "bounds '=0:1', expected name=low:high"),
        ({"bounds": "d0=1:0"}, "bounds of 'd0' are 1.0 to 0.0, which is empty"),
        ({"window_by": "median"}, "window_by is 'median', expected one of: mean, lowest"),
        ({"restarts": -1}, "restarts is -1, expected at least 0"),
    ],
)
def test_options_that_make_no_sense(pool, options, message):
    with pytest.raises(OptionError, match=message):
        make_tuner("kb-mert", **options).fit(pool, BLEU, START)


@pytest.mark.parametrize(
    "options",
    [
        {"smooth": 3.0},
        {"window": 2},
        {"window": 2, "window_by": "lowest"},
        {"random_directions": 4},
    ],
)
def test_options_of_the_search(pool, options):
    one, two = (fit(pool, engine=threads, **options) for threads in (1, 2))
    assert one.score > one.start_score
    assert one == two


def test_real_lists(data):
    """Moses' mert ends at 40.82 on this list from these weights, with 20 restarts."""
    from tunesmith.tune.pool import read_pool

    folder = data / "nbest" / "moses-de-en"
    pool = read_pool([folder / "run1.nbest.xz"], folder / "val.ref.en", BLEU, engine=2)
    names = [line.split("=")[0] for line in (folder / "start.weights").read_text().splitlines()]
    values = [line.split("=")[1] for line in (folder / "start.weights").read_text().splitlines()]
    assert [name.rpartition("_")[0] or name for name in pool.names] == names
    start = Weights.from_vector(pool.names, map(float, values))
    result = make_tuner("kb-mert", engine=2).fit(pool, BLEU, start)
    assert result.start_score == pytest.approx(39.10, abs=0.005)
    assert result.score >= 40.82
    weights = result.weights.vector(pool.names)
    assert np.abs(weights).sum() == pytest.approx(1.0)
