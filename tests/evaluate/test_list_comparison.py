"""`compare` on n-best lists: runs by hand, parts of one's own, and what is refused."""

import json

import numpy as np
import pytest

from reference.tiny_lists import write_lists
from tunesmith.cli.main import main
from tunesmith.formats.nbest import read_nbest
from tunesmith.formats.weights import read_weights
from tunesmith.metrics import Bleu
from tunesmith.tune import make_tuner
from tunesmith.tune.pool import read_pool

TUNER = """\
import numpy as np
from tunesmith.tune import Step, Tuner

class Good(Tuner):
    def steps(self, pool, metric, start):
        yield Step(np.eye(len(start))[0], 0.0)

def words(hypothesis, references):
    return len(set(hypothesis.split()) & set(references[0].split()))
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Lists in which the feature `good` counts the right words, for dev and test."""
    monkeypatch.chdir(tmp_path)
    chance = np.random.default_rng(1)
    for name in ("dev", "test"):
        rows, references = ["id,text,good,noise"], []
        for sentence in range(20):
            words = [f"w{sentence}{i}" for i in range(8)]
            references.append(" ".join(words))
            for _ in range(5):
                right = chance.random(8) < 0.7
                text = " ".join(w if r else "x" for w, r in zip(words, right, strict=True))
                rows.append(f"{sentence},{text},{right.sum()},{chance.normal()}")
        (tmp_path / f"{name}.csv").write_text("\n".join(rows) + "\n")
        (tmp_path / f"{name}.en").write_text("\n".join(references) + "\n")
    (tmp_path / "mine.py").write_text(TUNER)
    return tmp_path


def compare(*options, out="o"):
    return main([
        "compare", "--nbest", "dev.csv", "--dev-ref", "dev.en", "--test-nbest", "test.csv",
        "--test-ref", "test.en", "--replicates", "2", "--threads", "1", "--out", out, *options,
    ])  # fmt: skip


def test_runs_are_fits_on_the_lists(folder, capsys):
    assert compare("--tuners", "untuned,kb-mira,mine.py:Good", "--set", "kb-mira.passes=5") == 0
    table = capsys.readouterr().out
    assert "mine.py:Good" in table
    metric = Bleu(tokenize="none")
    pool = read_pool("dev.csv", "dev.en", metric)
    fitted = make_tuner("kb-mira", passes=5).fit(pool, metric)
    run = folder / "o" / "runs" / "own" / "kb-mira,passes=5" / "0"
    assert read_weights(run / "weights.tsv") == pytest.approx(dict(fitted.weights))
    test = read_nbest("test.csv")
    chosen = test.texts_at(test.best(fitted.weights))
    assert (run / "test.out").read_text().splitlines() == chosen
    references = [(folder / "test.en").read_text().splitlines()]
    result = json.loads((run / "result.json").read_text())
    assert result["tests"]["test"] == metric.corpus_score(chosen, references)
    assert result["tune"] == fitted.score
    untuned = folder / "o" / "runs" / "own" / "untuned" / "0" / "test.out"
    assert untuned.read_text().splitlines() == test.texts_at(test.offsets[:-1])
    assert read_weights(folder / "o/runs/own/mine.py:Good/1/weights.tsv")["good"] == 1.0
    # Done runs are read, not done again; another file of the tuner is another run.
    assert compare("--tuners", "untuned,kb-mira,mine.py:Good", "--set", "kb-mira.passes=5") == 0
    assert capsys.readouterr().out == table
    (folder / "mine.py").write_text(TUNER + "# changed\n")
    assert compare("--tuners", "untuned,kb-mira,mine.py:Good", "--set", "kb-mira.passes=5") == 2
    assert "mine.py:Good" in capsys.readouterr().err


def test_a_metric_of_ones_own(folder, capsys):
    assert compare("--tuners", "untuned,mine.py:Good", "--metric", "mine.py:words") == 0
    out = capsys.readouterr().out
    assert "mine.py:words|nrefs:1|file:" in out
    result = json.loads((folder / "o/runs/own/mine.py:Good/0/result.json").read_text())
    test = read_nbest("test.csv")
    best = test.best({"good": 1.0})
    assert result["tests"]["test"] == pytest.approx(test.column("good")[best].mean())


