"""`tunesmith.tune`: one call from tables to weights, and what it says to what it cannot use."""

import re
from pathlib import Path

import numpy as np
import pytest

import tunesmith
from reference.tiny_lists import NBEST, REFERENCES, write_lists
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.weights import Weights
from tunesmith.cli.main import main
from tunesmith.metrics import Bleu, parse_metric
from tunesmith.tune import make_tuner
from tunesmith.tune.pool import PoolBuilder, read_pool

ROWS = [
    {"id": number, "text": text, "lm": lm, "tm_0": tm, "tm_1": more, "len": length}
    for number, text, lm, tm, more, length in (
        (int(sentence), text, *map(float, re.findall(r" (-?\d+)", features)))
        for sentence, text, features, _ in (
            line.split(" ||| ") for line in NBEST.replace("|||  |||", "||| -- |||").splitlines()
        )
    )
]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lists(tmp_path)
    return tmp_path


def test_the_same_as_the_command_line(folder, capsys):
    result = tunesmith.tune("list", "ref", seed=3, engine=1)
    assert main(["tune", "--nbest", "list", "--refs", "ref", "--out", "w", "--seed", "3"]) == 0
    assert capsys.readouterr().out.startswith(f"{result.report}\nw (")
    result.save("again")
    assert Path("again").read_text() == Path("w").read_text()
    assert result.choose("list") == REFERENCES
    assert main(["rerank", "--nbest", "list", "--weights", "w"]) == 0
    assert capsys.readouterr().out.splitlines() == REFERENCES


def test_any_lists_and_references(folder):
    expected = tunesmith.tune("list", "ref").weights
    columns = {name: [row[name] for row in ROWS] for name in ROWS[0]}
    for lists in (Path("list"), tunesmith.read_nbest("list"), ["list"], ["list", "list"]):
        assert tunesmith.tune(lists, REFERENCES).weights == pytest.approx(dict(expected))
    rows = tunesmith.tune(ROWS, [REFERENCES]).weights
    assert tunesmith.tune(columns, ("ref",)).weights == rows
    assert tunesmith.tune(ROWS, [Path("ref"), Path("ref2")]).report.held_out is not None


def test_frames(folder):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(ROWS).rename(columns={"id": "segment"})
    frame["reference"] = [REFERENCES[row["id"]] for row in ROWS]
    result = tunesmith.tune(frame, id_column="segment", reference_column="reference", drop="lm")
    assert set(result.weights) == {"tm_0", "tm_1", "len"}
    assert result.choose(frame) == REFERENCES
    assert tunesmith.tune(frame, pandas.Series(REFERENCES), id_column="segment").weights


def test_new_lists_need_no_more_than_features_with_a_weight():
    dev = [{**row, "reference": REFERENCES[row["id"]], "comet": 0.5} for row in ROWS]
    result = tunesmith.tune(dev, reference_column="reference", drop=["comet", "lm"])
    assert set(result.weights) == {"tm_0", "tm_1", "len"}
    new = [{name: value for name, value in row.items() if name != "lm"} for row in ROWS]
    assert result.choose(new) == REFERENCES
    assert result.choose([{**row, "other": "x"} for row in dev]) == REFERENCES
    assert result.rerank(dev).names == ("tm_0", "tm_1", "len")
    chosen = tunesmith.tune(ROWS, REFERENCES, columns=["tm_0", "len"], metric="column:lm")
    assert len(chosen.choose(new)) == 4


def test_metrics_tuners_and_added_features():
    def longest(hypothesis, references):
        return len(hypothesis)

    result = tunesmith.tune(ROWS, REFERENCES, metric=longest, tuner=make_tuner("kb-mert"))
    assert result.report.tuner == "kb-mert"
    assert result.report.oracle == np.mean([max(len(r["text"]) for r in ROWS if r["id"] == i)
                                            for i in range(4)])  # fmt: skip
    again = tunesmith.tune(ROWS, REFERENCES, tuner="random", trials=5, add="length", drop=["len"])
    assert "length" in again.weights
    assert "len" not in again.weights
    assert again.choose(ROWS) == REFERENCES
    assert tunesmith.tune(ROWS, metric="column:len").choose(ROWS)


