"""Graphs in text that are broken: every file is read as graphs or refused with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graph_files import CDEC, MOSES, PLF
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.formats.graphs import read_graphs

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
        ("((('a',1,1),),", "the end of the line, expected '('"),
        ("((('a',1,1", "the end of the line, expected ',' or ')'"),
        ("((('a", "a word whose quotes are not closed, expected a quote behind it"),
        ("((a,1,1),)", "'a' at character 3, expected '('"),
        ("(((家,1,1),),)", "'家' at character 4, expected a word in quotes"),
        ("((('家',1)('a',1)))", "'(' at character 10, expected ',' or ')'"),
        ("((('a'),),)", "no number behind 'a', expected ('word', number, …, distance)"),
        ("((('a',x,1),),)", "'x', expected a number"),
        ("((('a',1x,1),),)", "'1x', expected a number"),
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
        ("((('a',1,1),),) x", "'x' at character 17, expected the end of the line"),
        ("hello", "'hello' at character 1, expected '('"),
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
