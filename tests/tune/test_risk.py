from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import risk as slow
from reference.pools import random_pool
from tunesmith import _core
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import make_tuner, tuner_class
from tunesmith.tune.gains import costs_of, standard_gains

BLEU = Bleu(tokenize="none")


def problem(seed, **options):
    pool = random_pool(seed, hypotheses=10, **options)
    costs = costs_of(pool, standard_gains(pool, BLEU))
    return pool, costs, np.random.default_rng(seed).normal(size=len(pool.names))


@given(
    seed=st.integers(0, 10_000),
    regularisation=st.sampled_from([0.0, 0.5, 20.0]),
    threads=st.sampled_from([1, 2]),
)
def test_gradient_by_finite_differences(seed, regularisation, threads):
    pool, costs, w = problem(seed)
    value = _core.risk_objective(pool.native, costs, regularisation, w, threads)
    assert value == pytest.approx(slow.objective(pool, costs, regularisation, w))
    gradient = _core.risk_gradient(pool.native, costs, regularisation, w, threads)
    step = 1e-5
    for i in range(len(w)):
        ahead, behind = w.copy(), w.copy()
        ahead[i] += step
        behind[i] -= step
        slope = slow.objective(pool, costs, regularisation, ahead) - slow.objective(
            pool, costs, regularisation, behind
        )
        assert gradient[i] == pytest.approx(slope / (2 * step), abs=1e-6, rel=1e-6)


@given(
    seed=st.integers(0, 10_000),
    regularisation=st.sampled_from([0.0, 1.0, 50.0]),
    rate=st.sampled_from([0.001, 0.3]),
    batch=st.sampled_from([1, 2, 100]),
)
def test_epochs_equal_the_slow_twin(seed, regularisation, rate, batch):
    pool, costs, w = problem(seed)
    chance = np.random.default_rng(seed)
    expected, time, expected_time = w, 0.0, 0.0
    options = {"regularisation": regularisation, "rate": rate, "batch": batch}
    for _ in range(3):
        order = chance.permutation(pool.sentences)
        w, time = _core.risk_epoch(pool.native, costs, order, w, time=time, threads=2, **options)
        expected, expected_time = slow.epoch(
            pool, costs, order, expected, time=expected_time, **options
        )
        assert time == expected_time
        np.testing.assert_allclose(w, expected, rtol=1e-8, atol=1e-9)


def test_strong_decay_folds_the_factor_back():
    """Enough shrinking in one epoch to pass the limit where the common factor is folded in."""
    pool, costs, w = problem(3, sentences=40)
    order = np.arange(40)
    options = {"regularisation": 39.0, "rate": 1.0, "batch": 1}
    ours, _ = _core.risk_epoch(pool.native, costs, order, w, time=0.0, threads=1, **options)
    theirs, _ = slow.epoch(pool, costs, order, w, time=0.0, **options)
    np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-9)


def test_batches_are_the_same_on_threads():
    """Lists so long that a batch is worth threads."""
    pool = random_pool(1, sentences=6, hypotheses=6000, dense=30, sparse=0)
    costs = costs_of(pool, standard_gains(pool, BLEU))
    w = np.linspace(-1, 1, 30)
    results = [
        _core.risk_epoch(
            pool.native,
            costs,
            np.arange(6),
            w,
            regularisation=1.0,
            rate=0.01,
            batch=3,
            time=0.0,
            threads=threads,
        )[0].tobytes()
        for threads in (1, 2, 4)
    ]
    assert results[0] == results[1] == results[2]


def test_every_step_comes_closer():
    pool = random_pool(4, sentences=50, hypotheses=15)
    history = make_tuner("risk", gain="own").fit(pool, BLEU).history
    objectives = [entry.objective for entry in history]
    assert len(objectives) > 2
    assert all(later < earlier for earlier, later in pairwise(objectives))


def test_alias():
    assert tuner_class("mr") is tuner_class("risk")


def test_costs_begin_at_zero():
    pool, costs, _ = problem(5)
    assert (np.minimum.reduceat(costs, pool.offsets[:-1]) == 0).all()
