"""Known words in the place of unknown ones."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import ConfigError, InputError
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.copied_words import CopiedWords
from tunesmith.corpus.endings import MIN_STEM, Endings
from tunesmith.corpus.known_words import MAX_COMPOUND, KnownWords

STEMS = ["beschwimm", "vorspring", "abtauch", "hinkletter", "auswander"]
ENDINGS = ["en", "t", "end"]
NOUNS = ["Tischler", "Bäcker", "Maurer", "Schneider"]


def counts(*words):
    verbs = {stem + ending: 2 for stem in STEMS for ending in ENDINGS}
    nouns = {noun + ending: 2 for noun in NOUNS for ending in ("", "s")}
    return Counter(verbs | nouns) + Counter(words)


def seen(known, text, kept=()):
    return [
        (one.word, " ".join(one.words), one.reason)
        for one in known.unknown_words(text.split(), kept)
    ]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("verlaufend", "verlaufen"),  # -d behind "-en" is as common as -end behind the stem
        ("herüberlacht", "herüberlachen"),
        ("herüberlachst", None),  # -st was never seen
        ("weint", None),  # too short a stem for so little evidence
        ("Bäckerst", None),
    ],
)  # fmt: skip
def test_a_form_is_found_by_an_exchange_that_other_words_have(word, expected):
    known = KnownWords.of(counts("verlaufen", "herüberlachen", "weinen"))
    new = (expected, "inflection") if expected else (word, "copied")
    assert seen(known, f"er {word}", {0}) == [(word, *new)]


def test_an_exchange_needs_three_stems():
    few = {stem + ending: 1 for stem in STEMS[:2] for ending in ENDINGS}
    assert Endings.learned({**few, "herüberlachen": 1}).known_form("herüberlacht") is None
    more = {stem + ending: 1 for stem in STEMS[:3] for ending in ENDINGS}
    assert (
        Endings.learned({**more, "herüberlachen": 1}).known_form("herüberlacht") == "herüberlachen"
    )


def test_the_longest_beginning_counts_most():
    known = KnownWords.of(counts("vormalen", "vormalendt", "bevormalen", "bevormalten"))
    assert seen(known, "x bevormalend", {0}) == [("bevormalend", "bevormalen", "inflection")]


def test_a_noun_is_no_form_of_a_verb_but_at_the_start_of_a_sentence():
    known = KnownWords.of(counts("herüberlachen", "Spengler", "er"))
    assert seen(known, "er Herüberlacht") == [("Herüberlacht", "Herüberlacht", "copied")]
    assert seen(known, "Herüberlacht er") == [("Herüberlacht", "herüberlachen", "inflection")]
    assert seen(known, "er Spenglers") == [("Spenglers", "Spengler", "inflection")]


def test_other_capitals_are_found_but_not_those_of_abbreviations():
    known = KnownWords.of(counts("Rom", "grün"))
    assert seen(known, "rom Grün - ROM") == [
        ("rom", "Rom", "casing"), ("Grün", "grün", "casing"), ("-", "-", "copied"),
        ("ROM", "ROM", "copied"),
    ]  # fmt: skip


def test_parts_between_hyphens_replace_the_word_if_each_is_known():
    known = KnownWords.of(counts("rot", "grün", "CD", "Rom"))
    found = seen(known, "rot-grün-beschwimmt rot-xy - CD-ROM a.b-rot rot-")
    assert found[0] == ("rot-grün-beschwimmt", "rot grün beschwimmt", "compound")
    assert [new for word, new, _ in found[1:]] == ["rot-xy", "-", "CD-ROM", "a.b-rot", "rot-"]


def test_words_of_the_target_language_are_copied():
    known = KnownWords.of(counts("herüberlachen", "Carlo"), ["herüberlacht", "Carlo"])
    assert known.apply(["herüberlacht herüberlachend"]) == ["herüberlacht herüberlachen"]
    assert known.to_dict()["targets"] == ["herüberlacht"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("wassergrüne", "Wasser grüne"),
        ("Wasservogel", "Wasser Vogel"),
        ("Wasserspiegelvogels", "Wasser Spiegel Vogels"),
        ("Nahrungsspiegel", "Nahrung Spiegel"),  # the letter between them is left out
        ("Wasserbäckermeisters", "Wasser Bäcker Meister"),  # the last part may be a form
        ("Vogelsang", None),  # a noun does not end in a verb
        ("Eisvogel", "Eis Vogel"),
        ("Vogeleis", None),  # too short: a part by chance
        ("Vogeleiss", None),
        ("Polovogel", None),  # all parts must be known
        ("wasservogel", None),
    ],
)
def test_compounds_are_made_of_known_words_alone(word, expected):
    words = ("Wasser", "Vogel", "Vogels", "Spiegel", "Nahrung", "grüne", "sang", "Eis", "Meister")
    known = KnownWords.of(counts(*words, "der"), compounds=True)
    new = (expected, "compound") if expected else (word, "copied")
    assert seen(known, f"der {word}") == [(word, *new)]
    whole = KnownWords.of(counts(*words, "der"))
    assert seen(whole, f"der {word}") == [(word, word, "copied")]


def test_words_that_are_too_long_for_a_compound_are_copied():
    known = KnownWords.of(counts("Wasser", "Vogel", "der"), compounds=True)
    longest = "Wasser" + "wasser" * 14 + "vogel" * 2
    assert len(longest) == MAX_COMPOUND
    parts = " ".join(["Wasser"] * 15 + ["Vogel"] * 2)
    assert seen(known, f"der {longest}") == [(longest, parts, "compound")]
    assert seen(known, f"der Wasser{longest}") == [(f"Wasser{longest}",) * 2 + ("copied",)]


def test_unknown_words_with_capitals_side_by_side_are_names():
    known = KnownWords.of(counts("Spengler", "kommt", "Grün"))
    assert known.apply(["kommt Spenglers"]) == ["kommt Spengler"]
    assert known.apply(["kommt Xaver Spenglers kommt"]) == ["kommt Xaver Spenglers kommt"]
    assert known.apply(["kommt Xaver kommt Spenglers"]) == ["kommt Xaver kommt Spengler"]
    assert known.apply(["grün Spenglers"]) == ["Grün Spengler"]


def test_what_looks_like_a_copied_word_is_copied():
    copied = CopiedWords({"Xx": [60, 40], "Xx behind Herr": [1, 30], "Xx behind der": [40, 1]})
    known = KnownWords.of(counts("Spengler", "Herr", "der"), (), copied)
    assert seen(known, "der Spenglers") == [("Spenglers", "Spengler", "inflection")]
    assert seen(known, "Herr Spenglers") == [("Spenglers", "Spenglers", "copied")]


def test_compounds_are_copied_sooner_than_other_forms():
    copied = CopiedWords({"Xx": [80, 10], "Xx-Xx": [80, 10]})
    known = KnownWords.of(counts("Wasser", "Vogel", "Spengler", "der"), (), copied, compounds=True)
    assert seen(known, "der Wasservogel") == [("Wasservogel", "Wasservogel", "copied")]
    assert seen(known, "der Wasser-Vogel") == [("Wasser-Vogel", "Wasser Vogel", "compound")]
    assert seen(known, "der Spenglers") == [("Spenglers", "Spengler", "inflection")]


def test_kept_words_stay():
    known = KnownWords.of(counts("herüberlachen", "er"))
    assert seen(known, "er herüberlacht herüberlachend", {1}) == [
        ("herüberlachend", "herüberlachen", "inflection")
    ]


letters = st.text(alphabet="abcé-", min_size=1, max_size=9)


@given(st.lists(letters, min_size=1, max_size=40), st.lists(letters, max_size=10), st.booleans())
def test_known_words_stay_and_others_become_known_ones_or_parts_of_themselves(text, new, compounds):
    known = KnownWords.of(Counter(text), compounds=compounds)
    assert known.apply([" ".join(text)]) == [" ".join(text)]
    for found in known.unknown_words(new):
        assert found.word == new[found.place]
        assert found.word not in text
        if found.reason == "copied":
            assert found.words == (found.word,)
        else:
            assert all(one in text for one in found.words)
        if found.reason == "inflection":
            assert found.words[0][:MIN_STEM] == found.word[:MIN_STEM]
    again = KnownWords.from_dict(known.to_dict())
    assert again.apply([" ".join(new)]) == known.apply([" ".join(new)])


def test_blanks_and_empty_lines_stay():
    known = KnownWords.of(counts())
    assert known.apply(["", "  ", "abtaucht  x "]) == ["", "  ", "abtaucht  x "]


def test_a_preprocessor_remembers_them(tmp_path):
    source = Preprocessor.create("none", "none")
    copied = CopiedWords({"x": [2, 0]}, frozenset({"Anna"}))
    source.known = KnownWords.of(counts("herüberlachen", "er"), (), copied, compounds=True)
    source.save(tmp_path / "source.json")
    again = Preprocessor.load(tmp_path / "source.json")
    assert again.encode(["er herüberlacht"]) == ["er herüberlachen"]
    assert again.to_dict() == source.to_dict()


def test_units_keep_their_places_and_unknown_words_get_theirs():
    source = Preprocessor.create("none", "none")
    source.known = KnownWords.of(counts("Wasser", "Vogel", "der"), compounds=True)
    words = ["⟦a⟧", "der", "Wasservogel", "xyz", "⟦b⟧"]
    found, unknown = source.known_words(words, {0, 4})
    assert found == [["⟦a⟧"], ["der"], ["Wasser", "Vogel"], ["xyz"], ["⟦b⟧"]]
    assert [(one.place, one.word) for one in unknown] == [(2, "Wasservogel"), (4, "xyz")]


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"words": []},
        {"words": {}, "exchanges": 3},
        {"words": {"a": 0}, "exchanges": {}},
        {"words": {}, "exchanges": {}, "targets": 1},
    ],
)
def test_something_else_is_refused(values, tmp_path):
    with pytest.raises(ConfigError, match="known words: "):
        KnownWords.from_dict(values)
    broken = Preprocessor.create("none", "none").to_dict() | {"known": values}
    (tmp_path / "source.json").write_text(json.dumps(broken))
    with pytest.raises(InputError, match="known words: "):
        Preprocessor.load(tmp_path / "source.json")
