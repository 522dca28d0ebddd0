"""The verb `graph`, and graphs from `translate`: what a user sees of them."""

import io
import json
import sys

import pytest

from reference.tiny_moses import write_moses_model
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.cli.main import main
from tunesmith.formats.graphs import read_graphs
from tunesmith.formats.nbest import read_nbest
from tunesmith.formats.weights import read_weights
from tunesmith.graph import best

START = [Edge(("the",), {"lm": -1.0, "tm": -0.5}), Edge(("a",), {"lm": -1.5})]
GOAL = [
    Edge((0, "house"), {"lm": -2.0}, (0,)),
    Edge((0, "house"), {"lm": -2.5}, (0,)),
    Edge((0, "home"), {"lm": -3.0}, (0,)),
]


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    GraphPool.build([[START, GOAL], [], [START]]).save("g.bin")
    (tmp_path / "w.tsv").write_text("lm\t1\ntm\t1\n")
    return tmp_path


def test_describe(files, capsys):
    assert main(["graph", "describe", "g.bin"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "sentences    3 (1 without a graph)",
        "nodes        3",
        "edges        7 (lattices; median 2, 0 to 5 a sentence)",
        "derivations  10^0.5 in the median sentence (10^0.3 to 10^0.8)",
        "words        4 different ones",
        "features     2",
        "  lm                               on            7 edges, mean -1.786",
        "  tm                               on            2 edges, mean -0.5",
    ]


def test_nbest_has_distinct_words_or_derivations(files, capsys):
    arguments = ["--weights", "w.tsv", "--out", "list"]
    assert main(["graph", "nbest", "g.bin", *arguments]) == 2
    assert capsys.readouterr().err == (
        "tunesmith graph: sentence 1 has no hypotheses, and a list needs some of every sentence\n"
    )
    GraphPool.build([[START, GOAL], [START]]).save("g.bin")
    assert main(["graph", "nbest", "g.bin", *arguments]) == 0
    lines = [json.loads(line) for line in (files / "list").read_text().splitlines()[1:]]
    assert [(line["id"], line["text"], line["total"]) for line in lines] == [
        (0, "the house", -3.5),
        (0, "a house", -3.5),
        (0, "the home", -4.5),
        (0, "a home", -4.5),
        (1, "the", -1.5),
        (1, "a", -1.5),
    ]
    arguments = ["--weights", "w.tsv", "--duplicates", "--size", "50", "--to", "moses"]
    GraphPool.build([[START, GOAL]]).save("one.bin")
    assert main(["graph", "nbest", "one.bin", *arguments, "--out", "all"]) == 0
    assert read_nbest("all").rows == 6


@pytest.mark.parametrize("format", ["moses", "cdec", "plf"])
def test_convert_there_and_back(files, format):
    main(["graph", "convert", "g.bin", "g.gz", "--to", format])
    main(
        ["graph", "convert", "g.gz", "again.bin", "--from", format, "--names", "lm,tm"][
            : 8 if format == "plf" else 6
        ]
    )
    weights = {"lm": 1.0, "tm": 1.0}
    again = read_graphs("again.bin")
    assert best(again, weights).best_texts() == best(read_graphs("g.bin"), weights).best_texts()


def test_prune_by_words_of_a_reference(files, capsys):
    (files / "ref").write_text("one\n\none two three\n")
    base = ["graph", "prune", "g.bin", "small.bin", "--weights", "w.tsv"]
    assert main([*base, "--density", "3", "--ref", "ref"]) == 0
    assert read_graphs("small.bin").edge_counts().tolist() == [3, 0, 2]
    assert main([*base, "--threshold", "0.1", "--by", "posterior"]) == 0
    (files / "ref").write_text("one\n")
    assert main([*base, "--density", "3", "--ref", "ref"]) == 2
    assert capsys.readouterr().err == "tunesmith graph: ref: 1 lines, expected 3, as graphs\n"


def test_consensus_and_union(files, capsys):
    assert main(["graph", "consensus", "g.bin", "--weights", "w.tsv", "--quiet"]) == 0
    assert capsys.readouterr().out == "the house\n\nthe\n"
    assert main(["graph", "union", "g.bin", "g.bin", "--out", "u.bin"]) == 0
    assert read_graphs("u.bin").edge_counts().tolist() == [5, 0, 2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nbest", "g.bin", "--weights", "other"], "the graphs' feature 'lm' has no weight "
         "(there are: x)"),
        (["prune", "g.bin", "o", "--weights", "w.tsv"], "neither density nor threshold is given"),
        (["describe", "missing"], "missing: cannot be read: No such file or directory"),
        (["describe", "other"], "other:1: a line of no known graph format, expected one of: "
         "tunesmith, moses, cdec, plf"),
        (["convert", "g.bin", "-"], "graphs of Tunesmith's own need a file, not standard output"),
        (["describe", "cut.bin"], "cut.bin: "),
    ],
)  # fmt: skip
def test_what_is_refused(files, arguments, message, capsys):
    (files / "other").write_text("x\t1\n")
    (files / "cut.bin").write_bytes((files / "g.bin").read_bytes()[:900])
    assert main(["graph", *arguments]) == 2
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith(f"tunesmith graph: {message}")


def test_translate_writes_graphs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    write_moses_model(tmp_path)
    assert main(["import", "moses.ini", "--out", "model", "--quiet"]) == 0
    lines = ["das haus ist klein", "", "haus wort7"] * 100
    for options, path in (
        (["--graph-density", "0"], "all.bin"),
        (["--graph-format", "moses"], "t"),
    ):
        data = "".join(f"{line}\n" for line in lines).encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        capsys.readouterr()
        assert main(["translate", "model", "--graph-out", path, *options]) == 0
        out = capsys.readouterr().out.splitlines()
        pool = read_graphs(path)
        assert len(pool) == 300
        weights = dict.fromkeys(pool.names, 0.0) | dict(read_weights("model/weights.tsv"))
        assert best(pool, weights).best_texts() == out
    assert main(["translate", "model", "--graph-out", "x", "--graph-density", "nan"]) == 2
    assert capsys.readouterr().err == (
        "tunesmith translate: argument --graph-density: 'nan', expected a number; "
        "see `tunesmith translate --help`\n"
    )
