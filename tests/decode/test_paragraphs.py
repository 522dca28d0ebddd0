"""Paragraphs cut into sentences, and put together again."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus.splitting import LONGEST_SENTENCE, SentenceSplitter
from tunesmith.decode.paragraphs import CutLines


@pytest.mark.parametrize(
    ("line", "sentences"),
    [
        ("(Er war müde.)", ["Er war müde."]),
        ("Ja. (Er war müde.)  [ Musik ]", ["Ja.", "Er war müde.", "Musik"]),
        ("(Er war müde. Er schlief.)", ["Er war müde.", "Er schlief."]),
        ("(Er war (sehr) müde. Ja.)", ["(Er war (sehr) müde.", "Ja."]),
        ("Gut :)", ["Gut :)"]), ("a) Gut", ["a) Gut"]), ("(a) Gut.", ["(a) Gut."]),
        ("[Musik]", ["Musik"]),
        ("（他累了。）", ["他累了。"]),
        ("(a) und (b)", ["(a) und (b)"]),
        ("(a [b])", ["a [b]"]),
        ("(a]", ["(a]"]), ("( )", ["( )"]), ("()", ["()"]), ("(", ["("]), (")", [")"]),
        ("[a](b)", ["[a](b)"]),
        ("[^1]", ["[^1]"]), ("[!NOTE]", ["[!NOTE]"]),
    ],
)  # fmt: skip
def test_brackets_around_a_sentence_are_none_of_it(line, sentences):
    cut = CutLines([line], SentenceSplitter("de"))
    assert cut.sentences == sentences
    assert cut.joined(sentences) == [line]


@pytest.mark.parametrize(
    "line",
    [
        "<b>" * 9000 + "Haus" + "</b>" * 9000, "Haus, " * 1000 + "Hund", "Haus " * 5000 + "Hund",
        "a**b" + "c* " * 30_000 + "d", "a" * 50_000, "a" * 50_000 + " " + "b" * 50_000,
        "http://" * 10_000,
        "x (a" + " " * 100_000 + "b",
    ],
)  # fmt: skip
def test_long_sentences_are_cut_where_it_does_least_harm(line):
    cut = CutLines([line], SentenceSplitter("de"))
    assert cut.joined(cut.sentences) == [line]
    words = [len(re.findall(r"\w+|[^\w\s]", one)) for one in cut.sentences]
    assert max(words) <= LONGEST_SENTENCE or not {" ", "<"} & set(line)
    if ", " in line:
        assert all(one.endswith((",", "Hund")) for one in cut.sentences)


@given(st.lists(st.text(alphabet="aB. ()[]!", max_size=30), max_size=4))
def test_lines_with_their_own_sentences_are_the_same(lines):
    cut = CutLines(lines, SentenceSplitter("en"))
    assert len(cut.sentences) == len(cut.places)
    assert cut.joined(cut.sentences, indented=True) == lines
