"""Graphs in text: what other systems write is read, what we write is read back."""

import gzip
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graphs import NAMES, derivations, graphs, lattices, weight_vectors
from tunesmith.base.errors import InputError, OptionError, TunesmithError
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

PLF = """((('einen',1.0,1),),(('wettbewerbsbedingten',0.5,2),('wettbewerbs',0.25,1),\
('wettbewerb',0.25,1),),(('bedingten',1.0,1),),(('preissturz',0.5,2),('preis',0.5,1),),\
(('sturz',1.0,1),),)
"""


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


MOSES = """\
0 hyp=0 stack=0 forward=36 fscore=-113.419
0 hyp=21 stack=1 back=0 score=-7.5 transition=-7.5 forward=983 fscore=-8.85446 covered=1-1 out=ein
0 hyp=33 stack=1 back=0 score=-11 transition=-11 recombined=21 forward=983 fscore=-8.85446 \
covered=1-1 out=noch ein
0 hyp=40 stack=3 back=21 score=-9 transition=-1.5 forward=-1 fscore=0 covered=0-0 out=Haus
0 hyp=41 stack=3 back=21 score=-9.5 transition=-2 forward=-1 fscore=0 covered=2-3 out=
"""


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


CDEC = """{"rules":[1,"[X] ||| ein ||| a",2,"[S] ||| [X,1] [X,2] ||| [2] und [1] ||| f=1"],\
"features":["p","q"],"edges":[{"tail":null,"feats":[0,1.5,"Extra",2],"rule":1}],\
"node":{"in_edges":[0],"cat":"X"},"edges":[{"tail":[],"spans":[1,2,-1,-1],"feats":null,\
"rule":"[X] ||| b"}],"node":{"in_edges":[1]},"is_sorted":true,\
"edges":[{"tail":[0,1],"feats":[1,-0.5],"rule":2}],"node":{"in_edges":[2],"cat":"S"}}
"""


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
    write_graphs(path, GraphPool.build(sentences, NAMES), "cdec", threads=2)
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


# --- broken files ----------------------------------------------------------------------------

GOOD = "0 hyp=1 stack=1 back=0 transition=-1 forward=2 fscore=0 covered=0-0 out=a\n"
END = "0 hyp=2 stack=2 back=1 transition=-1 forward=-1 fscore=0 covered=1-1 out=b\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (GOOD + "0 hyp=2 stack=2\n", "2: no back=, expected sentence hyp=… stack=… back=… "
         "transition=… forward=… covered=… out=…; is the line cut off?"),
        (END, "1: hypothesis 1 is a tail that no edge leads to, expected a graph without such "
         "tails"),
        ("0 hyp=1 stack=1 back=3 transition=0 forward=2 out=a\n"
         "0 hyp=3 stack=1 back=1 transition=0 forward=2 out=a\n" + END,
         "2: hypothesis 1 is made from itself, expected a graph without cycles"),
        (GOOD + GOOD, "2: hyp=1 again, expected each hypothesis once"),
        (GOOD.replace("-1 f", "nan f"), "1: feature 'transition' is nan, expected a finite number"),
        (GOOD.replace("-1 f", "1e99 f"),
         "1: feature 'transition' is infinite, expected a finite number"),
        (GOOD.replace("-1 f", "x f"), "1: transition=x, expected a number"),
        (GOOD.replace("hyp=1", "hyp=1.5"), "1: hyp=1.5, expected a whole number from 0 on"),
        (GOOD.replace("hyp=1", "hyp=-1"), "1: hyp=-1, expected a whole number from 0 on"),
        (GOOD.replace("back=0", "back=3e9"), "1: back=3e9, expected a whole number from 0 on"),
        ("-1" + GOOD[1:], "1: sentence=-1, expected a whole number from 0 on"),
        (GOOD.replace("0-0", "0-x"), "1: covered=x, expected a number"),
        ("1" + GOOD[1:] + GOOD, "2: sentence 0 after 1, expected sentences in order"),
        ("0 hyp=0 stack=0\n3000000" + GOOD[1:],
         "2: sentence 3000000 after 0, expected at most a million sentences left out"),
        ("one hyp=0\n", "1: sentence=one, expected a number"),
        ("0 hyp=0\n0 stack 1\n", "2: 'stack', expected sentence hyp=… stack=… back=… transition=… "
         "forward=… covered=… out=…"),
        ('0 hyp=1 back=0 forward=-1 scores="core=(1,2) out="a|b"\n', "1: scores=\" without an "
         "end, expected scores=\"…\" out=\"…\""),
        ('0 hyp=1 back=0 forward=-1 scores="core=(1,2" out="a|b"\n',
         "1: 'core=(1,2', expected core=(number,…)"),
        ('0 hyp=1 back=0 forward=-1 scores="core=(1,x)" out="a|b"\n',
         "1: core=x, expected a number"),
        ('0 hyp=1 back=0 forward=-1 scores="lm=1 lm=2" out="a|b"\n',
         "1: feature 'lm' twice, expected each feature once"),
        ('0 hyp=1 back=0 forward=-1 scores="lm" out="a|b"\n',
         "1: 'lm' among the scores, expected name=number"),
        ('0 hyp=1 back=0 forward=-1 scores="lm=1" out="a"\n',
         "1: out='a', expected out=\"source|words\""),
        (b"0 hyp=0 stack=0\n0 hyp=1 \xff\n", "2: invalid UTF-8 at byte 9, expected UTF-8"),
    ],
)  # fmt: skip
def test_broken_search_graphs_of_moses(text, message, tmp_path):
    path = tmp_path / "graph"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_graphs(path, "moses")
    assert str(caught.value) == f"{path}:{message}"


