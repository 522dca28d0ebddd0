"""Graphs in text: what other systems write is read, what we write is read back."""

import gzip
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graph_files import CDEC, MOSES, PLF
from reference.graphs import NAMES, derivations, graphs, lattices, weight_vectors
from tunesmith.base.errors import OptionError, TunesmithError
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.formats.graphs import read_graphs, write_graphs


def keys(found):
    """Derivations as words and features, without zeros."""
    return sorted(
        (d.words, tuple(sorted((k, v) for k, v in d.features.items() if v))) for d in found
    )


def left_to_right(nodes):
    """The same lattice with the words of a tail always first."""
    return [
        [
            Edge(
                (*range(len(e.tails)), *(w for w in e.words if w != 0)), e.features, e.tails, e.span
            )
            for e in edges
        ]
        for edges in nodes
    ]


words_lattices = lattices(nodes=5).map(left_to_right)


# --- what other systems write ---------------------------------------------------------------


def test_the_lattice_of_the_moses_manual(tmp_path):
    path = tmp_path / "lattice.plf"
    path.write_text(PLF)
    pool = read_graphs(path)
    texts = sorted(" ".join(d.words) for d in derivations(pool[0]))
    assert texts == [
        "einen wettbewerb bedingten preis sturz",
        "einen wettbewerb bedingten preissturz",
        "einen wettbewerbs bedingten preis sturz",
        "einen wettbewerbs bedingten preissturz",
        "einen wettbewerbsbedingten preis sturz",
        "einen wettbewerbsbedingten preissturz",
    ]
    assert pool.names == ("Feature_0",)
    assert read_graphs(path, names=["p"]).names == ("p",)


def test_a_search_graph_of_moses(tmp_path):
    path = tmp_path / "graph"
    path.write_text(MOSES)
    pool = read_graphs(path)
    assert list(pool[0]) == [
        [
            Edge(("ein",), {"transition": -7.5}, (), (1, 2)),
            Edge(("noch", "ein"), {"transition": -11.0}, (), (1, 2)),
        ],
        [
            Edge((0, "Haus"), {"transition": -1.5}, (0,), (0, 1)),
            Edge((0,), {"transition": -2.0}, (0,), (2, 4)),
        ],
    ]


@pytest.mark.parametrize(
    ("line", "words", "features"),
    [
        (
            'covered=4-4 scores="core=(0,-1,2.5) WT_die~the=1" out="Inflation|the inflation"',
            ("the", "inflation"),
            {"d": 0.0, "w": -1.0, "lm": 2.5, "WT_die~the": 1.0},
        ),
        ('covered=4-4 scores="core=(1,0,0) " out="|"|"', ('"|',), {"d": 1.0}),
        (
            "covered=4-4 [ w: -2 u: 0 d: -4 0 1.5 lm: -10.5 ] out=die inflation , pC=-1, c=-1",
            ("die", "inflation"),
            {"w": -2.0, "d_0": -4.0, "d_2": 1.5, "lm": -10.5},
        ),
    ],
)
def test_extended_search_graphs_of_new_and_old_versions(line, words, features, tmp_path):
    path = tmp_path / "graph"
    path.write_text(f"0 hyp=37 stack=1 back=0 score=-1 transition=-1 forward=-1 fscore=0 {line}\n")
    [[edge]] = read_graphs(path, names=["d", "w", "lm"])[0]
    assert edge.words == words
    assert edge.features == {name: value for name, value in features.items() if value}


def test_a_forest_of_cdec(tmp_path):
    path = tmp_path / "forest.json"
    path.write_text(CDEC + "\n" + CDEC)
    pool = read_graphs(path)
    expected = [
        [Edge(("a",), {"p": 1.5, "Extra": 2.0})],
        [Edge(("b",), {}, (), (1, 2))],
        [Edge((1, "und", 0), {"q": -0.5}, (0, 1))],
    ]
    assert [list(graph) for graph in pool] == [expected, [], expected]
    folder = tmp_path / "forests"
    folder.mkdir()
    for number in (0, 2):
        (folder / f"{number}.json.gz").write_bytes(gzip.compress(CDEC.encode()))
    (folder / "README").write_text("not a forest")
    assert [list(graph) for graph in read_graphs(folder)] == [expected, [], expected]


# --- what we write is read back --------------------------------------------------------------


@given(sentences=st.lists(graphs() | st.just([]), min_size=1, max_size=3))
def test_cdec_gives_back_every_graph(sentences, tmp_path_factory):
    path = tmp_path_factory.mktemp("g") / "graphs.json"
    write_graphs(path, GraphPool.build(sentences, NAMES), "cdec", engine=2)
    again = read_graphs(path, "cdec")
    assert [keys(derivations(g)) for g in again] == [keys(derivations(g)) for g in sentences]
    assert all(e.span == (n, n + 1) for s in sentences for n, es in enumerate(s) for e in es if n)


@given(sentences=st.lists(words_lattices, min_size=1, max_size=3), weights=weight_vectors())
def test_moses_gives_back_every_lattice(sentences, weights, tmp_path_factory):
    path = tmp_path_factory.mktemp("g") / "graphs.gz"
    write_graphs(path, GraphPool.build(sentences, NAMES), "moses", weights=weights)
    again = read_graphs(path)
    assert [keys(derivations(g)) for g in again] == [keys(derivations(g)) for g in sentences]
    # The scores that Moses' tools look at: every line's is that of the best way through it.
    best = [max(d.score(weights) for d in derivations(g)) for g in sentences]
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        fields = dict(f.split("=", 1) for f in line.split(" scores=")[0].split()[1:])
        sentence = int(line.split()[0])
        assert float(fields["fscore"]) + float(fields.get("score", 0)) <= best[sentence] + 1e-4
        if fields["hyp"] == "0":
            assert float(fields["fscore"]) == pytest.approx(best[sentence], abs=1e-4)


