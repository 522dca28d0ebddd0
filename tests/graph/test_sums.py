"""Sums over all derivations against the sums themselves."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graphs import (
    NAMES,
    derivations,
    graphs,
    lattices,
    ngrams,
    numbered,
    weight_vectors,
)
from tunesmith.base.errors import OptionError, TunesmithError
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.graph import (
    expected_features,
    expected_ngrams,
    log_sums,
    max_marginals,
    posteriors,
)

any_graph = graphs() | lattices(nodes=6)


def weighed(graph, weights, scale=1.0):
    """Every derivation with its probability."""
    found = derivations(graph)
    values = [math.exp(scale * d.score(weights)) for d in found]
    return [(d, value / sum(values)) for d, value in zip(found, values, strict=True)]


@given(graph=any_graph, weights=weight_vectors(), scale=st.sampled_from([0.25, 1.0, 2.0]))
def test_posteriors_are_sums_over_derivations(graph, weights, scale):
    pool = GraphPool.build([[], graph], NAMES)
    expected = dict.fromkeys(numbered(graph), 0.0)
    for derived, probability in weighed(graph, weights, scale):
        for pair in derived.edges():
            expected[pair] += probability
    found = posteriors(pool, weights, scale=scale)
    np.testing.assert_allclose(found, list(expected.values()), rtol=1e-9, atol=1e-12)
    totals = log_sums(pool, weights, scale=scale)
    assert totals[0] == -math.inf
    total = sum(math.exp(scale * d.score(weights)) for d in derivations(graph))
    assert totals[1] == pytest.approx(math.log(total), abs=1e-9)


@given(graph=any_graph, weights=weight_vectors())
def test_max_marginals_are_the_best_derivations_through_an_edge(graph, weights):
    expected = dict.fromkeys(numbered(graph), -math.inf)
    for derived in derivations(graph):
        for pair in derived.edges():
            expected[pair] = max(expected[pair], derived.score(weights))
    found = max_marginals(GraphPool.build([graph], NAMES), weights)
    assert found.tolist() == list(expected.values())


@given(sentences=st.lists(any_graph | st.just([]), max_size=3), weights=weight_vectors())
def test_expected_features_are_averages(sentences, weights):
    pool = GraphPool.build(sentences, NAMES)
    found = expected_features(pool, weights, engine=2).dense()
    assert found.shape == (len(sentences), len(NAMES))
    for row, graph in zip(found, sentences, strict=True):
        expected = [
            sum(
                p * d.features.get(name, 0.0) for d, p in (weighed(graph, weights) if graph else [])
            )
            for name in NAMES
        ]
        np.testing.assert_allclose(row, expected, rtol=1e-9, atol=1e-9)


@given(graph=any_graph, weights=weight_vectors(), order=st.integers(1, 4))
def test_expected_ngrams_are_averages(graph, weights, order):
    """Across edges, with empty edges, words on both sides of tails, and tails of few words."""
    [nothing, found] = expected_ngrams(GraphPool.build([[], graph], NAMES), weights, order=order)
    assert nothing == {}
    expected = {}
    for derived, probability in weighed(graph, weights):
        for ngram, count in ngrams(derived.words, order).items():
            expected[ngram] = expected.get(ngram, 0.0) + probability * count
    # N-grams of dead ends are listed too, with nothing.
    assert {ngram for ngram, value in found.items() if value > 0} >= {
        ngram for ngram, value in expected.items() if value > 1e-300
    }
    for ngram, value in found.items():
        assert value == pytest.approx(expected.get(ngram, 0.0), rel=1e-9, abs=1e-12)


def test_far_scores_neither_overflow_nor_vanish():
    graph = [[Edge(("a",), {"f": 5000.0}), Edge(("b",), {"f": 4999.0}), Edge(("c",), {"f": -1e6})]]
    pool = GraphPool.build([graph])
    p = 1 / (1 + math.exp(-1))
    np.testing.assert_allclose(posteriors(pool, {"f": 1.0}), [p, 1 - p, 0.0], rtol=1e-12)
    assert log_sums(pool, {"f": 1.0})[0] == pytest.approx(5000 - math.log(p))


def test_ngram_states_have_a_limit(monkeypatch):
    monkeypatch.setattr("tunesmith.graph.sums.MAX_EDGES", 3)
    graph = [[Edge((word,)) for word in "abcd"]]
    with pytest.raises(TunesmithError) as caught:
        expected_ngrams(GraphPool.build([graph[:1], graph]), {})
    assert str(caught.value) == (
        "sentence 1: more than 3 edges are needed to count n-grams; prune the graph first"
    )
    with pytest.raises(OptionError, match="order is 0, expected 1 to 16"):
        expected_ngrams(GraphPool.build([graph]), {}, order=0)