NODE = '"edges":[{"tail":[],"feats":[],"rule":"[X] ||| a"}],"node":{"in_edges":[0]}'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", 'no JSON object, expected {"rules":[…],…}'),
        ('{"nodes":[]}', "key 'nodes', expected one of: rules, features, edges, node, is_sorted"),
        ('{"rules":[1,2]}', 'rule 1 is no string, expected "[X] ||| … ||| …"'),
        ('{"rules":["a"]}', "a rule's number that is no whole number, expected a number from 0 on"),
        ('{"rules":[1]}', "rule 1 without text, expected number, text, …"),
        ('{"features":{"a":1}}', "'features' that is no list, expected […] or null"),
        ('{"features":[1]}', 'a feature name that is no string, expected "name"'),
        ('{"edges":[1]}', 'an edge that is no object, expected {"tail":[…],…}'),
        ('{"node":[]}', 'a node that is no object, expected {"in_edges":[…]}'),
        (
            '{"node":{"in_edges":[0]}}',
            "edge 0 of node 0, expected one of the 0 edges before the node",
        ),
        (
            "{" + NODE + ',"node":{"in_edges":[0]}}',
            "edge 0 in two nodes, expected one head per edge",
        ),
        ('{"edges":[{}],"node":{"in_edges":[]}}', "edge 0 of no node, expected one head per edge"),
        (
            '{"edges":[{"tail":[0],"rule":"[X] ||| [1]"}],"node":{"in_edges":[0]}}',
            "node 0 is made from itself, expected a graph without cycles",
        ),
        (
            '{"edges":[{"tail":[3]}],"node":{"in_edges":[0]}}',
            "tail 3 of edge 0, expected one of the 1 nodes",
        ),
        (
            '{"node":{"in_edges":[]},"edges":[{"tail":[0]}],"node":{"in_edges":[0]}}',
            "node 0 is a tail that no edge leads to, expected a graph without such tails",
        ),
        (
            '{"edges":[{"rule":4}],"node":{"in_edges":[0]}}',
            "rule 4, expected one of the forest's rules",
        ),
        (
            '{"edges":[{"rule":"a"}],"node":{"in_edges":[0]}}',
            "rule 'a', expected [X] ||| source ||| target",
        ),
        (
            '{"edges":[{"rule":"[X] ||| [1]"}],"node":{"in_edges":[0]}}',
            "'[1]' in the rule of edge 0, expected each of its 0 tails once",
        ),
        (
            "{" + NODE + ',"edges":[{"tail":[0],"rule":"[X] ||| a"}],"node":{"in_edges":[1]}}',
            "0 places for tails in the rule of edge 1, expected each of its 1 tails once",
        ),
        (
            '{"edges":[{"color":1}],"node":{"in_edges":[0]}}',
            "key 'color' of an edge, expected one of: tail, spans, feats, rule",
        ),
        (
            '{"edges":[{"feats":[-1,1]}],"node":{"in_edges":[0]}}',
            "a feature that is no whole number, expected a number from 0 on",
        ),
        (
            '{"edges":[{"tail":[-1]}],"node":{"in_edges":[0]}}',
            "a tail that is no whole number, expected a number from 0 on",
        ),
        (
            '{"edges":[{}],"node":{"in_edges":[-1]}}',
            "an edge's number that is no whole number, expected a number from 0 on",
        ),
        (
            '{"edges":[{"spans":[0,1e30]}],"node":{"in_edges":[0]}}',
            "a span that is no whole number, expected a number from -1 on",
        ),
        (
            '{"edges":[{"feats":[0,1]}],"node":{"in_edges":[0]}}',
            "feature 0, expected one of the 0 names",
        ),
        (
            '{"edges":[{"feats":["lm"]}],"node":{"in_edges":[0]}}',
            "feature 'lm' without a number, expected name, number, …",
        ),
        (
            '{"edges":[{"feats":["lm",NaN]}],"node":{"in_edges":[0]}}',
            "feature 'lm' is nan, expected a finite number",
        ),
        (
            '{"edges":[{"feats":["lm",1,"lm",2]}],"node":{"in_edges":[0]}}',
            "feature 'lm' twice, expected each feature once",
        ),
    ],
)
def test_broken_forests_of_cdec(text, message, tmp_path):
    path = tmp_path / "forest"
    path.write_text("\n" + text + "\n")
    with pytest.raises(InputError) as caught:
        read_graphs(path, "cdec")
    assert str(caught.value) == f"{path}:2: {message}"


