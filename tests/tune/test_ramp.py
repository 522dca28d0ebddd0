import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import ramp as slow
from reference.pools import random_pool
from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import make_tuner
from tunesmith.tune.gains import costs_of, standard_gains
from tunesmith.tune.ramp import KINDS

BLEU = Bleu(tokenize="none")


@given(
    seed=st.integers(0, 10_000),
    kind=st.sampled_from(list(KINDS)),
    regularisation=st.sampled_from([0.0, 0.1, 5.0]),
    rate=st.sampled_from([0.003, 0.1]),
    batch=st.sampled_from([1, 2, 100]),
    threads=st.sampled_from([1, 2]),
)
def test_rounds_equal_the_slow_twin(seed, kind, regularisation, rate, batch, threads):
    pool = random_pool(seed, hypotheses=12)
    costs = costs_of(pool, standard_gains(pool, BLEU))
    chance = np.random.default_rng(seed)
    anchor = chance.normal(size=len(pool.names))
    anchor_scores = pool.scores(anchor)
    hope_factor, fear_factor = KINDS[kind]
    options = {"regularisation": regularisation, "rate": rate, "batch": batch}
    w, deviation = anchor, np.zeros_like(anchor)
    for _ in range(3):
        hopes = _core.augmented_best(pool.native, costs, hope_factor, anchor + deviation, threads)
        assert hopes.tolist() == slow.augmented_best(pool, costs, hope_factor, w).tolist()
        order = chance.permutation(pool.sentences)
        deviation, loss = _core.ramp_epoch(
            pool.native,
            costs,
            hopes,
            order,
            anchor_scores,
            deviation,
            fear_factor=fear_factor,
            threads=threads,
            **options,
        )
        w, expected = slow.epoch(
            pool, costs, hopes, order, anchor, w, fear_factor=fear_factor, **options
        )
        assert loss == pytest.approx(expected, abs=1e-8)
        np.testing.assert_allclose(anchor + deviation, w, atol=1e-8)


@given(seed=st.integers(0, 10_000))
def test_the_loss_is_never_negative(seed):
    """The fear's value is a maximum that the hope takes part in, and costs are not negative."""
    pool = random_pool(seed)
    costs = costs_of(pool, standard_gains(pool, BLEU))
    w = np.random.default_rng(seed).normal(size=len(pool.names))
    hopes = _core.augmented_best(pool.native, costs, -1.0, w, 1)
    _, loss = _core.ramp_epoch(
        pool.native,
        costs,
        hopes,
        np.arange(pool.sentences),
        pool.scores(w),
        np.zeros_like(w),
        fear_factor=1.0,
        rate=1e-12,
        regularisation=0.0,
        batch=1,
        threads=1,
    )
    assert loss >= -1e-9


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_improves_a_learnable_pool(kind):
    pool = random_pool(8, sentences=60, hypotheses=20, dense=5, sparse=3)
    pool.dense[:, 2] = pool.stats[:, 0] / pool.stats[:, 4]
    start = Weights.from_vector(pool.names, np.ones(len(pool.names)))
    result = make_tuner("ramp", kind=kind).fit(pool, BLEU, start)
    assert result.score > result.start_score + 2
