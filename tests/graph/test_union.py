"""Unions hold the derivations of their parts, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graphs import NAMES, derivations, graphs, lattices, weight_vectors
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.graph import chosen_paths, joined, kbest, union

any_graph = graphs(nodes=3) | lattices(nodes=5)


def keys(found):
    return {(d.words, tuple(sorted((k, v) for k, v in d.features.items() if v))) for d in found}


@given(parts=st.lists(any_graph | st.just([]), min_size=1, max_size=3))
def test_a_union_has_the_derivations_of_its_parts(parts):
    # Features and words are numbered differently in every part.
    pools = [
        GraphPool.build([part], NAMES[shift % 4 :] + NAMES[: shift % 4])
        for shift, part in enumerate(parts)
    ]
    joined = union(pools, engine=2)
    joined.native  # noqa: B018 - the check
    expected = set().union(*(keys(derivations(part)) for part in parts))
    assert keys(derivations(joined[0])) == expected
    assert (joined[0].nodes == 0) == (not any(parts))
    assert joined.edges <= sum(pool.edges for pool in pools)


@given(graph=any_graph)
def test_a_graph_and_itself_are_one(graph):
    pool = GraphPool.build([graph], NAMES)
    once = union([pool])
    twice = union([pool, pool, once])
    assert twice.edges == once.edges <= pool.edges
    assert [list(g) for g in twice] == [list(g) for g in once]


@given(graph=any_graph, weights=weight_vectors(), size=st.integers(1, 6))
def test_chosen_paths_are_all_that_is_kept(graph, weights, size):
    chosen = kbest(GraphPool.build([[], graph], NAMES), weights, size, distinct=False)
    paths = chosen_paths(chosen)
    paths.native  # noqa: B018
    assert paths[0].nodes == 0
    kept = keys(derivations(paths[1]))
    wanted = {
        (tuple(text.split()), tuple(sorted(features.items())))
        for text, features in zip(chosen.texts, chosen.features, strict=True)
    }
    assert kept == wanted
    assert len(derivations(paths[1])) <= size


def test_paths_share_their_beginnings():
    graph = [
        [Edge(("a",))],
        [Edge((0, "b"), tails=(0,))],
        [Edge((0, "c"), tails=(1,)), Edge((0, "d"), tails=(1,))],
    ]
    pool = GraphPool.build([graph])
    paths = chosen_paths(kbest(pool, {}, 2))
    assert (paths[0].nodes, paths[0].edges) == (3, 4)
    assert union([paths, pool]).edges == 4


@given(pools=st.lists(st.lists(any_graph | st.just([]), max_size=3), min_size=1, max_size=3))
def test_joined_pools_have_all_sentences(pools):
    parts = [
        GraphPool.build(sentences, NAMES[shift % 4 :] if shift else ())
        for shift, sentences in enumerate(pools)
    ]
    whole = joined(parts)
    whole.native  # noqa: B018 - the check
    expected = [graph for part in parts for graph in part]
    assert [list(graph) for graph in whole] == [list(graph) for graph in expected]
    assert set(whole.names) == {name for part in parts for name in part.names}


@pytest.mark.parametrize("put_together", [union, joined])
def test_what_is_dense_in_one_pool_is_dense(put_together):
    one = GraphPool.build([[[Edge(("a",), {"lm": 1.0, "x": 2.0, "y": 3.0})]]], sparse=["x", "y"])
    other = GraphPool.build([[[Edge(("b",), {"y": 4.0, "z": 5.0, "tm": 6.0})]]], sparse=["z"])
    both = put_together([one, other])
    assert both.names == ("lm", "y", "tm", "x", "z")
    assert both.dense_size == 3
    found = {edge.words: edge.features for graph in both for node in graph for edge in node}
    assert found == {
        ("a",): {"lm": 1.0, "x": 2.0, "y": 3.0},
        ("b",): {"y": 4.0, "z": 5.0, "tm": 6.0},
    }


def test_pools_that_do_not_fit_are_refused():
    one = GraphPool.build([[[Edge(("a",))]]])
    for put_together in (union, joined):
        with pytest.raises(OptionError, match="no pools to put together"):
            put_together([])
    with pytest.raises(OptionError, match="pools of 1 and 2 sentences"):
        union([one, GraphPool.build([[], []])])
