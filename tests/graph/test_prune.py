"""Pruned graphs: small enough, whole, and with what matters in them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graphs import NAMES, derivations, graphs, lattices, numbered, weight_vectors
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.graph import max_marginals, posteriors, prune

any_graph = graphs() | lattices(nodes=6)


def keys(found):
    """Derivations as words and features: what does not depend on numbers of edges."""
    return sorted((d.words, tuple(sorted(d.features.items()))) for d in found)


def used_edges(graph):
    return {pair for d in derivations(graph) for pair in d.edges()}


@given(
    graph=any_graph,
    weights=weight_vectors(),
    threshold=st.integers(0, 40).map(lambda n: n / 8),
)
def test_a_threshold_keeps_exactly_the_derivations_of_near_edges(graph, weights, threshold):
    """By Viterbi score: an edge stays if and only if a derivation that near the best has it."""
    found = derivations(graph)
    best = max(d.score(weights) for d in found)
    marginals = max_marginals(GraphPool.build([graph], NAMES), weights)
    near = {
        pair
        for pair, value in zip(numbered(graph), marginals, strict=True)
        if value >= best - threshold
    }
    pruned = prune(GraphPool.build([[], graph], NAMES), weights, threshold=threshold)
    pruned.native  # noqa: B018 - the check
    assert pruned[0].nodes == 0
    assert pruned[1].edges == len(near)
    assert keys(derivations(pruned[1])) == keys(d for d in found if near.issuperset(d.edges()))


@given(
    graph=any_graph,
    weights=weight_vectors(),
    density=st.sampled_from([0.5, 1.0, 2.0, 3.0, 100.0]),
    words=st.integers(0, 4),
    by=st.sampled_from(["viterbi", "posterior"]),
)
def test_a_density_is_kept_and_nothing_leads_nowhere(graph, weights, density, words, by):
    whole = GraphPool.build([graph], NAMES)
    pruned = prune(whole, weights, density=density, word_counts=[words], by=by)
    pruned.native  # noqa: B018
    found = derivations(pruned[0])
    best = max(derivations(graph), key=lambda d: d.score(weights))
    assert max(d.score(weights) for d in found) == best.score(weights)
    most = math.ceil(density * max(words, 1))
    shortest = min(
        len(set(d.edges())) for d in derivations(graph) if d.score(weights) == best.score(weights)
    )
    longest = max(
        len(set(d.edges())) for d in derivations(graph) if d.score(weights) == best.score(weights)
    )
    assert pruned.edges <= max(most, longest)
    assert pruned.edges >= min(shortest, most)
    assert len(used_edges(list(pruned[0]))) == pruned.edges
    every = keys(derivations(graph))
    assert all(key in every for key in keys(found))
    if most >= whole.edges:
        assert keys(found) == every


@given(graph=any_graph, weights=weight_vectors(), most=st.integers(1, 12))
def test_a_density_takes_edges_by_their_value(graph, weights, most):
    """No edge is left out that is better than the worst one that was kept."""
    whole = GraphPool.build([graph], NAMES)
    values = max_marginals(whole, weights)
    kept = max_marginals(prune(whole, weights, density=most, word_counts=[1]), weights)
    worst = kept.min()
    assert np.sort(kept[kept > worst]).tolist() == np.sort(values[values > worst]).tolist()


@given(graph=any_graph, weights=weight_vectors(), threshold=st.sampled_from([0.0, 0.5, 1.0, 3.0]))
def test_pruning_by_posterior_keeps_what_is_often_used(graph, weights, threshold):
    whole = GraphPool.build([graph], NAMES)
    pruned = prune(whole, weights, threshold=threshold, by="posterior")
    pruned.native  # noqa: B018
    values = posteriors(whole, weights)
    often = values > values.max() * math.exp(-threshold) * (1 + 1e-9)
    assert pruned.edges >= often.sum()
    every = keys(derivations(graph))
    assert all(key in every for key in keys(derivations(pruned[0])))


def test_the_best_derivation_gives_the_words_where_none_are_counted():
    graph = [
        [Edge(("a", "b"), {"f": float(n)}) for n in range(10)],
        [Edge((0, "c"), tails=(0,))],
    ]
    pruned = prune(GraphPool.build([graph]), {"f": 1.0}, density=2)
    assert pruned.edges == 6
    assert [edge.features["f"] for edge in next(iter(pruned[0]))] == [5.0, 6.0, 7.0, 8.0, 9.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "neither density nor threshold is given"),
        ({"density": 0.0}, "density is 0.0, expected a number above 0"),
        ({"density": math.inf}, "density is inf, expected a number above 0"),
        ({"threshold": -1.0}, "threshold is -1.0, expected a number of at least 0"),
        ({"threshold": math.nan}, "threshold is nan, expected a number of at least 0"),
        ({"density": 1, "by": "luck"}, "by is 'luck', expected one of: viterbi, posterior"),
        ({"density": 1, "scale": 0.0}, "scale is 0.0, expected a number above 0"),
        ({"density": 1, "word_counts": [1, 2]}, "2 word counts for 1 sentences"),
    ],
)
def test_senseless_limits_are_refused(options, message):
    pool = GraphPool.build([[[Edge(("a",), {"f": 1.0})]]])
    with pytest.raises(OptionError) as caught:
        prune(pool, {"f": 1.0}, **options)
    assert str(caught.value) == message
