import math

import pytest

from tunesmith.base.errors import InputError, OptionError
from tunesmith.lm import KneserNey, NgramLM, interpolate, read_classes

LINES = ["the cat sleeps", "the dog sleeps", "a cat runs", "the dog runs", "a cat sleeps ."]
CLASSES = {"the": "D", "a": "D", "cat": "N", "dog": "N", "sleeps": "V", "runs": "V", "mouse": "N"}


def test_probability_is_class_times_word():
    lm = NgramLM.fit(LINES, order=3, classes=CLASSES)
    assert lm.has_classes
    of_classes = NgramLM.fit(["D N V"] * 4 + ["D N V <other>"], order=3)
    scores = lm.full_scores("the dog runs")
    expected = of_classes.full_scores("D N V")
    emissions = [3 / 5, 2 / 5, 2 / 5]  # the 3 of 5 D, dog 2 of 5 N, runs 2 of 5 V
    for scored, plain, emission in zip(scores, expected, [*emissions, 1.0], strict=True):
        assert scored.log10 == pytest.approx(plain.log10 + math.log10(emission), abs=1e-5)
        assert scored.length == plain.length
    assert lm.score("the dog runs") == pytest.approx(sum(s.log10 for s in scores), abs=1e-5)


def test_words_without_class_and_unknown_words(caplog):
    with caplog.at_level("WARNING", logger="tunesmith"):
        lm = NgramLM.fit(LINES, order=2, classes=CLASSES)
    assert "1 tokens have no class" in caplog.text
    assert "." in lm
    assert "mouse" not in lm  # has a class, but was never seen
    assert [s.oov for s in lm.full_scores("the mouse .")] == [False, True, False, False]


def test_the_words_are_saved(tmp_path):
    lm = NgramLM.fit(LINES, order=2, classes=CLASSES)
    lm.save(tmp_path / "c.lm")
    back = NgramLM.load(tmp_path / "c.lm")
    assert back.has_classes
    assert back.scores(LINES).tobytes() == lm.scores(LINES).tobytes()
    with pytest.raises(OptionError, match="class-based"):
        interpolate([back, back], [0.5, 0.5])


def test_through_files_too():
    small = KneserNey(order=2, classes=CLASSES, memory=1).fit(LINES)
    assert small.used_files
    scores = NgramLM.fit(LINES, order=2, classes=CLASSES).scores(LINES)
    assert small.model().scores(LINES).tobytes() == scores.tobytes()


def test_classes_are_not_pruned():
    with pytest.raises(OptionError, match="classes cannot be pruned"):
        KneserNey(classes=CLASSES, max_words=2).fit(LINES)


def test_cluster_files(tmp_path):
    path = tmp_path / "clusters"
    path.write_text("cat\t3\ndog 3\n\nthe\t1\n")
    assert read_classes(path) == {"cat": "3", "dog": "3", "the": "1"}
    path.write_text("0110\tcat\t17\n0110\tdog\t3\n01\tthe\t99\n")
    assert read_classes(path) == {"cat": "0110", "dog": "0110", "the": "01"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cat 3\ndog\n", "clusters:2: 1 fields, expected word and class; the format is that of"),
        ("01 cat 3\ndog 3\n", "clusters:2: 2 fields, expected path, word and count; the format"),
        ("cat 3\ncat 4\n", "clusters:2: a second class for 'cat', expected one class for a word"),
        ("\n", "clusters: no words, expected lines with word and class"),
    ],
)
def test_broken_cluster_files(tmp_path, text, message):
    (tmp_path / "clusters").write_text(text)
    with pytest.raises(InputError) as error:
        read_classes(tmp_path / "clusters")
    assert str(error.value).removeprefix(f"{tmp_path}/").startswith(message)


def test_few_classes_are_no_reason_to_warn(caplog):
    estimate = KneserNey(order=2, classes=CLASSES).fit(LINES)
    assert all(discounts.fallback for discounts in estimate.discounts)
    with caplog.at_level("WARNING", logger="tunesmith"):
        estimate.report()
    assert "of 1-grams" not in caplog.text
    assert "too little or too regular text for the discounts of 2-grams" in caplog.text
