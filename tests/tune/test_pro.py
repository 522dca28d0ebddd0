import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from reference import pro as slow
from reference.mira import features
from reference.pools import random_pool
from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.seeds import derive_seed
from tunesmith.base.weights import Weights
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import make_tuner

BLEU = Bleu(tokenize="none")


@given(
    seed=st.integers(0, 10_000),
    sigmoid=st.booleans(),
    keep=st.sampled_from([1, 5, 1000]),
    threshold=st.sampled_from([0.0, 0.05, 0.3]),
    threads=st.sampled_from([1, 2]),
)
@settings(max_examples=60)
def test_samplers_equal_the_slow_twin(seed, sigmoid, keep, threshold, threads):
    pool = random_pool(seed, hypotheses=10)
    gains = BLEU.sentence_gains(pool.stats)
    options = {
        "sigmoid": sigmoid,
        "candidates": 60,
        "keep": keep,
        "threshold": threshold,
        "softness": 0.1,
        "seed": seed,
    }
    pairs = _core.sample_pairs(pool.native, gains, threads=threads, **options)
    assert pairs.tolist() == [list(p) for p in slow.sample_pairs(pool, gains, **options)]


@given(seed=st.integers(0, 10_000), candidates=st.sampled_from([3, 200]))
def test_pairs_are_ordered_and_stay_within_their_sentence(seed, candidates):
    pool = random_pool(seed, hypotheses=10)
    gains = BLEU.sentence_gains(pool.stats)
    pairs = _core.sample_pairs(
        pool.native,
        gains,
        sigmoid=False,
        candidates=candidates,
        keep=50,
        threshold=0.05,
        softness=1.0,
        seed=seed,
        threads=1,
    )
    good, bad = pairs.T
    assert (gains[good] - gains[bad] >= 0.05).all()
    sentence = np.searchsorted(pool.offsets, pairs, side="right")
    assert (sentence[:, 0] == sentence[:, 1]).all()
    assert (np.bincount(sentence[:, 0], minlength=1) <= 50).all()


def classification(seed, sparse):
    """Random pairs of a pool, and the same as a matrix with both orders of every pair."""
    pool = random_pool(seed, sentences=30, hypotheses=10, dense=4, sparse=sparse)
    chance = np.random.default_rng(seed)
    pairs = chance.integers(0, pool.rows, size=(150, 2))
    h = features(pool)
    differences = h[pairs[:, 0]] - h[pairs[:, 1]]
    signs = np.where(np.arange(len(pairs)) % 2 == 0, 1, -1)
    return pool, pairs, differences * signs[:, None], signs


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sparse", [0, 40])
@pytest.mark.parametrize("l2", [0.1, 10.0])
@pytest.mark.parametrize("threads", [1, 2])
def test_logistic_loss_equals_scikit_learn(seed, sparse, l2, threads):
    pool, pairs, x, y = classification(seed, sparse)
    peer = LogisticRegression(
        C=1 / l2, fit_intercept=False, solver="newton-cg", tol=1e-12, max_iter=10_000
    ).fit(x, y)
    weights, objective, _, converged = _core.fit_logistic(
        pool.native,
        pairs,
        regularisation=l2,
        start=np.zeros(len(pool.names)),
        tolerance=1e-9,
        iterations=5000,
        threads=threads,
    )
    assert converged
    np.testing.assert_allclose(weights, peer.coef_[0], atol=1e-7)
    margins = y * (x @ peer.coef_[0])
    expected = l2 / 2 * (peer.coef_**2).sum() + np.logaddexp(0, -margins).sum()
    assert objective == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("sparse", [0, 40])
@pytest.mark.parametrize("l2", [0.1, 10.0])
def test_hinge_loss_equals_scikit_learn(seed, sparse, l2):
    pool, pairs, x, y = classification(seed, sparse)
    peer = LinearSVC(
        C=1 / l2, loss="hinge", fit_intercept=False, tol=1e-10, max_iter=1_000_000, random_state=1
    ).fit(x, y)
    weights, objective, _, converged = _core.fit_hinge(
        pool.native, pairs, regularisation=l2, tolerance=1e-9, iterations=100_000, seed=1
    )
    assert converged
    np.testing.assert_allclose(weights, peer.coef_[0], atol=1e-5)
    expected = l2 / 2 * (peer.coef_**2).sum() + np.maximum(0, 1 - y * (x @ peer.coef_[0])).sum()
    assert objective == pytest.approx(expected, rel=1e-7)


