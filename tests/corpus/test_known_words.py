"""Known words in the place of unknown ones."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.base.errors import ConfigError, InputError
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.endings import MIN_STEM, Endings
from tunesmith.corpus.known_words import KnownWords

STEMS = ["schwimm", "spring", "tauch", "kletter", "wander"]
ENDINGS = ["en", "t", "end"]


def counts(*words):
    return Counter({stem + ending: 2 for stem in STEMS for ending in ENDINGS} | Counter(words))


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("laufend", "laufen"),  # -d behind "laufen" is as common as -end behind "lauf"
        ("lachend", "lachen"),
        ("weint", "weinen"),
        ("Weinen", "weinen"),
        ("weinst", "weinst"),  # -st was never seen
        ("xyzt", "xyzt"),
    ],
)
def test_a_form_is_found_by_an_exchange_that_other_words_have(word, expected):
    known = KnownWords.of(counts("laufen", "lachen", "weinen", "segeln"))
    assert known.stand_ins(word) == (expected,)


def test_an_exchange_needs_three_stems():
    few = {stem + ending: 1 for stem in STEMS[:2] for ending in ENDINGS}
    assert Endings.learned({**few, "weinen": 1}).known_form("weint") is None
    more = {stem + ending: 1 for stem in STEMS[:3] for ending in ENDINGS}
    assert Endings.learned({**more, "weinen": 1}).known_form("weint") == "weinen"


def test_the_longest_beginning_counts_most():
    known = KnownWords.of(counts("malen", "malendt", "bemalen", "bemalten"))
    assert known.stand_ins("bemalend") == ("bemalen",)


def test_parts_between_hyphens_are_found_one_by_one():
    known = KnownWords.of(counts("rot", "grün"))
    assert known.apply(["ein rot-grün-schwimmt-X", "rot - grün", "a.b-rot", "-", "rot-"]) == [
        "ein rot grün schwimmt X", "rot - grün", "a.b-rot", "-", "rot-",
    ]  # fmt: skip


def test_words_of_the_target_language_are_copied():
    known = KnownWords.of(counts("weinen", "Carlo"), ["weint", "taucht", "Carlo"])
    assert known.apply(["weint weinend taucht weint-schwimmt"]) == [
        "weint weinen taucht weint schwimmt"
    ]
    assert known.to_dict()["targets"] == ["weint"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("Wasserspringend", ("wasser", "springend")),
        ("wassersweint", ("wasser", "weinen")),
        ("qqqspringen", ("springen",)),
        ("qqqxspri", ("qqqxspri",)),
    ],
)
def test_compounds_have_known_parts_or_a_known_end(word, expected):
    known = KnownWords.of(counts("wasser", "weinen"), compounds=True)
    assert known.stand_ins(word) == expected
    assert KnownWords.of(counts("wasser", "weinen")).stand_ins(word) == (word,)


letters = st.text(alphabet="abcé-", min_size=1, max_size=9)


@given(st.lists(letters, min_size=1, max_size=40), st.lists(letters, max_size=10), st.booleans())
def test_known_words_stay_and_others_become_known_ones_or_parts_of_themselves(seen, new, compounds):
    known = KnownWords.of(Counter(seen), compounds=compounds)
    assert known.apply([" ".join(seen)]) == [" ".join(seen)]
    for word in new:
        found = known.stand_ins(word)
        assert all(one in seen or one in word.split("-") or one == word for one in found)
        if len(found) == 1 and found[0] in seen and "-" not in word and not compounds:
            assert found[0].lower()[:MIN_STEM] == word.lower()[:MIN_STEM]
    again = KnownWords.from_dict(known.to_dict())
    assert again.apply(new) == known.apply(new)


def test_blanks_and_empty_lines_stay():
    known = KnownWords.of(counts())
    assert known.apply(["", "  ", "taucht  x "]) == ["", "  ", "taucht  x "]


def test_a_preprocessor_remembers_them(tmp_path):
    source = Preprocessor.create("none", "none")
    source.known = KnownWords.of(counts("weinen"), compounds=True)
    source.save(tmp_path / "source.json")
    again = Preprocessor.load(tmp_path / "source.json")
    assert again.encode(["er weint"]) == ["er weinen"]
    assert again.to_dict() == source.to_dict()


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
    with pytest.raises(ConfigError, match="known words: expected"):
        KnownWords.from_dict(values)
    broken = Preprocessor.create("none", "none").to_dict() | {"known": values}
    (tmp_path / "source.json").write_text(json.dumps(broken))
    with pytest.raises(InputError, match="known words: expected"):
        Preprocessor.load(tmp_path / "source.json")
