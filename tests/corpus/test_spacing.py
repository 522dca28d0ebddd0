"""White space between words: rules without evidence, and what is learned from running text."""

import json
import pickle

import pytest

from tunesmith.base.errors import ConfigError
from tunesmith.corpus.lines import find_spans
from tunesmith.corpus.preprocess import Preprocessor
from tunesmith.corpus.spacing import Spacing, is_tokenised
from tunesmith.corpus.tokenizers import MosesTokenizer, UnigramTokenizer


def learned(language, text):
    words = MosesTokenizer(language).tokenize(text)
    spans = [find_spans(line, cut.split()) for line, cut in zip(text, words, strict=True)]
    return Spacing(language).fit(text, spans)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "\"It's the Joneses' house\", he said (twice): $5,000 and 3.5%..."),
        ("de", "„Das kostet 3,50 €“, sagte er; z.B. am 3. Mai!"),
        ("fr", "L'eau, c'est l'essentiel ; n'est-ce pas ?"),
        ("cs", "Bude-li pršet, pošli e-mail: 3,14."),
        ("zh", "我们在北京见面。"),
        ("ar", "مرحبا بالعالم، أهلا؟"),
        ("he", "שלום עולם!"),
        ("hi", "नमस्ते दुनिया।"),
        ("es", "¿Qué? ¡Sí! «Bueno», dijo."),
        ("sv", "”Ja”, sade han."),
        ("en", "“It’s ‘fine’,” she said – and/or not."),
    ],
)
def test_rules_without_evidence(language, text):
    tokenizer = MosesTokenizer(language)
    assert tokenizer.detokenize(tokenizer.tokenize([text])) == [text]


FRENCH = ["« Oui\u202f», dit-il\u00a0: pourquoi\u202f? Non\u202f! Bon\u202f; « Ah\u202f»."] * 2
GERMAN = ["„Ja“, sagte sie – »nein« und/oder 5 % (ca. 3-4 %).", "Um 12:30 Uhr: 1990–1995."] * 2
GUILLEMETS = ["Er sagte: »Ja«, und sie »Nein«."] * 3


@pytest.mark.parametrize(
    ("language", "training", "text"),
    [
        ("fr", FRENCH, "Quoi\u202f? Voilà\u00a0: « Rien\u202f»."),
        ("de", GERMAN, "„Nein“, rief er – 12 % und/oder 10–12."),
        ("de", GERMAN, "Um 9:15 Uhr: »gut«."),
        ("de", GUILLEMETS, "»Wer?«, fragte »einer«."),
        ("en", ["He - or she - came.", "A well-known man - here."], "It - no - is."),
        ("en", ["rock / pop", "jazz / blues / soul"], "black / white"),
        ("en", ["either/or", "and/or"], "black/white"),
        ("zh", ["使用 API 的网站。", "安装 Python 软件。"], "使用 Docker 的软件。"),
        ("zh", ["使用API的网站。", "安装Python软件。"], "使用Docker的软件。"),
        ("en", ['He said "yes" and "no".'] * 2, '"Yes", and "maybe" or "no".'),
        ("en", [*["Yes (no)."] * 9, 'Yes."', 'No."', "position( s )"], "Yes. ((No).) [A]"),
        ("it", ["l’acqua dell’orto, po’ di"], "l’arte è un po’ di"),
    ],
)
def test_spacing_is_that_of_the_training_text(language, training, text):
    words = MosesTokenizer(language).tokenize([text])
    assert learned(language, training).join(words) == [text]


def test_what_is_fixed_stays_and_its_neighbours_follow():
    spacing = learned("en", ["rock / pop", "either/or", "black / white", "and/or"])
    words = ["A", "/", "B", "."]
    assert spacing.spaces(words, ["", "", None, None]) == ["", "", "", ""]
    assert spacing.spaces(words, ["", "  ", None, None]) == ["", "  ", " ", ""]
    assert spacing.spaces([]) == []


def test_a_saved_one_is_the_same():
    spacing = learned("fr", FRENCH)
    text = MosesTokenizer("fr").tokenize(["Et « alors\u00a0» ? L'eau\u00a0!"])
    for again in (
        Spacing.from_dict(json.loads(json.dumps(spacing.to_dict()))),
        pickle.loads(pickle.dumps(spacing)),
    ):
        assert again.to_dict() == spacing.to_dict()
        assert again.join(text) == spacing.join(text)


@pytest.mark.parametrize(
    "values",
    [{}, {"language": "en"}, Spacing("en").to_dict() | {"counts": [["a", "b", 1]]}],
)
def test_a_broken_one_is_refused(values):
    with pytest.raises(ConfigError, match="spacing: "):
        Spacing.from_dict(values)


def test_no_words_are_kept():
    kept = json.dumps(learned("de", ["Fräulein Müller, Herr Meier!", "Die Oma ' s Haus"]).to_dict())
    assert not any(word in kept for word in ("Fräulein", "Müller", "Oma", "Haus"))


TOKENISED = ["a man , who sings .", "two men ( one old ) .", "dogs ' house ."]


def test_tokenised_text_teaches_nothing():
    spacing = learned("en", TOKENISED)
    assert spacing.is_tokenised
    assert is_tokenised(TOKENISED)
    assert Spacing.from_dict(spacing.to_dict()).is_tokenised
    assert spacing.join(["a dog , ( one ) ."]) == ["a dog, (one)."]


@pytest.mark.parametrize(
    "text", [GERMAN, FRENCH, ["No stop at all"], [""], [], ["Das Haus.", "Ein Haus ."]]
)
def test_running_text_is_not_taken_for_tokenised(text):
    assert not is_tokenised(text)
    assert not learned("de", text).is_tokenised


def test_which_apostrophe_a_text_prefers():
    assert learned("en", ["It’s Tom’s, isn't it?"]).apostrophe == "’"
    assert learned("en", ["It's Tom's, isn’t it?"]).apostrophe == "'"
    assert Spacing("en").apostrophe == "'"


def test_spaces_of_scripts_without_them_are_words():
    text = ["ចុច ថ្មី\u00a0។", "បើក ឡើង\u00a0។"]
    spans = [[(0, 3), (3, 4), (4, 8), (8, 9), (9, 10)], [(0, 3), (3, 4), (4, 7), (7, 8), (8, 9)]]
    spacing = Spacing("km").fit(text, spans)
    assert spacing.join(["ចុច ▁ ឡើង ▁ ។", "បើក ឡើង ។"]) == ["ចុច ឡើង\u00a0។", "បើកឡើង។"]
    assert spacing.spaces(["ចុច", "", "ឡើង", "", "។"]) == ["", "", " ", "", "\u00a0"]
    assert spacing.join(["a ▁ b"]) == ["a ▁ b"]


@pytest.mark.parametrize(
    ("tokenizer", "words", "text"),
    [
        (MosesTokenizer("de", split_hyphens=True), "ein EU @-@ Land - ja", "ein EU-Land - ja"),
        (UnigramTokenizer(), "ก ▁ ข ค", "ก ขค"),
    ],
)
def test_words_that_are_signs_are_written_as_what_they_stand_for(tokenizer, words, text):
    side = Preprocessor(tokenizer)
    written = side.write_words(words.split())
    spaces = side.spaces(words.split(), written, [None] * len(written))
    assert "".join(map("".join, zip(spaces, written, strict=True))) == text
    assert tokenizer.detokenize([words]) == [text]
