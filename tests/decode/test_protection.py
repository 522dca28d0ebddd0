"""What must survive a translation does: 200 lines and their units, and tags in any order."""

import re
from collections import Counter
from html.parser import HTMLParser
from itertools import compress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tunesmith.base.derivation import DerivationStep
from tunesmith.cli.main import main
from tunesmith.corpus import Preprocessor, phrasebook
from tunesmith.corpus.known_words import KnownWords
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.protected import find_units, texts
from tunesmith.corpus.tokenizers import CharTokenizer, MosesTokenizer
from tunesmith.decode import open_decoder
from tunesmith.decode.protection import layout, line_sentence
from tunesmith.decode.translate import Translator
from tunesmith.decode.writer import write
from tunesmith.model import TranslationModel

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "data/protected.tsv").read_text().splitlines()
]
LINES = [row[0] for row in ROWS]
CLOSING = {"(": ")", "[": "]", "{": "}"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("protection")
    phrasebook.write(folder, seed=5, dev=20, train=400)
    # Numbers of the phrasebook are no others in English: 3,5 is 3.5 and 15.30 is 3.30.
    sides = [(folder / f"train.{side}").read_text().splitlines() for side in ("de", "en")]
    kept = [not re.search(r"\d", source) for source in sides[0]]
    for side, lines in zip(("de", "en"), sides, strict=True):
        (folder / f"train.{side}").write_text("\n".join(compress(lines, kept)) + "\n")
    for side, hello in (("de", "Hallo {name}, es ist 12:30."), ("en", "Hi {name}, it is 12:30.")):
        with (folder / f"train.{side}").open("a") as file:
            file.write(f"{hello}\n" * 5)
    return folder


def trained(folder, kind):
    assert main(["train", "--quiet", "--src", f"{folder}/train.de", "--tgt", f"{folder}/train.en",
                 "--dev-src", f"{folder}/dev.de", "--dev-ref", f"{folder}/dev.en",
                 "--source-language", "de", "--target-language", "en", "--iterations", "1",
                 "--size", "5", "--threads", "1", "--model", kind,
                 "--out", str(folder / kind)]) == 0  # fmt: skip
    return Translator(open_decoder(TranslationModel.load(folder / kind), engine=1))


@pytest.fixture(scope="module", params=["phrase", "hiero"])
def translator(folder, request):
    return trained(folder, request.param)


class Tags(HTMLParser):
    """The elements of a text by an independent parser; `broken` if they are no tree."""

    def __init__(self, text):
        super().__init__()
        self.open, self.broken = [], False
        self.feed(text)
        self.close()
        self.broken |= bool(self.open)

    def handle_starttag(self, tag, attrs):
        if tag not in ("br", "hr", "img", "input", "x"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        self.broken |= not self.open or self.open.pop() != tag


def test_none_of_200_lines_is_broken(translator):
    assert len(ROWS) == len(set(LINES)) == 200
    for (line, *units), text in zip(ROWS, translator.translate(LINES), strict=True):
        assert {u: text.count(u) for u in units} == {u: line.count(u) for u in units}, (line, text)
        if not Tags(line).broken:
            assert not Tags(text).broken, (line, text)
        # Nothing else of that kind has come into being.
        assert Counter(texts(text, find_units(text))) == Counter(texts(line, find_units(line)))


def test_labels_keep_their_accelerators(translator):
    labels = ["_Hund", "&Der Hund", "Der &Hund…", "R&D"]
    marked = [re.search(r"[_&](?=\w)", text) for text in translator.translate(labels)]
    assert [bool(mark) for mark in marked[:3]] == [True] * 3


def test_threads_do_not_change_what_comes_out(folder, translator):
    other = Translator(open_decoder(translator.decoder.model, engine=2))
    assert other.translate(LINES) == translator.translate(LINES)


def test_tags_stand_around_what_their_words_became(translator):
    [block] = translator.stream(["Der <b>Hund</b> schläft.", "Das <i>kleine Haus</i> ist da."])
    for number, tag in enumerate("bi"):
        [(begin, end)] = block.sources[number].zones
        derivation = block.output.derivation(number)
        words = derivation.text.split()
        inside, waiting = set(), list(derivation.steps)
        for step in waiting:
            waiting += step.children
            if begin <= step.begin and step.end <= end:
                inside.update(range(step.target_begin, step.target_end))
        text = block.texts[number].partition(f"<{tag}>")[2].partition(f"</{tag}>")[0]
        assert text == " ".join(words[place] for place in sorted(inside))


def test_lists_have_units_too(folder, translator):
    listing = Translator(translator.decoder, size=5)
    [block] = listing.stream(["Der <b>Hund</b> sieht {x}, `a ||| b`."])
    lines = [line.split(" ||| ")[1] for line in block.nbest_lines()]
    assert len(lines) > 1
    for line in lines:
        for unit in ("<b>", "</b>", "{x}", "`a &#124;&#124;&#124; b`"):
            assert line.count(unit) == 1, line


def test_tags_nested_without_end(translator):
    for depth in (49, 50, 51, 300):
        line = "<b>" * depth + "Hund" + "</b>" * depth
        [text] = translator.translate([line])
        assert text.startswith("<b>" * depth)
        assert text.rstrip(".").endswith("</b>" * depth)


def test_punctuation_stays_beside_units(translator):
    line = 'Hallo {name}, siehe: https://a.org/ ("%d").'
    assert find_units(line)
    [text] = translator.translate([line])
    places = [text.index(mark) for mark in ("{name}", ": https://a.org/", '"%d"')]
    assert places == sorted(places)


def protected(line, side):
    [read] = side.read([line], [find_units(line)], engine=1)
    return line_sentence(read, side.protection)


def steps_of(order):
    """A translation that takes source words in this order, each as one word; tags as none."""
    place, steps = 0, []
    for word, size in order:
        steps.append(DerivationStep(word, word + 1, place, place + size, 0, -1))
        place += size
    return steps, place


def written(sentence, steps, words, side):
    return write(side, sentence, steps, words, list(words))


SIDE = Preprocessor(MosesTokenizer("en"), protection=Protection())
PARTS = st.lists(
    st.sampled_from(
        ["one", "two", "{x}", "<b>", "</b>", "<i>", "</i>", "<br>", "%d", ",", "(", ")"]
    ),
    min_size=1, max_size=14,
)  # fmt: skip


@given(PARTS, st.randoms(use_true_random=False))
@settings(max_examples=300)
def test_whatever_search_does_units_come_once_and_pairs_stay_pairs(parts, chance):
    line = " ".join(parts)
    units = find_units(line)
    sentence = protected(line, SIDE)
    forced = {begin: len(target) for begin, _, target in sentence.forced}
    order = [(i, forced.get(i, 1)) for i in range(len(sentence.words))]
    chance.shuffle(order)
    steps, size = steps_of(order)
    items = layout(sentence, steps, size)
    assert [word for _, word in items if word >= 0] == list(range(size))
    assert sorted(unit for unit, _ in items if unit >= 0) == list(range(len(units)))
    words = [sentence.words[i] for i, n in order if n]
    text = written(sentence, steps, words, SIDE)
    assert Counter(texts(text, find_units(text))) == Counter(sentence.line.unit_texts())
    if not Tags(line).broken:
        assert not Tags(text).broken


@given(PARTS)
def test_a_translation_in_the_same_words_is_the_same_text(parts):
    line = SIDE.decode([" ".join(parts)])[0]
    sentence = protected(line, SIDE)
    forced = {begin: len(target) for begin, _, target in sentence.forced}
    steps, _ = steps_of([(i, forced.get(i, 1)) for i in range(len(sentence.words))])
    words = [word for i, word in enumerate(sentence.words) if forced.get(i, 1)]
    text = written(sentence, steps, words, SIDE)
    assert text.replace(" ", "") == line.replace(" ", "")


def monotone(line, side):
    sentence = protected(line, side)
    forced = {begin: len(target) for begin, _, target in sentence.forced}
    steps, _ = steps_of([(i, forced.get(i, 1)) for i in range(len(sentence.words))])
    words = [word for i, word in enumerate(sentence.words) if forced.get(i, 1)]
    return written(sentence, steps, words, side)


@pytest.mark.parametrize(
    "line",
    [
        "Hi {name}, you have %d new messages (%s).",
        "The <b>dog</b>, <i>asleep</i>.",
        "{a}{b} is {c}/{d}",
        "One<br>two<br/> three",
        "<b>Letter</b> and a <i>word</i>",
        'Say "{x}" and x={x}!',
        r"One\ntwo \t three",
        "It costs 1.234,56 € at 12:30.",
    ],
)
def test_spaces_are_those_of_the_source_where_words_stay(line):
    assert monotone(line, SIDE).replace("x = {x}", "x={x}").replace("x ={x}", "x={x}") == line


def test_characters_as_words():
    side = Preprocessor(CharTokenizer(), protection=Protection())
    assert monotone("点击<b>这里</b>的{name}按钮", side) == "点击<b>这里</b>的{name}按钮"


def test_a_mark_in_front_of_a_line_stays_there(translator):
    lines = ["- das Haus ist klein", "  • das Haus", "– {n} – das Haus"]
    done = translator.translate(lines)
    assert [one.split()[0] for one in done] == ["-", "•", "–"]
    assert all(len(one.split()) > 2 for one in done)


def test_numbers_stay_together_and_in_front(translator):
    lines = [
        "1. Das Haus ist klein.", "a) Das Haus", "(iii) das Haus", "1.2.3 Das Haus",
        "Der Hund sieht +49 30 123456 und 10 000 Häuser.", "Am 3. Mai 2024 schläft der Hund um 8.",
    ]  # fmt: skip
    done = translator.translate(lines)
    assert [one.split()[0] for one in done[:4]] == ["1.", "a)", "(iii)", "1.2.3"]
    assert all(len(one.split()) > 2 for one in done)
    assert "+49 30 123456" in done[4]
    assert "10 000" in done[4]
    assert re.search(r"3\b.{1,5}\bMa.\b.{1,3}\b2024\b", done[5])


def test_marks_enclose_the_translation_of_what_they_enclosed(translator):
    lines = {
        "Der Hund (Anna) schläft.": ["("],
        "[Der Hund] schläft.": ["["],
        "Dateien (Hund)": ["("],
        "Das Haus [mit {dem (kleinen) Hund}] ist klein.": ["[", "{", "("],
        "Das Haus ist (der Hund. Der Mann) schläft": ["("],
    }
    for (line, opened), text in zip(lines.items(), translator.translate(list(lines)), strict=True):
        assert re.sub(r"[^][(){}]", "", text) == re.sub(r"[^][(){}]", "", line)
        for mark in opened:
            inside = text.partition(mark)[2].partition(CLOSING[mark])[0]
            assert re.search(r"\w", inside), (line, text)


def test_rare_numbers_and_signs_are_copied_in_order():
    side = Preprocessor(MosesTokenizer("de"), protection=Protection())
    known = KnownWords.of({"der": 30, "2.": 1, "5": 40, ",": 50})
    line = "der 2. / 7. Hund , 5 Äpfel am 3. Mai 2024 ~ 5 {x}"
    [read] = side.read([line])
    sentence = line_sentence(read, side.protection, known=known)
    assert [words for *_, words in sentence.forced] == [
        ["2.", "/", "7."], ["3."], ["2024"], ["~", "5"], ["⟦placeholder⟧"]
    ]  # fmt: skip
    begin = sentence.words.index("3.")
    assert (begin, begin + 3) in sentence.zones


def test_straight_quotes_behind_words_open_nothing():
    for line, pairs in (
        ("the boys' 'Red' room", [(3, 6)]), ('12" and 5" of "it"', [(6, 9)]),
        ("'a' or \"b\"", [(0, 3), (4, 7)]),
    ):  # fmt: skip
        assert protected(line, SIDE).enclosures == pairs


def test_an_option_turns_protection_off(folder):
    assert main(["train", "--quiet", "--src", f"{folder}/train.de", "--tgt", f"{folder}/train.en",
                 "--dev-src", f"{folder}/dev.de", "--dev-ref", f"{folder}/dev.en", "--dry-run",
                 "--set", "text.protect=false", "--out", str(folder / "off")]) == 0  # fmt: skip
