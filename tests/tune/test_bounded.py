"""Weights within limits: every tuner that takes them keeps them."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.pools import random_pool
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.cli.main import main
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import TUNERS, make_tuner, tuner_class
from tunesmith.tune.bounded import BoundedTuner

BLEU = Bleu(tokenize="none")
BOUNDED = [name for name in TUNERS if issubclass(tuner_class(name), BoundedTuner)]
FEWER = {
    "kb-mert": {"restarts": 2, "combinations": 4},
    "kb-mira": {"passes": 4},
    "ramp": {"rounds": 3},
    "random": {"trials": 40},
    "risk": {"restarts": 1, "epochs": 3},
}


def quick(name, **options):
    return make_tuner(name, **FEWER[name], **options)


def pool_with_a_bad_feature(seed=3):
    """Feature d1 falls with quality: its best weight is negative."""
    pool = random_pool(seed, sentences=60, hypotheses=15, dense=4, sparse=0)
    pool.dense[:, 1] -= 5 * pool.stats[:, 0] / np.maximum(pool.stats[:, 4], 1)
    return pool


def test_these_tuners_take_limits():
    assert BOUNDED == ["kb-mert", "kb-mira", "ramp", "random", "risk"]


@pytest.mark.parametrize("name", BOUNDED)
def test_no_weight_below_zero(name):
    pool = pool_with_a_bad_feature()
    start = Weights({"d0": 0.5, "d1": -0.3, "d2": 0.2, "d3": 0.1})
    assert quick(name).fit(pool, BLEU, start).weights["d1"] < 0
    result = quick(name, bounds="*=0:").fit(pool, BLEU, start)
    assert min(result.weights.values()) >= 0
    assert result.score >= result.start_score
    assert sum(map(abs, result.weights.values())) == pytest.approx(1.0)
    # A bound of its own goes before that of all.
    mixed = quick(name, bounds="*=0:,d1=:0").fit(pool, BLEU, start).weights
    assert mixed["d1"] <= 0
    assert min(value for key, value in mixed.items() if key != "d1") >= 0


@pytest.mark.parametrize("name", BOUNDED)
@settings(deadline=None, max_examples=10)
@given(low=st.floats(-0.5, 0.5), width=st.floats(0, 1), seed=st.integers(1, 50))
def test_limits_hold_in_the_units_of_the_start(name, low, width, seed):
    pool = pool_with_a_bad_feature(seed)
    start = Weights({"d0": 0.5, "d1": 0.3, "d2": -0.2, "d3": 0.1})
    tuner = quick(name, bounds={"d1": (low, low + width)}, fixed="d2")
    weights = tuner.fit(pool, BLEU, start, keep_better_start=False).weights
    assert low - 1e-9 <= weights["d1"] <= low + width + 1e-9
    assert weights["d2"] == pytest.approx(-0.2)


@pytest.mark.parametrize("name", BOUNDED)
def test_limits_that_nothing_meets_change_nothing(name):
    pool = pool_with_a_bad_feature()
    free = quick(name).fit(pool, BLEU)
    wide = quick(name, bounds={"d1": (-np.inf, np.inf)}).fit(pool, BLEU)
    assert dataclasses.asdict(wide) == dataclasses.asdict(free)


@pytest.mark.parametrize("name", BOUNDED)
def test_bad_limits_are_refused(name):
    pool = pool_with_a_bad_feature()
    for bounds, message in (
        ("d9=0:", "limits of 'd9', which is no feature of the lists"),
        ("d1=1:0", "bounds of 'd1' are 1.0 to 0.0, which is empty"),
        ("d1", "bounds 'd1', expected name=low:high"),
    ):
        with pytest.raises(OptionError, match=message):
            quick(name, bounds=bounds).fit(pool, BLEU)


@pytest.mark.parametrize("name", [name for name in TUNERS if name not in BOUNDED])
def test_other_tuners_name_those_that_can(name, tmp_path, capsys):
    lists = ["--nbest", f"{tmp_path}/x", "--refs", f"{tmp_path}/y", "--out", f"{tmp_path}/w"]
    assert main(["tune", *lists, "--tuner", name, "--bounds", "*=0:"]) == 2
    assert capsys.readouterr().err == (
        f"tunesmith tune: --bounds is no option of the tuner {name}, but of kb-mert, kb-mira, "
        "ramp, random, risk, lb-mert\n"
    )