def test_a_result_is_readable():
    result = tunesmith.tune(ROWS, REFERENCES)
    lines = repr(result).splitlines()
    assert lines[0] == "4 sentences, 10 hypotheses, 4 features"
    assert any(line.startswith("held out ") for line in lines)
    assert any(re.fullmatch(r"len +-?\d\.\d{4}", line) for line in lines)
    sorted_lists = result.rerank(ROWS)
    assert sorted_lists.texts_at(sorted_lists.offsets[:-1]) == REFERENCES
    assert str(result.explain(ROWS, 0)).startswith("sentence 0\nfirst   the cat sat on the mat  (")
    assert str(result.explain(ROWS, "3")).startswith("sentence 3\nfirst   we saw a small house")


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((5, REFERENCES), {}, "a list is an int, expected the name of a file, a DataFrame, "),
        (([], REFERENCES), {}, "no n-best lists"),
        ((ROWS,), {}, "metric bleu needs references"),
        ((ROWS, REFERENCES[:3]), {}, "references: 3 sentences, expected 4, as the list has"),
        ((ROWS, [1, 2, 3, 4]), {}, "references:1: 1, expected a sentence"),
        ((ROWS, 7), {}, "references are an int, expected sentences or files"),
        ((ROWS, set(REFERENCES)), {}, "references are a set, expected sentences or files"),
        ((ROWS, {"a": REFERENCES}), {}, "references are a dict, expected sentences or files"),
        ((ROWS, [b"a"] * 4), {}, "references:1: b'a', expected a sentence"),
        ((ROWS, REFERENCES), {"metric": 3}, "metric int has neither a method 'score' nor 'scores'"),
        ((ROWS, REFERENCES), {"metric": "blue"}, "no metric 'blue', expected one of bleu, "),
        ((ROWS, REFERENCES), {"tuner": 3}, "the tuner is 3, expected its name or a Tuner"),
        ((ROWS, REFERENCES), {"tuner": "lb-mira"}, "lb-mira tunes on search graphs, not on lists"),
        ((ROWS, REFERENCES), {"tuner": "nope"}, "unknown tuner 'nope', expected one of: "),
        ((ROWS, REFERENCES), {"D": 3}, "tuner 'kb-mira' has no option 'D', expected one of: "),
        ((ROWS, REFERENCES), {"C": "x"}, "C is 'x', expected a number"),
        ((ROWS, REFERENCES), {"start": {"nope": 1.0}}, "none of the start weights names a feature"),
        ((ROWS, REFERENCES), {"start": 3}, "start is an int, expected weights or their file"),
        ((ROWS, REFERENCES), {"drop": [3]}, r"drop is \[3\], expected names"),
        ((ROWS, REFERENCES), {"drop": "x"}, "table:1: no column 'x' to leave out"),
        ((ROWS, REFERENCES), {"columns": 3}, "columns is 3, expected names"),
        ((ROWS, REFERENCES), {"add": 3}, "add is 3, expected names"),
        (
            ([{"id": 0, "text": "a"}, {"id": 0, "text": "b"}], ["a"]),
            {},
            "the lists have no features",
        ),
    ],
)
def test_wrong_types_get_our_errors(arguments, options, message):
    with pytest.raises(TunesmithError, match=message):
        tunesmith.tune(*arguments, **options)


def test_results_refuse_wrong_types(folder):
    result = tunesmith.tune(ROWS, REFERENCES, held_out=False)
    assert str(result.explain(ROWS, np.int32(1))).startswith("sentence 1\n")
    for wrong in (1.5, None, [0]):
        with pytest.raises(OptionError, match=r"a sentence is an? \w+, expected its number or "):
            result.explain(ROWS, wrong)
    for wrong in (1, None):
        with pytest.raises(OptionError, match=r"the place to save is an? \w+, expected the name"):
            result.save(wrong)


def test_pools_and_tuners_refuse_wrong_types(folder):
    pool = read_pool("list", "ref", Bleu(tokenize="none"))
    for call in (
        lambda: read_pool("list", "ref", "bleu"),
        lambda: pool.best([1.0, 2.0]),
        lambda: pool.scores("x"),
        lambda: make_tuner("kb-mira").fit("list", Bleu()),
        lambda: make_tuner("kb-mira").fit(pool, "bleu"),
        lambda: tunesmith.read_nbest(None),
        lambda: Bleu().corpus_score(["a"], ["a"]),
        lambda: Bleu().corpus_score("a", [["a"]]),
        lambda: Bleu().corpus_score(["a"], None),
        lambda: PoolBuilder(Bleu(), ["a"]),
        lambda: PoolBuilder(Bleu(), 5),
        lambda: Weights(5),
        lambda: Weights({"lm": "x"}),
        lambda: parse_metric(5),
        lambda: make_tuner(5),
        lambda: tunesmith.tune(ROWS, REFERENCES, engine="x"),
    ):
        with pytest.raises(OptionError, match="expected"):
            call()
    assert pool.best([0.5, 1.0, 2.0, 2.0]).tolist() == [0, 4, 7, 8]


def test_a_list_of_another_kind_is_refused(folder):
    result = tunesmith.tune(ROWS, REFERENCES)
    with pytest.raises(InputError, match="weights of lm, tm_0, tm_1, len, expected names of the"):
        result.choose([{"id": 0, "text": "a", "other": 1.0}])
