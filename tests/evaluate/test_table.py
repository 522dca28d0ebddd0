"""A comparison of systems as text and as JSON."""

import json

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.evaluate import compare_systems
from tunesmith.evaluate.compare import Comparison, SystemScore
from tunesmith.evaluate.table import as_json, as_text
from tunesmith.metrics import Bleu, Wer, parse_metric

FIRST = SystemScore("a", 30.0, 30.01, 28.5, 31.25)
SECOND = SystemScore("longer name", 31.5, 31.49, 30.0, 33.0, 0.0125, 0.04, 0.975)
WHOLE = Comparison("bleu", "nrefs:1", True, (FIRST, SECOND))


def test_everything():
    assert as_text([WHOLE], tests="bootstrap: 9 samples").splitlines() == [
        "bleu            score      95 % interval       diff   p boot    wins   p rand",
        "a               30.00     28.50–31.25",
        "longer name     31.50     30.00–33.00         +1.50   0.0125   97.5%   0.0400",
        "nrefs:1 (higher is better)",
        "",
        "bootstrap: 9 samples",
    ]


def test_without_tests():
    rows = (SystemScore("a", 30.0), SystemScore("b", 29.0))
    assert as_text([Comparison("wer", "s", False, rows)], tests="").splitlines() == [
        "wer          score       diff",
        "a            30.00",
        "b            29.00      -1.00",
        "s (lower is better)",
    ]
    randomised = (rows[0], SystemScore("b", 29.0, randomisation_p=0.5))
    assert as_text([Comparison("wer", "s", False, randomised)], tests="").splitlines()[:3] == [
        "wer          score       diff   p rand",
        "a            30.00",
        "b            29.00      -1.00   0.5000",
    ]
    alone = Comparison("bleu", "s", True, (FIRST,))
    assert as_text([alone, alone], tests="").splitlines() == [
        "bleu         score      95 % interval",
        "a            30.00     28.50–31.25",
        "s (higher is better)",
        "",
        "bleu         score      95 % interval",
        "a            30.00     28.50–31.25",
        "s (higher is better)",
    ]


def test_as_json():
    value = json.loads(as_json([WHOLE], settings={"seed": 3}))
    assert value["seed"] == 3
    (metric,) = value["metrics"]
    assert metric["metric"] == "bleu"
    assert metric["systems"][1]["wins"] == 0.975


def test_comparisons_are_of_the_first_system():
    references = [[f"a b c d {i}" for i in range(40)]]
    good = references[0]
    bad = ["a b c d x"] * 40
    systems = {"bad": bad, "good": good, "same": bad}
    for metric in (Bleu(tokenize="none"), Wer()):
        ((first, better, same),) = (
            compared.systems for compared in compare_systems(systems, references, [metric], seed=2)
        )
        assert first.score == metric.corpus_score(bad, references)
        assert better.score == metric.corpus_score(good, references)
        assert (first.bootstrap_p, first.randomisation_p, first.wins) == (None, None, None)
        assert better.wins == 1.0
        assert better.randomisation_p < 0.001
        assert same.randomisation_p == 1.0
        assert same.wins == 0.5
        for value in (first.low, first.mean, first.high):
            assert value == pytest.approx(first.score)  # all sentences are alike
    (comparison,) = compare_systems(
        systems, references, [Wer()], bootstrap_samples=0, randomisation_trials=0
    )
    assert comparison.metric == "wer"
    assert not comparison.higher_is_better
    assert comparison.signature == Wer().signature(1)
    assert comparison.systems[1] == SystemScore("good", 0.0)
    (both,) = compare_systems(systems, references * 2, [Bleu()], bootstrap_samples=5)
    assert "nrefs:2" in both.signature


def test_one_trial_and_one_sample_are_enough():
    (found,) = compare_systems(
        {"a": ["x y"], "b": ["x"]}, [["x y"]], [Wer()], bootstrap_samples=1, randomisation_trials=1
    )
    assert found.systems[1].randomisation_p == 1.0  # the one exchange is as far away


def test_refused():
    with pytest.raises(OptionError, match="no systems to compare"):
        compare_systems({}, [["a"]], [Bleu()])
    with pytest.raises(OptionError, match="metric 'column:x' takes ready scores, but these outp"):
        compare_systems({"a": ["b"]}, [["a"]], [parse_metric("column:x")])