@given(seed=st.integers(0, 1000))
@settings(max_examples=20)
def test_logistic_gradient_vanishes_at_the_optimum(seed):
    pool, pairs, x, y = classification(seed, 6)
    weights, *_ = _core.fit_logistic(
        pool.native,
        pairs,
        regularisation=1.0,
        start=np.ones(len(pool.names)),
        tolerance=1e-9,
        iterations=1000,
        threads=1,
    )
    x = x * y[:, None]
    gradient = weights - x.T @ (1 / (1 + np.exp(x @ weights)))
    assert np.abs(gradient).max() < 1e-6


@pytest.mark.parametrize("loss", ["logistic", "hinge"])
@pytest.mark.parametrize("sampler", ["threshold", "sigmoid"])
def test_every_combination_improves_a_learnable_pool(loss, sampler):
    pool = random_pool(8, sentences=40, hypotheses=20, dense=5, sparse=3)
    # The third feature is the unigram precision, hidden among the noise.
    pool.dense[:, 2] = pool.stats[:, 0] / pool.stats[:, 4]
    start = Weights.from_vector(pool.names, np.ones(len(pool.names)))
    result = make_tuner("pro", loss=loss, sampler=sampler, threshold=0.5).fit(pool, BLEU, start)
    assert result.score > result.start_score + 5


@pytest.mark.parametrize("sampler", ["threshold", "sigmoid"])
@pytest.mark.parametrize("loss", ["logistic", "hinge"])
@pytest.mark.parametrize("l2", [1.0, 100.0])
def test_the_tuner_is_the_sampler_and_the_classifier(sampler, loss, l2):
    """The whole of a step by slow twins and scikit-learn, from the tuner's settings alone."""
    pool = random_pool(8, sentences=25, hypotheses=12, dense=4, sparse=0)
    tuner = make_tuner(
        "pro", sampler=sampler, loss=loss, l2=l2, candidates=80, keep=20, threshold=0.5, seed=3
    )
    step = next(tuner.steps(pool, BLEU, np.array([1.0, 0, 0, 0])))
    gains = BLEU.sentence_gains(pool.stats)
    spread = np.sqrt(
        sum(((g - g.mean()) ** 2).sum() for g in np.split(gains, pool.offsets[1:-1])) / pool.rows
    )
    pairs = slow.sample_pairs(
        pool, gains / spread, sigmoid=sampler == "sigmoid", candidates=80, keep=20, threshold=0.5,
        softness=1.0, seed=derive_seed(3, "pro", "pairs"),
    )  # fmt: skip
    good, bad = np.array(pairs).T
    x = pool.dense[good].astype(float) - pool.dense[bad]
    both, classes = np.vstack([x, -x]), np.repeat([1, -1], len(x))
    if loss == "logistic":
        peer = LogisticRegression(C=0.5 / l2, fit_intercept=False, tol=1e-10, max_iter=10_000)
    else:
        peer = LinearSVC(C=0.5 / l2, loss="hinge", fit_intercept=False, tol=1e-8, max_iter=10**6)
    (learnt,) = peer.fit(both, classes).coef_
    margins = x @ learnt
    losses = np.logaddexp(0, -margins) if loss == "logistic" else np.maximum(0, 1 - margins)
    expected = l2 / 2 * learnt @ learnt + losses.sum()
    assert step.objective == pytest.approx(expected, rel=1e-3)
    np.testing.assert_allclose(step.weights, learnt / np.linalg.norm(learnt), atol=0.04)
    assert step.note.startswith(f"{len(pairs)} pairs, ")


def test_interpolation_with_the_start():
    pool = random_pool(8, sentences=20, hypotheses=10, sparse=0)
    whole, half = (
        next(make_tuner("pro", interpolation=part).steps(pool, BLEU, np.array([3.0, 0, 4])))
        for part in (1.0, 0.5)
    )
    np.testing.assert_allclose(half.weights, 0.5 * whole.weights + [0.3, 0, 0.4])


def test_an_unknown_gain_is_refused():
    with pytest.raises(OptionError, match="no sentence-level 'x' for bleu"):
        make_tuner("pro", gain="x").fit(random_pool(1), BLEU)


def test_a_row_outside_the_pool_is_refused():
    pool = random_pool(1)
    with pytest.raises(ValueError, match="outside the pool"):
        _core.fit_hinge(
            pool.native,
            np.array([[0, pool.rows]]),
            regularisation=1.0,
            tolerance=1.0,
            iterations=1,
            seed=1,
        )
