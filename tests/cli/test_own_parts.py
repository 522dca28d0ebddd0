"""Tuners and metrics of a user's own, by the name of their file."""

import re

import pytest

from reference.tiny_lists import REFERENCES, write_lists
from tunesmith.cli.main import main
from tunesmith.formats.weights import read_weights

PARTS = '''\
from dataclasses import dataclass

import numpy as np

from tunesmith.base.parameters import parameter
from tunesmith.tune import Step, Tuner


@dataclass
class OneByOne(Tuner):
    """Each feature by itself."""

    size: float = parameter(1.0, "weight of the feature", above=0.0)
    keep_best = True

    def steps(self, pool, metric, start):
        for place in range(len(start)):
            weights = np.zeros(len(start))
            weights[place] = self.size
            yield Step(weights, 0.0)


class Words:
    """Mistakes in the number of words."""

    higher_is_better = False

    def score(self, hypothesis, references):
        return min(abs(len(hypothesis.split()) - len(one.split())) for one in references)


class AllAtOnce:
    def scores(self, hypotheses, references):
        assert len(hypotheses) == len(references)
        return [float(text in known) for text, known in zip(hypotheses, references)]


class Unfinished(Tuner):
    pass


def exact(hypothesis, references):
    return hypothesis in references


def broken(hypothesis, references):
    return 1 / 0


def infinite(hypothesis, references):
    return float("inf")


number = 5
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lists(tmp_path)
    (tmp_path / "parts.py").write_text(PARTS)
    return tmp_path


def tune(*options, refs=("ref",)):
    return main(["tune", "--nbest", "list", "--refs", *refs, "--out", "w", *options])


def test_a_tuner(folder, capsys):
    assert tune("--tuner", "parts.py:OneByOne") == 0
    out = capsys.readouterr().out
    assert "OneByOne" in out
    weights = read_weights("w")
    # The first that is best alone; len ties in no sentence but the last.
    assert [name for name, value in weights.items() if value] == ["len"]
    assert tune("--tuner", "parts.py:OneByOne", "--set", "size=2") == 0
    assert tune("--tuner", "parts.py:OneByOne", "--cv", "2", "--grid", "size=1,2") == 0


@pytest.mark.parametrize(
    ("metric", "oracle"),
    [("parts.py:Words", "0.00"), ("parts.py:AllAtOnce", "1.00"), ("parts.py:exact", "1.00")],
)
def test_a_metric(folder, metric, oracle, capsys):
    assert tune("--metric", metric, refs=("ref", "ref2")) == 0
    out = capsys.readouterr().out
    assert re.search(rf"^oracle +{oracle}0*  ", out, re.MULTILINE)
    assert f"{metric}|nrefs:2|file:" in out
    assert ("(lower is better)" in out) == (metric == "parts.py:Words")
    assert main(["rerank", "--nbest", "list", "--weights", "w", "--out", "best"]) == 0
    assert main(["evaluate", "--hyp", "best", "--refs", "ref", "--metric", metric]) == 0
    if metric != "parts.py:Words":
        assert (folder / "best").read_text().splitlines() == REFERENCES
    assert main(["oracle", "--nbest", "list", "--refs", "ref", "--metric", metric]) == 0


def test_skipped_sentences_keep_their_references(folder, capsys):
    """A metric in Python sees the reference of each sentence, though one before it is empty."""
    lines = (folder / "list").read_text().splitlines(keepends=True)
    (folder / "list").write_text("".join(lines[:3] + lines[6:]))
    assert tune("--metric", "parts.py:exact", "--on-bad-line", "skip", "--no-held-out") == 0
    assert "oracle      1.000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--tuner", "nowhere.py:X"], "nowhere.py: no such file, expected a Python file with a "
         "tuner"),
        (["--tuner", "parts.py:X"], "parts.py: no 'X', expected the tuner of that name"),
        (["--tuner", "parts.py:Words"], "parts.py:Words is no tuner, expected a subclass of "
         "tunesmith.tune.Tuner"),
        (["--tuner", "parts.py:Unfinished"], "parts.py:Unfinished has no method 'steps', which "
         "every tuner has"),
        (["--tuner", "parts.py:OneByOne", "--set", "size=0"],
         "size is 0.0, expected more than 0.0"),
        (["--tuner", "parts.py:OneByOne", "--set", "length=0"],
         "tuner 'parts.py:OneByOne' has no option 'length', expected one of: engine, seed, size"),
        (["--metric", "parts.py:number"], "metric parts.py:number has neither a method 'score' nor "
         "'scores', expected one of them"),
        (["--metric", "parts.py:broken"], "parts.py:47: ZeroDivisionError: division by zero, "
         "expected a number for each hypothesis"),
        (["--metric", "parts.py:infinite"], "column 'parts.py:infinite' of hypothesis 0 is inf, "
         "expected a number from -2147 to 2147"),
        (["--metric", "bad.py:x"], "bad.py:1: invalid syntax, expected valid Python"),
        (["--metric", "worse.py:x"], "worse.py:2: ModuleNotFoundError: No module named 'nope', "
         "expected a file that can be imported"),
    ],
)  # fmt: skip
def test_refused_in_one_line(folder, options, message, capsys):
    (folder / "bad.py").write_text("x = = 1\n")
    (folder / "worse.py").write_text("import sys\nimport nope\n")
    assert tune(*options) == 2
    assert capsys.readouterr() == ("", f"tunesmith tune: {message}\n")
    assert not (folder / "w").exists()


def test_not_by_decoding(folder, capsys):
    (folder / "start").write_text("lm\t1\n")
    arguments = ["--dev-ref", "ref", "--start", "start", "--metric", "parts.py:exact"]
    assert main(["tune", "--decoder", "cat {weights} > {nbest}", "--out", "w", *arguments]) == 2
    assert capsys.readouterr().err == (
        "tunesmith tune: metric parts.py:exact is written in Python and tunes on n-best lists "
        "only, not by decoding\n"
    )
