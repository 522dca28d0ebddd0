"""Names of metrics, columns of ready scores, and sums."""

import numpy as np
import pytest

from tunesmith.base.errors import OptionError
from tunesmith.metrics import Bleu, Cer, ChrF, Column, Combined, Ter, Wer, parse_metric


@pytest.mark.parametrize(
    ("text", "cls", "name"),
    [
        ("bleu", Bleu, "bleu"),
        ("chrf", ChrF, "chrf"),
        ("chrf++", ChrF, "chrf++"),
        ("ter", Ter, "ter"),
        ("-ter", Ter, "ter"),
        ("wer", Wer, "wer"),
        ("cer", Cer, "cer"),
        ("column:comet-22", Column, "column:comet-22"),
        ("-column:cost", Column, "-column:cost"),
        ("bleu-ter", Combined, "bleu-ter"),
        ("chrf+++bleu", Combined, "chrf+++bleu"),
        ("bleu+0.5*chrf++-2*ter", Combined, "bleu+0.5*chrf++-2*ter"),
        ("bleu-column:edits+column:a+b", Combined, "bleu-column:edits+column:a+b"),
        ("2*bleu", Combined, "2*bleu"),
        ("-0.5*ter+bleu", Combined, "-0.5*ter+bleu"),
    ],
)
def test_names(text, cls, name):
    metric = parse_metric(text)
    assert isinstance(metric, cls)
    assert metric.name == name
    assert parse_metric(metric.name).name == name


KNOWN = "expected one of bleu, chrf, chrf++, ter, wer, cer, column:NAME, or a sum"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", f"no metric '', {KNOWN}"),
        ("blue", f"no metric 'blue', {KNOWN}"),
        ("bleu+meteor", f"no metric 'bleu+meteor', {KNOWN}"),
        ("bleu4-ter", f"no metric 'bleu4' in 'bleu4-ter', {KNOWN}"),
        ("bleu+ter", "metric 'bleu+ter': ter is better when lower, so subtract it"),
        ("ter-bleu", "metric 'ter-bleu': ter is better when lower, so subtract it"),
        ("bleu-chrf", "metric 'bleu-chrf': chrf is better when higher, so add it"),
        ("0*bleu", "the weight of bleu is 0.0, expected above 0"),
        ("column:", "metric 'column:' has no name, expected column:NAME"),
    ],
)
def test_refused(text, message):
    with pytest.raises(OptionError) as error:
        parse_metric(text)
    assert str(error.value) == message


def test_options_reach_the_metrics():
    metric = parse_metric("bleu+chrf-wer", tokenize="none", lowercase=True)
    bleu, chrf, wer = metric.parts
    assert (bleu.tokenize, bleu.lowercase, chrf.lowercase, wer.lowercase) == ("none", *[True] * 3)


def test_a_sum_is_the_sum_of_its_parts():
    hypotheses, references = ["the cat sat", "a dog"], [["the cat sat down", "the dog"]]
    metric = parse_metric("bleu+0.5*chrf-2*ter-column:cost")
    stats = metric.stats(
        hypotheses, None, metric.prepare(references), columns={"cost": [0.25, 0.75]}
    )
    bleu, chrf, ter = (part.corpus_score(hypotheses, references) for part in metric.parts[:3])
    sums = stats.sum(axis=0)
    assert metric.score(sums) == pytest.approx(bleu + 0.5 * chrf - 2 * ter - 100 * 0.5)
    assert metric.gain(sums.astype(float)) == pytest.approx(metric.score(sums) / 100)
    assert [part.shape[1] for part in metric.split(stats)] == [10, 18, 2, 2]
    gains = metric.sentence_gains(stats, "add-1")
    parts = metric.split(stats)
    expected = [
        weight * part.sentence_gains(rows)
        for weight, part, rows in zip(metric.weights, metric.parts, parts, strict=True)
    ]
    assert gains == pytest.approx(sum(expected))


def test_kinds_of_a_sum_are_those_of_its_parts():
    hypotheses, references = ["the cat sat", "a dog"], [["the cat sat down", "the dog"]]
    metric = parse_metric("2*chrf+bleu-ter")
    assert metric.sentence_kinds == Bleu().sentence_kinds
    stats = metric.stats(hypotheses, None, metric.prepare(references))
    chrf, bleu, ter = metric.split(stats)
    for kind in metric.sentence_kinds:
        expected = (
            2 * ChrF().sentence_gains(chrf)
            + Bleu().sentence_gains(bleu, kind)
            + Ter().sentence_gains(ter)
        )
        assert metric.sentence_gains(stats, kind) == pytest.approx(expected)
    values = {kind: tuple(metric.sentence_gains(stats, kind)) for kind in metric.sentence_kinds}
    assert len(set(values.values())) == len(values)


def test_columns_are_exact_and_checked():
    column = Column("x", higher_is_better=False)
    prepared = column.prepare([["", "", ""]])
    values = [0.1, 0.2, 0.3]
    stats = column.stats(["", "", ""], None, prepared, columns={"x": values})
    assert stats.tolist() == [[100000, 1], [200000, 1], [300000, 1]]
    assert column.score(stats.sum(axis=0)) == 0.2
    assert column.sentence_gains(stats).tolist() == [-0.1, -0.2, -0.3]
    assert not column.needs_text
    for columns, message in [
        ({}, "no column 'x' with the hypotheses; there are: none"),
        ({"y": values}, "no column 'x' with the hypotheses; there are: y"),
        ({"x": values[:2]}, "column 'x' has 2 values for 3 hypotheses"),
        (
            {"x": [0, np.nan, 0]},
            "column 'x' of hypothesis 1 is nan, expected a number from -2147 to 2147",
        ),
        (
            {"x": [0, 0, -5000]},
            "column 'x' of hypothesis 2 is -5000.0, expected a number from -2147 to 2147",
        ),
    ]:
        with pytest.raises(OptionError) as error:
            column.stats(["", "", ""], None, prepared, columns=columns)
        assert str(error.value) == message