@given(sentences=st.lists(words_lattices | st.just([]), min_size=1, max_size=3))
def test_plf_gives_back_every_lattice(sentences, tmp_path_factory):
    path = tmp_path_factory.mktemp("g") / "graphs.plf"
    write_graphs(path, GraphPool.build(sentences, NAMES), "plf")
    again = read_graphs(path, "plf", names=NAMES)
    again.native  # noqa: B018 - the check
    assert [keys(derivations(g)) for g in again] == [keys(derivations(g)) for g in sentences]


@given(graph=words_lattices, weights=weight_vectors())
def test_plf_with_weights_has_one_number(graph, weights, tmp_path_factory):
    path = tmp_path_factory.mktemp("g") / "graphs.plf"
    write_graphs(path, GraphPool.build([graph], NAMES), "plf", weights=weights)
    found = sorted(
        (d.words, d.score({"s": 1.0})) for d in derivations(read_graphs(path, names=["s"])[0])
    )
    expected = sorted((d.words, d.score(weights)) for d in derivations(graph))
    assert [words for words, _ in found] == [words for words, _ in expected]
    for (_, one), (_, other) in zip(found, expected, strict=True):
        assert math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-5)


ODD = ["'", "\\", '"', "|", "|||", "[1]", "[X,1]", "out=", "a=b", "&", "é", "日本", "*EPS*x", ")"]


@pytest.mark.parametrize("word", ODD)
@pytest.mark.parametrize("format", ["moses", "cdec", "plf"])
def test_odd_words_survive_or_are_refused(word, format, tmp_path):
    path = tmp_path / "graphs"
    pool = GraphPool.build([[[Edge((word, "x"), {"lm": 0.1})], [Edge((0, word), {}, (0,))]]])
    if format == "cdec" and word in ("|||", "[1]", "[X,1]"):
        with pytest.raises(OptionError) as caught:
            write_graphs(path, pool, format)
        assert str(caught.value) == f"sentence 1: word '{word}', which cdec's format cannot hold"
        assert not path.exists()
        return
    write_graphs(path, pool, format)
    names = ["lm"] if format == "plf" else []
    [derived] = derivations(read_graphs(path, format, names=names)[0])
    assert derived.words == (word, "x", word)


def test_in_text_the_features_of_templates_are_sparse(tmp_path):
    features = {"pair:a_b": 1.0, "lm": -2.0, "a_b": 3.0, "length:2": 4.0}
    write_graphs(tmp_path / "g.json", GraphPool.build([[[Edge(("a",), features)]]]), "cdec")
    pool = read_graphs(tmp_path / "g.json")
    assert pool.dense_names == ("lm", "a_b")
    assert pool.sparse_names == ("pair:a_b", "length:2")
    assert [edge.features for node in pool[0] for edge in node] == [features]
    # Our own file says what is dense, whatever it is called.
    write_graphs(tmp_path / "own.bin", pool.with_features(pool.names, 3))
    assert read_graphs(tmp_path / "own.bin").sparse_names == ("length:2",)


def test_our_own_files(tmp_path):
    path = tmp_path / "graphs.bin"
    pool = GraphPool.build([[], [[Edge(("a",), {"lm": 1.5})]]])
    write_graphs(path, pool)
    for format in ("auto", "tunesmith"):
        assert [list(g) for g in read_graphs(path, format)] == [list(g) for g in pool]
    with pytest.raises(OptionError, match="need a file, not standard output"):
        write_graphs("-", pool)


def test_graphs_that_a_format_cannot_hold_are_refused(tmp_path):
    two = GraphPool.build([[], [[Edge(("a",))], [Edge((0, 1), tails=(0, 0))]]])
    before = GraphPool.build([[[Edge(("a",))], [Edge(("b", 0), tails=(0,))]]])
    ten = GraphPool.build([[[Edge(("a",))], [Edge(tuple(range(10)), tails=(0,) * 10)]]])
    blank = GraphPool.build([[[Edge(("a",), {"my lm": 1.0})]]])
    broken = GraphPool.build([[[Edge(("a",), {"lm": float("nan")})]]])
    for pool, format, message in [
        (two, "moses", "sentence 2: an edge of 2 tails, which Moses' format cannot hold; "
         "lattices only"),
        (two, "plf", "sentence 2: an edge of 2 tails, which PLF cannot hold; lattices only"),
        (before, "plf", "sentence 1: an edge with words before its tail's, which PLF cannot hold"),
        (ten, "cdec", "sentence 1: an edge of 10 tails, which cdec's format cannot hold; "
         "at most 9"),
        (blank, "moses", "sentence 1: feature 'my lm', which Moses' format cannot hold"),
        (two, "odt", "format is 'odt', expected one of: tunesmith, moses, cdec, plf"),
        (
            broken,
            "tunesmith",
            "sentence 1, edge 0: feature 'lm' is nan, expected a finite number",
        ),
    ]:  # fmt: skip
        with pytest.raises(TunesmithError) as caught:
            write_graphs(tmp_path / "x", pool, format)
        assert str(caught.value) == message
        assert list(tmp_path.iterdir()) == []
