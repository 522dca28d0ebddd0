"""The native rules against sacremoses, which they must repeat word for word."""

import functools
import lzma
import unicodedata

import pytest
import sacremoses
from hypothesis import assume, given
from hypothesis import strategies as st
from sacremoses.util import is_cjk

from reference.texts import has_marks, lines, without_space
from tunesmith.base.errors import OptionError
from tunesmith.corpus.moses import native_tokenizer
from tunesmith.corpus.tokenizers import MosesTokenizer

LANGUAGES = ["en", "de", "fr", "it", "fi", "zh", "ja", "ko", "ga", "xx"]


@functools.cache
def reference_tokenizer(language):
    return sacremoses.MosesTokenizer(lang=language)


def theirs(language, text, **options):
    return " ".join(reference_tokenizer(language).tokenize(text, escape=False, **options))


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=lines())
def test_words_are_those_of_sacremoses(language, text):
    assume(not has_marks(text))
    assert MosesTokenizer(language).tokenize([text]) == [theirs(language, text)]


@given(text=lines())
def test_split_hyphens_is_sacremoses_aggressive_mode(text):
    assume(not has_marks(text))
    ours = MosesTokenizer("de", split_hyphens=True).tokenize([text])
    assert ours == [theirs("de", text, aggressive_dash_splits=True)]


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=lines())
def test_joined_as_sacremoses_joins(language, text):
    detokenizer = sacremoses.MosesDetokenizer(lang=language)
    assert MosesTokenizer(language).detokenize([text]) == [
        detokenizer.detokenize(text.split(), unescape=False)
    ]


def test_the_same_characters_join_without_spaces_as_in_sacremoses():
    """At both ends of every run of characters that it joins, and one beyond."""
    cjk = [is_cjk(chr(point)) for point in range(0x30000)]
    edges = [point for point in range(1, len(cjk)) if cjk[point] != cjk[point - 1]]
    assert len(edges) > 10
    text = [
        f"{chr(point)} {chr(point)} a"
        for edge in edges
        for point in range(edge - 2, edge + 2)
        if unicodedata.category(chr(point)) not in ("Cs", "Zs")
    ]
    back = sacremoses.MosesDetokenizer(lang="ja")
    assert MosesTokenizer("ja").detokenize(text) == [
        back.detokenize(line.split(), unescape=False) for line in text
    ]


@pytest.mark.parametrize(
    ("folder", "language"),
    [
        ("europarl-4way", "en"),
        ("europarl-4way", "de"),
        ("europarl-4way", "fr"),
        ("europarl-4way", "es"),
        ("kyoto-ja-en", "ja"),
        ("techdocs-zh-en", "zh"),
    ],
)
def test_real_text(data, folder, language):
    with lzma.open(data / folder / f"dev.{language}.xz", "rt", encoding="utf-8") as stream:
        text = [line.rstrip("\n") for line in stream][:300]
    tokenizer = MosesTokenizer(language)
    words = tokenizer.tokenize(text)
    reference = sacremoses.MosesTokenizer(lang=language)
    assert words == [" ".join(reference.tokenize(line, escape=False)) for line in text]
    back = sacremoses.MosesDetokenizer(lang=language)
    assert tokenizer.detokenize(words) == [
        back.detokenize(line.split(), unescape=False) for line in words
    ]


@given(text=lines(), language=st.sampled_from(LANGUAGES))
def test_no_character_is_lost_or_added(text, language):
    tokenizer = MosesTokenizer(language)
    (words,) = tokenizer.tokenize([text])
    assert without_space(words) == without_space(text)
    assert words == " ".join(words.split(" "))
    assert "" not in words.split(" ") or words == ""
    (back,) = tokenizer.detokenize([words])
    assert without_space(back) == without_space(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cafe\u0301s", "cafe\u0301s"),
        ("👩‍👩‍👧!", "👩‍👩‍👧 !"),
        ("Hi 👍🏽👍🏽", "Hi 👍🏽 👍🏽"),
        ("🇩🇪🇫🇷", "🇩🇪 🇫🇷"),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿.", "🏴󠁧󠁢󠁥󠁮󠁧󠁿 ."),
        ("می‌خواهم.", "می‌خواهم ."),
        ("शुक्रिया।", "शुक्रिया ।"),
        ("DOTDOTMULTI a..b DOTMULTI.", "DOTDOTMULTI a .. b DOTMULTI ."),
        ("a | b||c <b>x</b> [X][X]", "a | b | | c < b > x < / b > [ X ] [ X ]"),
        ("a\u2028b\u00a0c\td\x01e", "a b c de"),
    ],
)
def test_nothing_is_torn_apart(text, words):
    assert MosesTokenizer("en").tokenize([text]) == [words]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "\"It's the Joneses' house\", he said (twice): $5,000 and 3.5%..."),
        ("de", "„Das kostet 3,50 €“, sagte er; z.B. am 3. Mai!"),
        ("fr", "L'eau, c'est l'essentiel ; n'est-ce pas ?"),
        ("cs", "Bude-li pršet, pošli e-mail: 3,14."),
        ("zh", "我们在北京见面。"),
        ("ar", "مرحبا بالعالم."),
        ("he", "שלום עולם!"),
        ("hi", "नमस्ते दुनिया।"),
    ],
)
def test_ordinary_sentences_come_back(language, text):
    tokenizer = MosesTokenizer(language)
    if language in ("zh", "hi"):  # whose full stops Moses leaves behind a space
        text = text[:-1]
    assert tokenizer.detokenize(tokenizer.tokenize([text])) == [text]


def test_any_number_of_threads_gives_the_same_lines():
    text = [f"Line {i}: it's {i},{i % 10} %…" for i in range(3000)]
    tokenizer = MosesTokenizer("en")
    one = tokenizer.tokenize(text, engine=1)
    assert one == tokenizer.tokenize(text, engine=3)
    assert tokenizer.detokenize(one, engine=1) == tokenizer.detokenize(one, engine=3)


def test_white_space_is_pythons():
    spaces = [chr(c) for c in range(0x110000) if chr(c).isspace()]
    native = native_tokenizer("xx", False)
    assert native.tokenize(spaces, 1) == [""] * len(spaces)
    assert native.tokenize([f"a{space}b" for space in spaces], 1) == ["a b"] * len(spaces)


def test_a_lone_surrogate_is_refused():
    with pytest.raises(OptionError, match="line 1 has a lone surrogate"):
        MosesTokenizer().tokenize(["\udcff"])
