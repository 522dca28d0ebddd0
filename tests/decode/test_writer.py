"""The writer: copies appear as they stood in the source, the rest as the target writes it."""

import pytest

from tunesmith.base.derivation import DerivationStep
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.casing import Lowercase
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.tokenizers import MosesTokenizer
from tunesmith.decode.protection import line_sentence
from tunesmith.decode.writer import write

GERMAN = Preprocessor(MosesTokenizer("de"), protection=Protection())


def translated(raw, order, side=GERMAN, known=None):
    """Source words in this order, each copied unless `known` has a translation."""
    sentence = line_sentence(side.read([raw])[0], side.protection)
    known = known or {}
    words = [known.get(sentence.words[i], sentence.words[i]) for i in order]
    steps = [
        DerivationStep(i, i + 1, place, place + 1, 0, 0 if sentence.words[i] in known else -1)
        for place, i in enumerate(order)
    ]
    return write(Preprocessor(MosesTokenizer("en")), sentence, steps, words, words)


@pytest.mark.parametrize(
    ("raw", "order", "text"),
    [
        ("Rot/Weiß", [0, 1, 2], "Rot/Weiß"),
        ("A  B", [0, 1], "A  B"),
        ("A\u00a0B", [0, 1], "A\u00a0B"),
        ("A B", [1, 0], "B A"),
        ("A -> B", [0, 1, 2], "A -> B"),
        ("{a} so {b}", [0, 2, 1], "{a} {b} so"),
        ("--a=1 in --b", [1, 2, 0], "in --b --a=1"),
    ],
)
def test_copied_neighbours_keep_the_white_space_of_the_source(raw, order, text):
    assert translated(raw, order) == text


def test_words_that_were_copied_together_keep_their_white_space():
    sentence = line_sentence(GERMAN.read(["20°C  =x"])[0], GERMAN.protection)
    size = len(sentence.words)
    step = DerivationStep(0, size, 0, size, 0, -1)
    words = sentence.words
    english = Preprocessor(MosesTokenizer("en"))
    assert write(english, sentence, [step], words, words) == "20°C  =x"


def test_marks_that_are_translated_are_spaced_as_the_target_does():
    assert translated("Vogelsang , na", [0, 1, 2], known={",": ",", "na": "so"}) == "Vogelsang, so"


def test_an_unknown_compound_is_copied_once_and_whole():
    side = Preprocessor(MosesTokenizer("de"), Lowercase())
    side.compounds = CompoundSplitter().fit(["der hund vor der hütte", "ein hund , eine hütte"])
    assert translated("Die HundeHütte", [0, 1, 2], side) == "Die HundeHütte"
    assert translated("Die HundeHütte", [0, 1, 2], side, {"hund": "dog"}) == "Die dog hütte"


def test_a_lower_cased_word_that_is_copied_has_its_capitals_again():
    side = Preprocessor(MosesTokenizer("de"), Lowercase())
    assert translated("Herr McDonald", [0, 1], side, {"herr": "mr"}) == "mr McDonald"
