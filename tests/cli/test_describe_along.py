"""`describe --along`: the score and the objective of a structural SVM along one weight."""

import json
import sys
import xml.dom.minidom

import numpy as np
import pytest
import sacrebleu

from reference.tiny_lists import NBEST, REFERENCES, write_lists
from tunesmith.cli.main import main

WEIGHTS = {"lm": 0.5, "tm_0": 1.0, "tm_1": 2.0, "len": 2.0}
COMMAND = ["describe", "--nbest", "list", "--refs", "ref", "--weights", "w", "--along", "len"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lists(tmp_path)
    (tmp_path / "w").write_text("".join(f"{name}\t{value}\n" for name, value in WEIGHTS.items()))
    return tmp_path


def lists():
    """Texts and features [hypotheses, 4] of every sentence."""
    found = [[] for _ in range(4)]
    for line in NBEST.splitlines():
        number, text, features, _ = line.split(" |||")
        values = [float(word) for word in features.split() if word[-1] != "="]
        found[int(number)].append((text.strip(), values))
    return [([text for text, _ in rows], np.array([v for _, v in rows])) for rows in found]


def bleu(texts):
    return sacrebleu.corpus_bleu(texts, [REFERENCES], tokenize="none").score


def test_scores_and_objectives_are_those_of_the_formula(folder, capsys):
    options = ["--range", "-2", "2", "--points", "9", "--Q", "50", "--l2", "0.1", "10", "--json"]
    assert main([*COMMAND, *options]) == 0
    found = json.loads(capsys.readouterr().out)
    each = lists()
    # Dense features are divided by their spread within the sentences.
    inside = np.vstack([features - features.mean(axis=0) for _, features in each])
    scale = np.sqrt((inside**2).sum(axis=0) / len(inside))
    given = np.array(list(WEIGHTS.values())) * scale
    given /= np.linalg.norm(given)
    assert found["here"] == pytest.approx(given[3], rel=1e-5)
    assert found["values"] == pytest.approx(np.linspace(-2, 2, 9))
    oracle = [
        texts.index(reference) for (texts, _), reference in zip(each, REFERENCES, strict=True)
    ]
    for i, value in enumerate(found["values"]):
        weights = np.array([*given[:3], value])
        rows = [int(np.argmax(features / scale @ weights)) for _, features in each]
        score = bleu([texts[row] for (texts, _), row in zip(each, rows, strict=True)])
        assert found["scores"][i] == pytest.approx(score)
        margin = np.mean([
            (features[best] - features[row]) / scale @ weights
            for (_, features), best, row in zip(each, oracle, rows, strict=True)
        ])  # fmt: skip
        slack = max(0.0, 50 * (100 - score) / 100 - margin)
        for l2 in (0.1, 10.0):
            expected = l2 / 2 * weights @ weights + slack
            assert found["objectives"][f"{l2:g}"][i] == pytest.approx(expected, rel=1e-5)


def test_the_table_and_the_picture(folder, capsys):
    assert main([*COMMAND, "--points", "5", "--plot", "len.svg"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("len: 0.")
    assert lines[1].split("\t") == [
        "weight", "bleu", "objective, l2=0.01", "objective, l2=1", "objective, l2=100",
    ]  # fmt: skip
    assert [line.split("\t")[0] for line in lines[2:7]] == [
        "-4.0000", "-2.0000", "0.0000", "2.0000", "4.0000",
    ]  # fmt: skip
    assert lines[7].startswith("bleu  nrefs:1|")
    xml.dom.minidom.parse("len.svg")
    picture = (folder / "len.svg").read_text()
    assert picture.count('id="series-') == 4
    assert "svm l2=100" in picture


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--along", "nope"], "no dense feature 'nope', expected one of: lm, tm_0, tm_1, len"),
        (["--range", "1", "1"], "--range is 1 1 and --points 81, expected a smaller and a larger"),
        (["--points", "1"], "--range is -4 4 and --points 1, expected a smaller and a larger"),
    ],
)
def test_wrong_options_get_one_line(folder, capsys, options, message):
    assert main([*COMMAND, *options]) == 2
    error = capsys.readouterr().err
    assert error.startswith("tunesmith describe: " + message)
    assert error.count("\n") == 1


def test_a_picture_needs_a_weight(folder, capsys):
    assert main([*COMMAND[:-2], "--plot", "x.svg"]) == 2
    assert "--plot needs --along FEATURE" in capsys.readouterr().err
    assert not (folder / "x.svg").exists()


def test_a_picture_by_its_ending(folder, capsys):
    assert main([*COMMAND, "--points", "3", "--plot", "len.png"]) == 0
    assert (folder / "len.png").read_bytes().startswith(b"\x89PNG")
    capsys.readouterr()
    assert main([*COMMAND, "--plot", "len.pdf"]) == 2
    assert capsys.readouterr().err == (
        "tunesmith describe: len.pdf: the ending '.pdf', expected a name that ends in .svg or "
        ".png\n"
    )


def test_without_the_package_that_draws(folder, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main([*COMMAND, "--plot", "x.svg"]) == 2
    assert capsys.readouterr().err == (
        "tunesmith describe: pictures need the package matplotlib; pip install 'tunesmith[plots]'\n"
    )
    assert not (folder / "x.svg").exists()
