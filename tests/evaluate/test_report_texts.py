"""What a report says of translations, held against sacreBLEU and against counting by hand."""

import numpy as np
import pytest
import sacrebleu

from tunesmith.base.errors import OptionError
from tunesmith.evaluate.report import as_html, output_report
from tunesmith.evaluate.report.parts import Picture, SentencesPart, TablePart
from tunesmith.evaluate.report.run_data import Translations
from tunesmith.evaluate.report.text_sections import length_picture, precision_parts, score_table
from tunesmith.evaluate.report.text_stats import TextStats, furthest, most_changed
from tunesmith.metrics import Bleu, Wer

WORDS = ["the", "a", "dog", "cat", "house", "runs", "sees", "small", "in", "of", "and", "red"]


def texts(systems=2, size=60, seed=3, runs=1):
    """References of 1 to 40 words, and outputs in which some words are others."""
    chance = np.random.default_rng(seed)
    references = [
        " ".join(chance.choice(WORDS, size=1 + i % 40).tolist()) + " ." for i in range(size)
    ]

    def spoilt(rate):
        return [
            " ".join(w if chance.random() > rate else WORDS[chance.integers(len(WORDS))]
                     for w in line.split())
            for line in references
        ]  # fmt: skip

    outputs = {f"s{i}": [spoilt(0.1 * (i + 1)) for _ in range(runs)] for i in range(systems)}
    return Translations("news", Bleu(tokenize="none"), [references], outputs)


def sacre(output, references):
    return sacrebleu.corpus_bleu(output, references, tokenize="none", force=True)


def test_precisions_are_sacrebleus():
    given = texts()
    stats = TextStats(given, 0, engine=1)
    for name, [output] in given.outputs.items():
        expected = sacre(output, given.references)
        shares, brevity, ratio = stats.precisions(name)
        assert shares == pytest.approx(expected.precisions)
        assert brevity == pytest.approx(expected.bp)
        assert ratio == pytest.approx(expected.sys_len / expected.ref_len)
        assert stats.scores(name) == [pytest.approx(expected.score)]
    table, picture = precision_parts(stats)
    assert [row[0] for row in table.rows] == ["s0", "s1"]
    assert [point.y for point in picture.chart.series["s0"]] == pytest.approx(
        sacre(given.outputs["s0"][0], given.references).precisions
    )
    assert picture.chart.from_zero


def test_other_metrics_have_no_precisions():
    given = texts()
    stats = TextStats(Translations("n", Wer(), given.references, given.outputs), 0, engine=1)
    assert stats.precisions("s0") is None
    assert precision_parts(stats) == []


def test_scores_by_length_are_those_of_these_sentences():
    given = texts()
    stats = TextStats(given, 20, engine=1)
    buckets = stats.by_length()
    assert [label for label, _ in buckets] == [
        "1–5", "6–10", "11–15", "16–20", "21–30", "31–40", "41–60",
    ]  # fmt: skip
    assert sum(int(here.sum()) for _, here in buckets) == given.size
    chart = length_picture(stats).chart
    [output] = given.outputs["s1"]
    for x, (label, here) in enumerate(buckets):
        chosen = [i for i in range(given.size) if here[i]]
        low, high = map(int, label.split("–"))
        assert all(low <= len(given.references[0][i].split()) <= high for i in chosen)
        expected = sacre([output[i] for i in chosen], [[given.references[0][i] for i in chosen]])
        point = chart.series["s1"][x]
        assert point.x == x
        assert point.y == pytest.approx(expected.score)
        assert point.low <= point.y <= point.high or len(chosen) < 5
    assert chart.groups[0] == f"1–5\n{int(buckets[0][1].sum())}"


def test_a_long_sentence_and_an_empty_one_have_their_lengths():
    given = Translations(
        "t", Bleu(tokenize="none"), [["", "w " * 99]], {"a": [["x", "w"]]}
    )  # fmt: skip
    labels = [(label, here.tolist()) for label, here in TextStats(given, 0).by_length()]
    assert labels == [("1–5", [True, False]), ("61+", [False, True])]


