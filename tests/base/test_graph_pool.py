"""Pools of graphs: what they hold, that files give it back, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graphs import NAMES, graphs
from tunesmith.base.array_file import read_arrays, write_arrays
from tunesmith.base.errors import InputError, TunesmithError
from tunesmith.base.graph_pool import ARRAYS, Edge, GraphPool


def same(one, other):
    return (
        all(np.array_equal(getattr(one, name), getattr(other, name)) for name in ARRAYS)
        and one.names == other.names
        and one.dense_size == other.dense_size
        and one.vocabulary == other.vocabulary
    )


@given(sentences=st.lists(graphs() | st.just([]), max_size=4))
def test_a_pool_gives_back_what_it_was_made_of(sentences, tmp_path_factory):
    pool = GraphPool.build(sentences, NAMES)
    pool.native  # noqa: B018 - the check
    assert [list(map(list, graph)) for graph in pool] == [list(map(list, s)) for s in sentences]
    assert [graph.nodes for graph in pool] == list(map(len, sentences))
    assert pool.edge_counts().tolist() == [graph.edges for graph in pool]
    assert pool.empty_sentences() == [i for i, s in enumerate(sentences) if not s]
    path = tmp_path_factory.mktemp("p") / "pool.bin"
    pool.save(path)
    assert same(GraphPool.load(path), pool)
    backwards = pool.select(range(len(pool))[::-1])
    backwards.native  # noqa: B018
    assert [list(g) for g in backwards] == [list(g) for g in pool][::-1]


def test_a_pool_knows_how_many_of_its_features_are_dense(tmp_path):
    edges = [Edge(("a",), {"pair": 1.0, "lm": 2.0}), Edge(("b",), {"a:b": 3.0, "tm": 4.0})]
    pool = GraphPool.build([[edges]], ["rare", "lm"], sparse={"pair", "rare"})
    assert pool.names == ("lm", "a:b", "tm", "rare", "pair")
    assert pool.dense_names == ("lm", "a:b", "tm")
    assert pool.sparse_names == ("rare", "pair")
    assert list(pool[0]) == [edges]
    pool.save(tmp_path / "pool.bin")
    assert same(GraphPool.load(tmp_path / "pool.bin"), pool)
    assert pool.select([0, 0]).dense_size == 3
    assert pool.with_features(("tm", "pair"), 1).sparse_names == ("pair",)


def rewritten(pool, path, version, **changes):
    """The file of a pool with other arrays; None: without the array."""
    pool.save(path)
    arrays = read_arrays(path, "graphs", 2)
    kept = {name: array for name, array in (arrays | changes).items() if array is not None}
    write_arrays(path.with_name("changed.bin"), "graphs", version, kept)
    return path.with_name("changed.bin")


def test_files_that_do_not_say_what_is_dense_are_refused(tmp_path):
    pool = GraphPool.build([[START]])
    old = rewritten(pool, tmp_path / "pool.bin", 1, dense_size=None)
    with pytest.raises(InputError, match=r"changed.bin: version 1, expected version 2; make the"):
        GraphPool.load(old)
    for size in (-1, 2):
        wrong = rewritten(pool, tmp_path / "pool.bin", 2, dense_size=np.array([size]))
        with pytest.raises(InputError, match=f"changed.bin: {size} dense features of 1"):
            GraphPool.load(wrong)


def test_sentences_are_reached_from_both_ends():
    pool = GraphPool.build([[[Edge(("a",))]], []])
    assert list(pool[-2]) == list(pool[0]) == [[Edge(("a",))]]
    assert list(pool[1]) == []
    with pytest.raises(IndexError, match="sentence 2 of 2"):
        pool[2]


START = [Edge(("a",), {"lm": 1.0})]


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        (
            [START, [Edge((0,), tails=(1,))]],
            "sentence 2, edge 1: its tail is node 1, expected one before its head, node 1 "
            "(a cycle, or nodes out of order)",
        ),
        (
            [START, [Edge((0,), tails=(7,))]],
            "sentence 2, edge 1: its tail is node 7, expected one before its head, node 1 "
            "(a cycle, or nodes out of order)",
        ),
        (
            [START, [], [Edge((0,), tails=(1,))]],
            "sentence 2, node 1 has no edges: a tail that points to it dangles",
        ),
        (
            [START, [Edge(("b",), tails=(0,))]],
            "sentence 2, edge 1: each tail must have its place once among the words",
        ),
        (
            [START, [Edge((0, 0), tails=(0,))]],
            "sentence 2, edge 1: each tail must have its place once among the words",
        ),
        (
            [START, [Edge((0, 1), tails=(0,))]],
            "sentence 2, edge 1: each tail must have its place once among the words",
        ),
        (
            [[Edge(("a",), {"lm": float("nan")})]],
            "sentence 2, edge 0: feature 'lm' is nan, expected a finite number",
        ),
        (
            [START, [Edge((0,), {"tm": float("-inf")}, tails=(0,))]],
            "sentence 2, edge 1: feature 'tm' is infinite, expected a finite number",
        ),
    ],
)
def test_what_is_no_graph_is_refused(nodes, message, tmp_path):
    pool = GraphPool.build([[START], nodes], ["lm", "tm"])
    with pytest.raises(TunesmithError) as caught:
        pool.native  # noqa: B018
    assert str(caught.value) == message
    path = tmp_path / "pool.bin"
    pool.save(path)
    with pytest.raises(InputError) as caught:
        GraphPool.load(path)
    assert str(caught.value) == f"{path}: {message}"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"node_offsets": np.array([0, 3])}, "graph offsets do not cover the nodes"),
        ({"node_offsets": np.array([], dtype=np.int64)}, "graph offsets do not cover the nodes"),
        ({"edge_offsets": np.array([0, 2])}, "graph offsets do not cover the edges"),
        ({"tail_offsets": np.array([0, 1])}, "graph offsets do not cover the tails"),
        ({"word_offsets": np.array([0, 1, 1])}, "graph offsets do not cover the words"),
        (
            {"words": np.array([9], dtype=np.int32)},
            "sentence 1, edge 0: word 9 of a vocabulary of 1",
        ),
        ({"feature_offsets": np.array([1, 2])}, "graph offsets do not cover the features"),
        (
            {"feature_ids": np.array([0, 2], dtype=np.uint32)},
            "sentence 1, edge 0: feature ids must ascend and be below 2",
        ),
        (
            {"feature_ids": np.array([1, 0], dtype=np.uint32)},
            "sentence 1, edge 0: feature ids must ascend and be below 2",
        ),
        (
            {"source_spans": np.zeros((2, 2), dtype=np.int32)},
            "graph offsets do not cover the source spans",
        ),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change, message):
    pool = GraphPool.build([[[Edge(("a",), {"lm": 1.0, "tm": 2.0})]]])
    with pytest.raises(TunesmithError) as caught:
        replace(pool, **change).native  # noqa: B018
    assert str(caught.value) == message


def test_a_file_that_is_cut_or_of_another_kind_is_refused(tmp_path):
    path = tmp_path / "pool.bin"
    pool = GraphPool.build([[START]])
    pool.save(path)
    whole = path.read_bytes()
    for size in (0, 10, 100, len(whole) - 1):
        path.write_bytes(whole[:size])
        with pytest.raises(InputError, match=r"pool\.bin"):
            GraphPool.load(path)
    for change in ({"tails": pool.tails.astype(np.int64)}, {"source_spans": pool.words}):
        replace(pool, **change).save(path)
        with pytest.raises(InputError) as caught:
            GraphPool.load(path)
        assert str(caught.value).startswith(f"{path}: array '{next(iter(change))}' of type int")
