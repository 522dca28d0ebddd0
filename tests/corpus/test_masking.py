"""Protected units in training text and in what a model does to new text."""

import json

import pytest

from tunesmith.base.errors import InputError
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.casing import Truecase
from tunesmith.corpus.cleaning import CleanOptions
from tunesmith.corpus.coding import TextCoding
from tunesmith.corpus.masking import Protection, shared_units
from tunesmith.corpus.protected import find_units, texts
from tunesmith.corpus.tokenizers import CharTokenizer, MosesTokenizer

PAIRS = [
    ("Hallo {name}, es ist 12:30.", "Hi {name}, it is 12:30."),
    ("Das <b>Haus</b> kostet 3,5 Taler.", "The <b>house</b> costs 3.5 thalers."),
    ("Siehe https://a.de und https://b.de!", "See https://a.de!"),
    ("Der Hund schläft um 12:30 Uhr.", "The dog sleeps at half past twelve."),
    ("Um 15:45 Uhr.", "At a quarter to four."),
    ("Es ist 12:30.", "It is 12:30."),
]


def coded(tmp_path, pairs, *, protect=True):
    sides = [Preprocessor(MosesTokenizer("de"), Truecase()), Preprocessor(MosesTokenizer("en"))]
    if protect:
        for side in sides:
            side.protection = Protection()
    coding = TextCoding(*sides, CleanOptions(), engine=1)
    bitext = coding.write(tmp_path, pairs)
    return sides, bitext


def test_what_both_sides_have_is_a_word_and_the_rest_is_ordinary_text(tmp_path):
    (source, _), bitext = coded(tmp_path, PAIRS)
    assert bitext.source.lines() == [
        "Hallo ⟦placeholder⟧ , es ist ⟦time⟧ .",
        "Das Haus kostet ⟦number⟧ Taler .",
        "Siehe ⟦url⟧ und https : / / b.de !",
        "Der Hund schläft um 12 : 30 Uhr .",
        "um 15 : 45 Uhr .",
        "es ist ⟦time⟧ .",
    ]
    assert bitext.target.lines()[:3] == [
        "Hi ⟦placeholder⟧ , it is ⟦time⟧ .",
        "The house costs ⟦number⟧ thalers .",
        "See ⟦url⟧ !",
    ]
    # 12:30 is copied twice and translated once, 15:45 is always translated.
    assert source.protection == Protection({"15:45"}, {","})
    assert source.encode(["3,5 um 12:30, 15:45"]) == ["⟦number⟧ um ⟦time⟧ , 15 : 45"]


@pytest.mark.parametrize(
    ("number", "written"),
    [
        ("4,5", "4.5"),
        ("4.5", "4.5"),
        ("1.234,5", "1.234,5"),
        ("12:30", "12:30"),
        ("5 €", "5 €"),
        ("5,5 €", "5.5 €"),
        ("1,234", "1,234"),
        ("$19.99", "$19.99"),
        ("1.234", "1,234"),
        ("1.234 €", "1,234 €"),
        ("1.2345", "1.2345"),
        ("00:01:02,5", "00:01:02,5"),
    ],
)
def test_numbers_are_written_as_most_of_their_form_are(number, written):
    [unit] = find_units(number)
    assert Protection(swapped={",", ".000"}).written(number, unit) == written


def test_without_protection_nothing_is_masked(tmp_path):
    _, bitext = coded(tmp_path, PAIRS, protect=False)
    assert bitext.source.lines()[0] == "Hallo { name } , es ist 12 : 30."


def test_units_are_shared_as_often_as_both_sides_have_them():
    source, target = "{a} {a} {b}", "{a} {c}"
    shared = shared_units(source, target)
    assert (texts(source, shared.source), texts(target, shared.target)) == (["{a}"], ["{a}"])
    assert texts(source, shared.others) == ["{a}", "{b}"]


def test_words_and_places_of_units():
    german = Preprocessor(MosesTokenizer("de"), Truecase(), protection=Protection())
    german.casing.fit(["Wir sehen das Haus .", "Wo ist das Haus ?"])
    line = "<b>Das</b> {x}, das `Haus`"
    [read] = german.read([line], [find_units(line)])
    words, places = read.words, [at for at, unit in enumerate(read.unit_of) if unit >= 0]
    assert words == ["⟦tag⟧", "das", "⟦tag⟧", "⟦placeholder⟧", ",", "das", "⟦code⟧"]
    assert places == [0, 2, 3, 6]


def test_characters_as_words_go_round_units():
    chinese = Preprocessor(CharTokenizer(), protection=Protection())
    assert chinese.encode(["点击{name}吧"]) == ["点 击 ⟦placeholder⟧ 吧"]


def test_protection_is_saved(tmp_path):
    saved = Preprocessor(MosesTokenizer("de"), protection=Protection({"3,5", "1,5"}, {"."}))
    saved.save(tmp_path / "p.json")
    assert Preprocessor.load(tmp_path / "p.json").protection == saved.protection
    assert "protection" not in Preprocessor().to_dict()


@pytest.mark.parametrize("broken", [{}, {"translated": 3}, {"translated": [3], "swapped": []}])
def test_broken_protection_is_refused(tmp_path, broken):
    values = Preprocessor().to_dict() | {"protection": broken}
    (tmp_path / "p.json").write_text(json.dumps(values))
    with pytest.raises(InputError, match="protection: 'translated' is missing or broken"):
        Preprocessor.load(tmp_path / "p.json")
