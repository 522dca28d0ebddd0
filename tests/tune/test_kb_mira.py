import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.mira import batch_mira
from reference.pools import random_pool
from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import make_tuner

BLEU = Bleu(tokenize="none")


@given(
    seed=st.integers(0, 10_000),
    step_cap=st.sampled_from([0.01, 0.3, 100.0]),
    decay=st.sampled_from([0.5, 0.999, 1.0]),
    gain_scale=st.sampled_from([0.1, 1.0, 10.0]),
    smoothing=st.sampled_from(["exp", "none"]),
)
def test_passes_equal_the_slow_twin(seed, step_cap, decay, gain_scale, smoothing):
    pool = random_pool(seed, hypotheses=12)
    gain = Bleu(smoothing=smoothing).gain
    chance = np.random.default_rng(seed)
    start = chance.normal(size=len(pool.names))
    background = chance.uniform(0.1, 5.0, size=gain.size)
    orders = [chance.permutation(pool.sentences) for _ in range(4)]
    options = {"step_cap": step_cap, "decay": decay, "gain_scale": gain_scale}
    averages, losses = batch_mira(pool, gain, start, background, orders, **options)
    mira = _core.BatchMira(pool.native, gain, start, background, threads=1, **options)
    for order, average, loss in zip(orders, averages, losses, strict=True):
        assert mira.run_pass(order) == pytest.approx(loss, abs=1e-9)
        np.testing.assert_allclose(mira.average(), average, atol=1e-9)


def test_ties_go_to_the_first_row():
    # All scores are zero and all gains equal: hope = fear = the first row, and nothing moves.
    pool = random_pool(3, sentences=4, hypotheses=6)
    pool.stats[:] = pool.stats[0]
    zeros = np.zeros(len(pool.names))
    mira = _core.BatchMira(
        pool.native,
        BLEU.gain,
        zeros,
        np.ones(10),
        step_cap=1.0,
        decay=1.0,
        gain_scale=1.0,
        threads=1,
    )
    assert mira.run_pass(np.arange(4)) == 0.0
    assert not mira.average().any()


def test_a_sentence_outside_the_pool_is_refused():
    pool = random_pool(1, sentences=2)
    mira = _core.BatchMira(
        pool.native,
        BLEU.gain,
        np.ones(len(pool.names)),
        np.ones(10),
        step_cap=1.0,
        decay=1.0,
        gain_scale=1.0,
        threads=1,
    )
    with pytest.raises(ValueError, match="outside the pool"):
        mira.run_pass(np.array([2]))


def test_the_scale_of_the_start_does_not_matter():
    pool = random_pool(5, sentences=30, hypotheses=20)
    start = Weights.from_vector(pool.names, np.linspace(-1, 1, len(pool.names)))
    longer = Weights.from_vector(pool.names, 64 * np.linspace(-1, 1, len(pool.names)))
    first, second = (make_tuner("kb-mira").fit(pool, BLEU, w).weights for w in (start, longer))
    np.testing.assert_allclose(first.vector(pool.names), second.vector(pool.names))


def test_interpolation_with_the_start():
    pool = random_pool(8, sentences=20, hypotheses=10, sparse=0)
    tuners = (make_tuner("kb-mira", interpolation=part, passes=3) for part in (1.0, 0.5))
    whole, half = (list(tuner.steps(pool, BLEU, np.array([3.0, 0, 4]))) for tuner in tuners)
    for one, other in zip(whole, half, strict=True):
        assert np.linalg.norm(one.weights) == pytest.approx(1)
        np.testing.assert_allclose(other.weights, 0.5 * one.weights + [0.3, 0, 0.4])
