"""How likely an unknown word is copied."""

import pytest

from tunesmith.base.errors import ConfigError
from tunesmith.corpus.bitext import Bitext
from tunesmith.corpus.copied_words import CopiedWords

PAIRS = [
    ("Herr Adam kam", "Mr. Adam came"),
    ("Herr Bosch kam", "Mr. Bosch came"),
    ("Herr Cranz ging", "Mr. Cranz left"),
    ("der Baum steht", "the tree stands"),
    ("der Teich ruht", "the pond rests"),
    ("die Wiese lebt", "the meadow lives"),
    ("Anna kam", "Anna came"),
    ("Anna Ruhl kam", "Anna Ruhl came"),
    ("Anna Solms ging", "anna Solms left"),
]


@pytest.fixture(scope="module")
def copied():
    return CopiedWords.learned(Bitext.from_lines(*zip(*PAIRS, strict=True)))


def test_rare_words_are_counted_by_what_they_have_in_common(copied):
    assert copied.counts["Xx"] == [3, 5]
    assert copied.counts["Xx behind Herr"] == [0, 3]
    assert copied.counts["Xx behind der"] == [2, 0]
    assert copied.counts["x"] == [8, 0]
    assert "Xx behind die" not in copied.counts  # once
    assert copied.names == {"Adam", "Anna", "Bosch", "Cranz", "Ruhl", "Solms"}


def test_neighbours_and_capitals_say_how_likely_a_word_is_copied(copied):
    name, thing = (copied.probability("Zundel", word, "kam") for word in ("Herr", "der"))
    assert thing + 0.2 < name
    assert copied.probability("zundel", "Herr", "kam") < 0.3
    assert copied.probability("Zundel", "Anna", "sah") > copied.probability("Zundel", "sie", "sah")


def test_the_words_of_all_blocks_are_found_in_their_own_sentences(monkeypatch, copied):
    monkeypatch.setattr("tunesmith.corpus.copied_words.BLOCK_LINES", 2)
    again = CopiedWords.learned(Bitext.from_lines(*zip(*PAIRS, strict=True)))
    assert again.to_dict() == copied.to_dict()


def test_they_are_made_again_from_json_and_nothing_else(copied):
    assert CopiedWords.from_dict(copied.to_dict()).to_dict() == copied.to_dict()
    for values in (None, {"counts": {}}, {"counts": {"x": [1]}, "names": []},
                   {"counts": {"x": [1, -1]}, "names": []}):  # fmt: skip
        with pytest.raises(ConfigError, match="copied words: "):
            CopiedWords.from_dict(values)


def test_no_pairs_say_nothing():
    nothing = CopiedWords.learned(Bitext.from_lines([], []))
    assert nothing.probability("Haus", "das", "steht") == 0.5
