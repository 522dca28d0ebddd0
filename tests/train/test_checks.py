"""Texts that do not fit each other are found before the work, with the likely remedy."""

import pytest

from tunesmith.base.errors import InputError
from tunesmith.corpus import phrasebook
from tunesmith.formats.parallel import read_parallel
from tunesmith.train.checks import (
    SAMPLE_LINES,
    SampledText,
    check_seen,
    check_texts,
    line_set,
    training_sample,
)

RUSSIAN = ["мы завтра едем в пекин на поезде", "дом стоит у синего моря"] * 40
CHINESE = ["我们明天坐火车去北京。", "房子在蓝色的海边。"] * 40
TECHNICAL = ["使用StatefulSetController的Pod和PersistentVolumeClaim"] * 80


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=5, dev=60, test=60, train=1500)
    return folder


@pytest.fixture
def warnings(caplog):
    caplog.set_level("WARNING", logger="tunesmith")
    return caplog


def train(corpus, sides=("de", "en")):
    return training_sample(*(corpus / f"train.{side}" for side in sides))


def dev(corpus, sides=("de", "en")):
    return line_set("dev", *(corpus / f"dev.{side}" for side in sides))


def check(text, *others):
    check_texts([text], others)


def made(source, target):
    return SampledText("dev", source, target, "d.src", "d.ref")


def test_texts_that_fit_are_passed_in_silence(corpus, warnings):
    check(train(corpus), dev(corpus))
    check(made(RUSSIAN, CHINESE), made(RUSSIAN, CHINESE))
    check(made(RUSSIAN, TECHNICAL), made(RUSSIAN[:2], CHINESE[:2]))
    check(made([], []), made([], []))
    check(made(["a"], ["b"]), made(["c"], ["d"]))
    assert warnings.messages == []


def test_swapped_sides_of_one_script_are_known_by_their_words(corpus):
    with pytest.raises(InputError) as caught:
        check(train(corpus), dev(corpus, ("en", "de")))
    assert str(caught.value) == (
        f"{corpus}/dev.en: text of the target's language, and {corpus}/dev.de of the source's, "
        "expected source and references of the dev set; its sides, or those of the training text, "
        "are swapped"
    )


def test_swapped_sides_of_two_scripts():
    with pytest.raises(InputError, match="are swapped"):
        check(made(RUSSIAN, CHINESE), made(CHINESE, RUSSIAN))


def test_a_side_in_another_script(corpus):
    with pytest.raises(InputError) as caught:
        check(train(corpus), made(RUSSIAN, RUSSIAN))
    assert str(caught.value) == (
        "d.src: text in another script (cyrillic) than the source of the training text, expected "
        "latin; was another file meant, or the sides swapped?"
    )


def test_one_file_for_both_sides(corpus, warnings):
    with pytest.raises(InputError, match=r"train\.de: 1,500 of the first 1,500 lines are the same"):
        check(train(corpus, ("de", "de")))
    some = [f"x{number}" if number % 3 else "same" for number in range(90)]
    check(made(some, [line.replace("x", "y") for line in some]))
    assert warnings.messages == [
        "30 of the first 90 pairs have the same line on both sides, which is not learned from"
    ]


def test_another_language_in_a_set(corpus, warnings):
    other = ["wij hebben gisteren allemaal samen gegeten"] * 20
    check(train(corpus), made(other, dev(corpus).target))
    assert len(warnings.messages) == 1
    assert warnings.messages[0].startswith("d.src: only ")
    assert "of its words are in the source of the training text" in warnings.messages[0]


def test_test_sentences_that_are_in_the_training_text(corpus, warnings):
    files = corpus / "train.de", corpus / "train.en"
    check_seen(
        read_parallel(*files), line_set("test", corpus / "test.de", corpus / "test.en"), engine=1
    )
    assert warnings.messages == []
    check_seen(read_parallel(*files), line_set("test", *files), engine=1)
    assert (
        "1,500 of 1,500 test pairs have a sentence that is in the training set"
        in warnings.messages[0]
    )


def test_of_a_large_test_set_all_sentences_are_looked_at(tmp_path, warnings):
    lines = [f"ein Satz {number}" for number in range(SAMPLE_LINES + 5)]
    (tmp_path / "a").write_text("\n".join(lines))
    check_seen([(lines[-1], "x")], line_set("test", tmp_path / "a", tmp_path / "a"), engine=1)
    assert "1 of 2,005 test pairs have a sentence" in warnings.messages[0]