def test_sentences_that_changed_most():
    given = texts(size=30)
    stats = TextStats(given, 0, engine=1)
    gained, lost = most_changed(stats, "s0", "s1", 4)
    bleu = Bleu(tokenize="none")
    prepared = bleu.prepare(given.references)
    each = [
        100 * bleu.sentence_gains(bleu.stats(given.outputs[name][0], None, prepared))
        for name in ("s0", "s1")
    ]
    change = each[1] - each[0]
    order = sorted(range(30), key=lambda i: change[i])
    assert [i for i, _ in lost] == [i for i in order if change[i] < 0][:4]
    assert [i for i, _ in gained] == [i for i in reversed(order) if change[i] > 0][:4]
    assert all(value == pytest.approx(change[i]) for i, value in [*gained, *lost])
    worst = furthest(stats, "s1", 3)
    assert [i for i, _ in worst] == np.argsort(each[1], kind="stable")[:3].tolist()


def test_tests_over_runs_and_without_them():
    given = texts(systems=3, runs=2)
    table, picture, *_ = score_table(TextStats(given, 50, engine=1), trials=50)
    assert table.head == [
        "system", "BLEU", "95 % interval", "SD of runs", "difference", "p bootstrap",
        "p randomisation",
    ]  # fmt: skip
    assert [row[0] for row in table.rows] == ["s0", "s1", "s2"]
    assert table.rows[0][4] == "baseline"
    assert table.rows[1][4].startswith("−")
    assert list(picture.chart.rows) == ["s1", "s2"]
    alone = score_table(TextStats(texts(systems=1), 0, engine=1), trials=0)
    assert [part.head for part in alone] == [["system", "BLEU"]]
    plain, *more = score_table(TextStats(texts(), 0, engine=1), trials=0)
    assert plain.rows[1][3:] == ["–", "–"]
    assert not more


def report(systems, references, **options):
    given = {"bootstrap_samples": 20, "randomisation_trials": 20, "engine": 1, **options}
    return output_report(systems, references, [Bleu(tokenize="none"), Wer()], **given)


def test_a_report_of_outputs():
    given = texts()
    systems = {name: outputs[0] for name, outputs in given.outputs.items()}
    made = report(systems, given.references, source=[f"Q{i}" for i in range(given.size)])
    assert [section.title for section in made.sections] == [
        "Scores and significance", "By length", "N-gram precisions", "Sentences",
    ]  # fmt: skip
    scores = [part for part in made.sections[0].parts if isinstance(part, TablePart)]
    assert [table.head[1] for table in scores] == ["BLEU", "wer"]
    expected = sacre(systems["s0"], given.references).score
    assert scores[0].rows[0][1] == f"{expected:.2f}"
    lists = [part for part in made.sections[3].parts if isinstance(part, SentencesPart)]
    assert [part.caption for part in lists] == [
        "test: s1 gained most over s0", "test: s1 lost most over s0",
    ]  # fmt: skip
    example = lists[1].examples[0]
    assert [line.label for line in example.lines] == ["source", "reference", "s0", "s1"]
    assert example.lines[0].words[0].text == f"Q{example.number - 1}"
    first, again = (as_html(report(systems, given.references, engine=n)) for n in (1, 2))
    assert first == again
    # More of them, or none.
    few = report(systems, given.references, sentences=1)
    assert [
        len(one.examples) for one in few.sections[3].parts if isinstance(one, SentencesPart)
    ] == ([1, 1])
    assert report(systems, given.references, sentences=0).sections[3].parts == []


def test_one_sentence_and_equal_systems():
    made = report({"a": ["the dog ."], "b": ["the dog ."]}, [["the dog ."]])
    assert made.sections[0].parts[0].rows[1][3] == "+0.00"
    assert made.sections[3].parts[0].text == "No sentence of test changed its score."
    assert any(isinstance(part, Picture) for part in made.sections[1].parts)
    assert "<svg" in as_html(made)
    alone = report({"a": ["a cat"]}, [["the dog ."]])
    assert alone.sections[3].parts[1].caption == "Furthest from their references, test"
    assert "Marked words" not in alone.sections[3].parts[0].text


def test_empty_sets_and_unequal_systems_are_refused():
    with pytest.raises(OptionError, match="the test set test has no sentences"):
        report({"a": []}, [[]])
    with pytest.raises(OptionError, match="2 hypotheses, but references for 1 sentences"):
        report({"a": ["x"], "b": ["x", "y"]}, [["x"]])
