"""Expected BLEU on graphs: values by brute force, gradients by differences."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from reference.graph_pools import random_graphs
from reference.graph_risk import expected_stats
from tunesmith import _core
from tunesmith.metrics.bleu import Bleu


def risk_of(pool, metric, references, scale, factor, l2, threads=1):
    ids = np.arange(pool.sentences, dtype=np.uint32)
    scorer = metric.prepare(references)
    space = _core.BleuSpace(pool.native, pool.vocabulary.native, scorer, ids, threads)
    return _core.GraphRisk(space, metric.gain, scale, factor, l2, threads)


@given(
    seed=st.integers(0, 10_000),
    order=st.sampled_from([1, 2, 4]),
    l2=st.sampled_from([0.0, 2.0]),
    arity=st.sampled_from([1, 2]),
)
def test_the_objective_is_that_of_all_derivations(seed, order, l2, arity):
    pool, built, references = random_graphs(seed, sentences=3, nodes=3, arity=arity)
    metric = Bleu(order=order, tokenize="none", smoothing="floor")
    chance = np.random.default_rng(seed)
    weights, scale = chance.normal(size=3), chance.uniform(0.5, 2.0, size=3)
    value, _, sums = risk_of(pool, metric, references, scale, 7.0, l2).value(weights)
    by_name = dict(zip(pool.names, weights / scale, strict=True))
    wanted = expected_stats(built, references[0], order, lambda one: one.score(by_name))
    np.testing.assert_allclose(sums, wanted, atol=1e-8)
    assert value == pytest.approx(0.5 * l2 * weights @ weights - 7.0 * metric.gain(wanted))


@given(seed=st.integers(0, 10_000), arity=st.sampled_from([1, 2]))
@example(seed=112, arity=2)  # an expected count of 0.00004
def test_the_gradient_is_that_of_the_objective(seed, arity):
    pool, _, references = random_graphs(seed, sentences=3, nodes=3, arity=arity, words="abcd")
    metric = Bleu(order=3, tokenize="none", smoothing="floor")
    chance = np.random.default_rng(seed)
    weights, scale = chance.normal(size=3), chance.uniform(0.5, 2.0, size=3)
    risk = risk_of(pool, metric, references, scale, 7.0, 0.5)
    _, gradient, sums = risk.value(weights)
    # The core takes slopes over 0.0001 of a count, so not where the brevity penalty begins.
    length, reference = sums[-2:]
    assume(abs(length - reference) > 2e-4 * reference)
    for f in range(3):
        slopes = []
        for side in (-1.0, 1.0):
            # The objective has kinks where a count meets its limit: both sides must agree.
            step = np.zeros(3)
            step[f] = side * 1e-5
            slopes.append((risk.value(weights + step)[0] - risk.value(weights)[0]) / step[f])
        if abs(slopes[0] - slopes[1]) < 1e-3:
            assert gradient[f] == pytest.approx(np.mean(slopes), abs=1e-3)


def test_descents_go_down():
    pool, _, references = random_graphs(2, sentences=10)
    risk = risk_of(pool, Bleu(order=2, tokenize="none"), references, np.ones(3), 10.0, 0.1)
    start = np.array([1.0, -1.0, 0.5])
    before = risk.value(start)[0]
    weights, after = risk.descend(start, 5)
    assert after < before
    assert risk.value(weights)[0] == pytest.approx(after)
    assert risk.descend(weights, 5)[1] <= after


def test_what_does_not_fit_is_refused():
    pool, _, references = random_graphs(2, sentences=2)
    metric = Bleu(order=2, tokenize="none")
    with pytest.raises(ValueError, match="one scale per feature"):
        risk_of(pool, metric, references, np.ones(2), 1.0, 1.0)
    with pytest.raises(ValueError, match="one weight per feature"):
        risk_of(pool, metric, references, np.ones(3), 1.0, 1.0).value(np.ones(2))
