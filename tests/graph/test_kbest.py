"""Viterbi and k-best lists against all derivations, one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graphs import NAMES, derivations, graphs, lattices, numbered, weight_vectors
from tunesmith.base.errors import DegenerateError, OptionError
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.graph import Derivations, best, kbest

any_graph = graphs() | lattices(nodes=6)


def scored(graph, weights):
    return sorted(((d.score(weights), d) for d in derivations(graph)), key=lambda pair: -pair[0])


@given(sentences=st.lists(any_graph | st.just([]), max_size=3), weights=weight_vectors())
def test_the_best_derivation_has_the_highest_score(sentences, weights):
    pool = GraphPool.build(sentences, NAMES)
    found = best(pool, weights)
    rows = iter(range(len(found)))
    for s, graph in enumerate(sentences):
        assert found.offsets[s + 1] - found.offsets[s] == bool(graph)
        if graph:
            row = next(rows)
            assert found.scores[row] == scored(graph, weights)[0][0]


@given(graph=any_graph, weights=weight_vectors(), size=st.sampled_from([1, 2, 5, 1000]))
def test_the_list_of_derivations_is_exact(graph, weights, size):
    expected = scored(graph, weights)
    found = kbest(GraphPool.build([graph], NAMES), weights, size, distinct=False)
    assert found.scores.tolist() == [score for score, _ in expected[:size]]
    # Every derivation is listed once, with its words and features.
    places = numbered(graph)
    by_edges = {tuple(d.edges()): d for _, d in expected}
    assert len(by_edges) == len(expected)
    seen = set()
    for row, (begin, end) in enumerate(
        zip(found.edge_offsets, found.edge_offsets[1:], strict=False)
    ):
        edges = tuple(places[e] for e in found.edges[begin:end])
        seen.add(edges)
        derived = by_edges[edges]
        assert found.texts[row] == " ".join(derived.words)
        assert found.features[row] == {k: v for k, v in derived.features.items() if v}
        assert derived.score(weights) == found.scores[row]
    assert len(seen) == len(found)


@given(graph=any_graph, weights=weight_vectors(), size=st.sampled_from([2, 5, 1000]))
def test_the_list_of_distinct_words_is_exact(graph, weights, size):
    expected = {}
    for score, derived in scored(graph, weights):
        expected.setdefault(" ".join(derived.words), score)
    found = kbest(GraphPool.build([graph], NAMES), weights, size)
    texts = list(found.texts)
    assert len(set(texts)) == len(texts) == min(size, len(expected))
    assert found.scores.tolist() == [expected[text] for text in texts]
    assert found.scores.tolist() == sorted(expected.values(), reverse=True)[:size]


@given(sentences=st.lists(any_graph, min_size=1, max_size=4), weights=weight_vectors())
def test_lists_do_not_depend_on_threads(sentences, weights):
    pool = GraphPool.build(sentences, NAMES)
    lists = [kbest(pool, weights, 7, engine=threads) for threads in (1, 2, 3)]
    for other in lists[1:]:
        assert other.scores.tobytes() == lists[0].scores.tobytes()
        assert other.edges.tobytes() == lists[0].edges.tobytes()


def test_a_long_chain_needs_no_deep_stack():
    nodes = 100_000
    graph = [[Edge(("a",), {"f": 1.0}), Edge(("b",), {"f": 0.5})]]
    graph += [[Edge((0, "c"), {"f": 0.0}, tails=(n,))] for n in range(nodes)]
    found = kbest(GraphPool.build([graph]), {"f": 1.0}, 5)
    assert found.scores.tolist() == [1.0, 0.5]


def test_derivations_become_an_nbest_list():
    graph = [[Edge(("a",), {"lm": -1.0, "pair": 1.0}), Edge(("b",), {"lm": -2.0, "t:m": 3.0})]]
    pool = GraphPool.build([[], graph], sparse=["pair"])
    nbest = kbest(pool, {"lm": 1.0, "t:m": 0.0}, 5).nbest()
    assert nbest.offsets.tolist() == [0, 0, 2]
    assert list(nbest.texts) == ["a", "b"]
    assert nbest.dense_names == ("lm", "t:m")
    assert nbest.dense.tolist() == [[-1, 0], [-2, 3]]
    assert nbest.sparse_names == ("pair",)
    assert nbest.sparse_offsets.tolist() == [0, 1, 1]
    assert nbest.sparse_values.tolist() == [1.0]
    assert nbest.totals is not None
    assert nbest.totals.tolist() == [-1, -2]


def test_senseless_wishes_are_refused():
    pool = GraphPool.build([[[Edge(("a",), {"lm": 1.0})]]])
    with pytest.raises(OptionError, match="size is 0, expected 1 to 100000"):
        kbest(pool, {"lm": 1.0}, 0)
    with pytest.raises(OptionError) as caught:
        best(pool, {"tm": 1.0})
    assert str(caught.value) == "the graphs' feature 'lm' has no weight (there are: tm)"
    # What needs no weight is a matter of what was declared, not of names.
    dense = GraphPool.build([[[Edge(("a",), {"lm": 1.0, "pair:x": 1.0})]]])
    with pytest.raises(OptionError, match="the graphs' feature 'pair:x' has no weight"):
        best(dense, {"lm": 1.0})
    sparse = GraphPool.build([[[Edge(("a",), {"lm": 1.0, "pair": 1.0})]]], sparse=["pair"])
    assert best(sparse, {"lm": 1.0}).scores.tolist() == [1.0]
    for weight in (float("nan"), 1e21):
        with pytest.raises(DegenerateError, match="weight of feature 'lm' is"):
            best(pool, {"lm": weight})


@pytest.mark.parametrize("edges", [[1], [0, 0], [0, 2], [7], []])
def test_edges_that_are_no_derivation_are_refused(edges):
    graph = [[Edge(("a",))], [Edge(("b",))], [Edge((0, 1), tails=(0, 1))]]
    pool = GraphPool.build([graph])
    rows = np.array([0, len(edges)])
    wrong = Derivations(pool, np.array([0, 1]), np.zeros(1), rows, np.array(edges, np.uint32))
    with pytest.raises(ValueError, match="edges that are no derivation of their sentence"):
        list(wrong.texts)
