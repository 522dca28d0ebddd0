"""`tunesmith tune --grid`: settings by cross-validation, and what it says to bad ones."""

import re

import numpy as np
import pytest

from tunesmith.cli.main import main


@pytest.fixture
def lists(tmp_path):
    """Twelve sentences of five hypotheses; the feature `good` counts the right words."""
    chance = np.random.default_rng(1)
    references, lines = [], []
    for sentence in range(12):
        words = [f"w{sentence}{i}" for i in range(8)]
        references.append(" ".join(words))
        for _ in range(5):
            right = chance.random(8) < 0.7
            text = " ".join(w if r else "x" for w, r in zip(words, right, strict=True))
            noise = chance.normal(size=2)
            lines.append(f"{sentence} ||| {text} ||| good= {right.sum()} noise= {noise[0]} ||| 0")
    (tmp_path / "nbest").write_text("\n".join(lines) + "\n")
    (tmp_path / "refs").write_text("\n".join(references) + "\n")
    (tmp_path / "start").write_text("good\t-1\nnoise\t1\n")
    return [
        "tune",
        *("--nbest", str(tmp_path / "nbest"), "--refs", str(tmp_path / "refs")),
        *("--start", str(tmp_path / "start"), "--out", str(tmp_path / "w.tsv")),
    ]


def test_a_grid(lists, capsys):
    assert main([*lists, "--cv", "3", "--grid", "C=0.0001,0.5", "--grid", "passes=3"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"tried +[\d.]+  C=0.0001 passes=3", out[0])
    assert re.fullmatch(r"tried +[\d.]+  C=0.5 passes=3", out[1])
    assert out[2].split() == ["chosen", "C=0.5", "passes=3"]
    gain = r"held out +([\d.]+)  \(\+[\d.]+ over the first, 95 % interval [-+.\d]+ to [-+.\d]+"
    nested = re.fullmatch(rf"{gain}; settings chosen anew for each half\)", out[8])
    # The same settings without a choice: the estimate that is too friendly.
    assert main([*lists, "--C", "0.5", "--passes", "3"]) == 0
    plain = capsys.readouterr().out.splitlines()
    assert plain[1:5] == out[4:8]
    assert re.fullmatch(rf"{gain}\)", plain[5])
    assert nested


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--grid", "C"], "--grid is 'C', expected KEY=VALUE,VALUE…"),
        (["--grid", "C="], "--grid is 'C=', expected KEY=VALUE,VALUE…"),
        (["--grid", "C=a"], "--C is 'a', expected a number"),
        (["--grid", "C=1", "--grid", "C=2"], "--grid has 'C' twice"),
        (
            ["--grid", "C=1", "--cv", "1"],
            "argument --cv: 1, expected at least 2; see `tunesmith tune --help`",
        ),
        (["--grid", "C=1", "--cv", "13"], "12 sentences cannot be split into 13 parts"),
        (["--cv", "2"], "--cv needs --grid, the values to choose from"),
        (
            ["--grid", "Q=1"],
            "tuner 'kb-mira' has no option 'Q' to search over, expected one of: C, bounds, decay, "
            "fixed, interpolation, passes",
        ),
    ],
)
def test_bad_options(lists, options, message, capsys):
    assert main([*lists, *options]) == 2
    assert capsys.readouterr().err == f"tunesmith tune: {message}\n"


def test_the_help_tells_what_a_loop_sets_otherwise(capsys):
    with pytest.raises(SystemExit):
        main(["tune", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "kb-mira: cap of a step, in standardised units (default: 0.2, 0.02 where the " in text