@pytest.mark.parametrize("cut", [1, 20, 100, 200, len(CDEC) - 3])
def test_forests_that_are_cut_off(cut, tmp_path):
    path = tmp_path / "forest"
    path.write_text(CDEC[:cut])
    with pytest.raises(InputError, match=r"forest:1: "):
        read_graphs(path, "cdec")
    folder = tmp_path / "forests"
    folder.mkdir()
    (folder / "0.json").write_text(CDEC[:cut])
    with pytest.raises(InputError) as caught:
        read_graphs(folder)
    assert str(caught.value) == (
        f"{folder / '0.json'}:1: no JSON, expected a forest; is the file cut off?"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("((('a',1,1),),", "the end of the line at column 15, expected '('; is the line cut off?"),
        ("((('a',1,1", "the end of the line at column 11, expected ',' or ')'; "
         "is the line cut off?"),
        ("((('a", "the end of the line at column 6, expected the end of the word; "
         "is the line cut off?"),
        ("((a,1,1),)", "'a,1,1),)' at column 3, expected '(' before a word"),
        ("(((a,1,1),),)", "'a,1,1),),)' at column 4, expected a word in quotes"),
        ("((('a'),),)", "',),)' at column 8, expected ('word', number, …, distance) before it"),
        ("((('a',x,1),),)", "'x,1),),)' at column 8, expected a number"),
        ("((('a',1,0),),)", "distance 0 of an arc of node 0, expected a whole number from 1 on, "
         "or nodes are not in order"),
        ("((('a',1,1.5),),)", "distance 1.5 of an arc of node 0, expected a whole number from 1 "
         "on, or nodes are not in order"),
        ("((('a',nan,1),),)", "feature 'Feature_0' is nan, expected a finite number"),
        ("((),)", "node 0 without arcs, expected one at least"),
        ("((('a',1,2),),)", "an arc to node 2, expected node 1, the one behind the last, as the "
         "furthest"),
        ("((('a',1,2),),(('b',1,1),),)", "node 1 is a tail that no edge leads to, expected a graph "
         "without such tails"),
        ("((('a b',1,1),),)", "word 'a b', expected a word without blanks"),
        ("((('a',1,1),),) x", "'x' at column 17, expected the end of the line"),
        ("hello", "'hello' at column 1, expected '('"),
    ],
)  # fmt: skip
def test_broken_lattices(text, message, tmp_path):
    path = tmp_path / "lattice"
    path.write_text("()\n\n" + text + "\n")
    with pytest.raises(InputError) as caught:
        read_graphs(path, "plf")
    assert str(caught.value) == f"{path}:3: {message}"


def test_files_that_are_no_graphs(tmp_path):
    path = tmp_path / "x"
    for content, message in [
        ("\n\n", f"{path}: nothing but blank lines, expected graphs; name the format"),
        ("a house\n", f"{path}:1: a line of no known graph format, expected one of: tunesmith, "
         "moses, cdec, plf"),
    ]:  # fmt: skip
        path.write_text(content)
        with pytest.raises(InputError) as caught:
            read_graphs(path)
        assert str(caught.value) == message
    with pytest.raises(InputError) as caught:
        read_graphs(path, "tunesmith")
    assert str(caught.value) == f"{path}: no graphs of Tunesmith's own; is it text? say which"
    with pytest.raises(InputError, match="no forests, expected files"):
        read_graphs(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read_graphs(tmp_path / "missing")
    with pytest.raises(OptionError, match="format is 'pdf', expected one of"):
        read_graphs(path, "pdf")
    path.write_text('0 hyp=1 back=0 forward=-1 scores="core=(1,2)" out="a|b"\n')
    with pytest.raises(InputError, match="2 core scores, expected 1, as many as there are names"):
        read_graphs(path, names=["lm"])


def is_read_or_refused(path, format="auto"):
    """Whole graphs, which can be kept and read again; or a message that begins with the file."""
    refusal = ""
    try:
        pool = read_graphs(path, format)
    except InputError as error:
        refusal = str(error)
    if refusal:
        assert refusal.startswith(f"{path}:")
        return
    copy = path.with_name("copy")
    pool.save(copy)
    again = GraphPool.load(copy)
    assert again.native is not None
    assert [list(graph) for graph in again] == [list(graph) for graph in pool]


@given(data=st.binary(max_size=200), format=st.sampled_from(["moses", "cdec", "plf", "auto"]))
def test_any_bytes_are_read_or_refused(data, format, tmp_path_factory):
    path = tmp_path_factory.mktemp("g") / "x"
    path.write_bytes(data)
    is_read_or_refused(path, format)


@given(data=st.data(), which=st.sampled_from([MOSES, CDEC, PLF]))
def test_damaged_files_are_read_or_refused(data, which, tmp_path_factory):
    path = tmp_path_factory.mktemp("g") / "x"
    text = bytearray(which.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        text[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    path.write_bytes(bytes(text))
    is_read_or_refused(path)
