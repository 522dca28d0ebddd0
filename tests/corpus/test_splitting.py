"""Paragraphs as sentences."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.corpus.splitting import SentenceSplitter


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        ("en", ["Dr. No is here.", "Is he?", "Yes!", "“No.”", "(Well.)", "So…", "Good."]),
        ("en", ["See e.g. Smith, J. R. Brown and Fig. 3.", "It is 3.5 m."]),
        ("en", ["Go to https://a.b/c.html?d=E.", "Then write to a.b@c.org.", "Now!"]),
        ("en", ["He said “Stop!” and left.", "Version 1.2. is out?", "Hm... yes."]),
        ("en", ["<b>One.</b>", "<i>Two</i> is here.", "Three"]),
        ("en", ["Hi {name}.", "You have %d. That is `a. B`."]),
        ("fr", ["1. Un chien.", "Deux chats."]),
        ("en", ["IV. Rise.", "Fall."]),
        ("de", ["Am 3. Mai kam Dr. Müller z.B. heim.", "Das war gut."]),
        ("fr", ["M. Dupont est là.", "« Oui ! »", "Non ?", "Si."]),
        ("ru", ["Он пришёл.", "Она ушла."]),
        ("hi", ["यह घर है।", "वह आया।"]),
        ("ar", ["هل هذا بيت؟", "نعم."]),
    ],
)
def test_sentences(language, sentences):
    splitter = SentenceSplitter(language)
    if "%d. That" in sentences[-1]:
        sentences = [*sentences[:-1], "You have %d.", "That is `a. B`."]
    assert splitter.split("  ".join(sentences)) == sentences


def test_scripts_without_spaces():
    assert SentenceSplitter("zh").split("他来了。“她走了！”好吗？") == [
        "他来了。",
        "“她走了！”",
        "好吗？",
    ]


@given(st.text(alphabet="aB. ?!\"'(){}<b>/。1é\t", max_size=40))
def test_nothing_but_white_space_is_lost(text):
    spans = SentenceSplitter("en").spans(text)
    place = 0
    for begin, end in spans:
        assert not text[place:begin].strip()
        assert text[begin:end].strip() == text[begin:end] != ""
        place = end
    assert not text[place:].strip()


def test_a_long_paragraph_takes_no_longer_than_its_parts():
    splitter = SentenceSplitter("en")
    paragraph = "See a.b at 3.5. " * 4000

    def seconds(text, times):
        begin = time.process_time()
        for _ in range(times):
            spans = splitter.spans(text)
        return time.process_time() - begin, spans

    short, _ = seconds(paragraph[: len(paragraph) // 40], 40)
    long, spans = seconds(paragraph, 1)
    assert len(spans) == 4000
    assert long < 10 * short


def test_long_sentences_are_cut_at_the_best_place():
    splitter = SentenceSplitter("de", lambda word: word in ("Ein", "Der"))
    assert splitter.split("Ein Haus Ein Hund " * 12) == [("Ein Haus Ein Hund " * 12).strip()]
    assert splitter.split("Ein alter Mann Boston " * 40) == ["Ein alter Mann Boston"] * 40
    sizes = [len(piece.split()) for piece in splitter.split("haus " * 70 + "haus, " + "haus " * 99)]
    assert sizes == [71, 99]
    assert [len(piece.split()) for piece in splitter.split("haus " * 250)] == [100, 100, 50]
    assert [len(piece) for piece in splitter.split("房" * 250)] == [100, 100, 50]
    link = '<a href="' + "x " * 150 + '">'
    assert any(link in piece for piece in splitter.split("haus " * 60 + link + " haus" * 60))
    assert splitter.split("x." * 200) == ["x." * 200]