def test_ready_scores_and_references_in_the_lists(folder, capsys):
    """A column is a metric, and no reference is read; one that lists have needs no file."""
    lists = ["compare", "--nbest", "dev.csv", "--test-nbest", "test.csv", "--threads", "1",
             "--replicates", "2", "--tuners", "untuned,mine.py:Good", "--baseline",
             "untuned"]  # fmt: skip
    assert main([*lists, "--out", "no"]) == 2
    assert capsys.readouterr().err == (
        "tunesmith compare: metric bleu needs references: give --dev-ref and --test-ref, or "
        "--ref-column\n"
    )
    for name in ("dev", "test"):
        rows = (folder / f"{name}.csv").read_text().splitlines()
        references = (folder / f"{name}.en").read_text().splitlines()
        scores = [0.8 + float(row.split(",")[2]) / 100 for row in rows[1:]]
        scored = [f"{row},{score},{references[int(row.split(',')[0])]}"
                  for row, score in zip(rows[1:], scores, strict=True)]  # fmt: skip
        text = "\n".join([f"{rows[0]},comet,reference", *scored])
        (folder / f"{name}.csv").write_text(f"{text}\n")
    assert main([*lists, "--metric", "column:comet", "--out", "o"]) == 0
    out = capsys.readouterr().out
    test = read_nbest("test.csv")
    assert "Signature: column:comet\n" in out
    for tuner, rows in (("untuned", test.offsets[:-1]), ("mine.py:Good", test.best({"good": 1.0}))):
        score = test.column("comet")[rows].mean()
        assert f"| {tuner} | 0.8" in out
        assert f" | {score:.4f}" in out
        result = json.loads((folder / f"o/runs/own/{tuner}/0/result.json").read_text())
        assert result["tests"]["test"] == pytest.approx(score, abs=1e-6)
    assert main([*lists, "--ref-column", "reference", "--drop", "comet", "--out", "p"]) == 0
    with_column = capsys.readouterr().out
    assert compare("--drop", "comet", "--tuners", "untuned,mine.py:Good", "--baseline", "untuned",
                   out="q") == 0  # fmt: skip
    of_files = capsys.readouterr().out
    assert with_column.split("## Convergence")[0] == of_files.split("## Convergence")[0]


def test_lower_is_better(folder, capsys):
    assert compare("--tuners", "untuned,kb-mira", "--metric", "wer", "--baseline", "untuned") == 0
    out = capsys.readouterr().out
    assert out.startswith("Test wer is the mean of 2 tuning runs")
    rows = [line.split(" | ") for line in out.splitlines() if line.startswith("| kb-mira")]
    assert " ↑" in rows[0][2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["model"], "--nbest goes with neither a model nor --dev-src nor --test-src"),
        (["--pop-limit", "5"], "--pop-limit is for decoding, and lists are there already"),
        (
            ["--tuners", "lb-mira"],
            "LatticeMira needs a model to decode with, and works on no lists",
        ),
        (["--features", "small"], "features small, but lists have their own only"),
        (
            ["--test-nbest", "dev.csv"],
            "--test-ref is given 1 times, expected 2, as often as --test-nbest",
        ),
        (["--dev-ref", "short"], "short: 4 lines, expected 20, the sentences of dev.csv"),
        (["--tuners", "mine.py:None"], "mine.py: no 'None', expected the tuner of that name"),
    ],
)
def test_refused(folder, options, message, capsys):
    write_lists(folder)
    (folder / "short").write_text("a\nb\nc\nd\n")
    assert compare("--tuners", "kb-mira", *options) == 2
    assert capsys.readouterr().err == f"tunesmith compare: {message}\n"


def test_something_to_compare_on_is_needed(folder, capsys):
    arguments = ["compare", "--dev-ref", "dev.en", "--test-ref", "test.en", "--out", "o"]
    assert main(arguments) == 2
    assert capsys.readouterr().err == (
        "tunesmith compare: nothing to compare on: give a model, --dev-src and --test-src, or "
        "--nbest and --test-nbest\n"
    )
