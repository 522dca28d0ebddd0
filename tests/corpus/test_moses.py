"""The native rules against sacremoses, which they repeat word for word but for what they say."""

import functools
import lzma
import re

import pytest
import sacremoses
from hypothesis import assume, given
from hypothesis import strategies as st

from reference.texts import has_marks, lines, without_space
from tunesmith.base.errors import OptionError
from tunesmith.corpus.moses import letters, native_tokenizer
from tunesmith.corpus.spacing import SPACES
from tunesmith.corpus.tokenizers import MosesTokenizer

LANGUAGES = ["en", "de", "fr", "it", "fi", "zh", "ja", "ko", "ga", "xx"]
# Where the rules differ on purpose: apostrophes, operators, dashes between words, marks inside
# words, full-width punctuation and white space of no width.
WIDE = re.compile(r"([\u3000-\u3004\u3008-\u3020\u3030\u30fb\uff01-\uff0f\uff1a-\uff65])")
DIFFERENT = re.compile(
    r"['’ʼ]|[-=<]>|=>|<[-=]|[<>!=]=|--|[\u2010\u2011·״]|\w:\w|[א-ת]\"|[^ ][、-〄〈-〠〰・！-／：-･]"
    r"|[\xad\u061c\u200b\u200e\u200f\u2060\ufeff]"
)


@functools.cache
def reference_tokenizer(language):
    return sacremoses.MosesTokenizer(lang=language)


@functools.cache
def new_letters(language):
    return set(letters()) - set(reference_tokenizer(language).IsAlnum)


def theirs(language, text, **options):
    return " ".join(reference_tokenizer(language).tokenize(text, escape=False, **options))


def is_different(language, text):
    return bool(has_marks(text) or DIFFERENT.search(text) or set(text) & new_letters(language))


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=lines())
def test_words_are_those_of_sacremoses(language, text):
    text = DIFFERENT.sub("", text)
    assume(not is_different(language, text))
    assert MosesTokenizer(language).tokenize([text]) == [theirs(language, text)]


@given(text=lines())
def test_split_hyphens_is_sacremoses_aggressive_mode(text):
    text = DIFFERENT.sub("", text)
    assume(not is_different("de", text))
    ours = MosesTokenizer("de", split_hyphens=True).tokenize([text])
    assert ours == [theirs("de", text, aggressive_dash_splits=True)]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "it's the Joneses' house in the 1990's (don't)"),
        ("en", "a 'b' c 5'11 'em"),
        ("fr", "l'eau d'or, dit-il"),
        ("it", "un po' d'acqua dell'orto 'nuovo' qui"),
    ],
)
def test_apostrophes_inside_a_line_are_those_of_sacremoses(language, text):
    assert MosesTokenizer(language).tokenize([text]) == [theirs(language, text)]


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
        text = [WIDE.sub(r" \1 ", line.rstrip("\n")) for line in stream]
    text = [line for line in text if not is_different(language, line)][:300]
    assert len(text) == 300
    assert MosesTokenizer(language).tokenize(text) == [theirs(language, line) for line in text]


@given(text=lines(), language=st.sampled_from(LANGUAGES))
def test_no_character_is_lost_or_added(text, language):
    tokenizer = MosesTokenizer(language)
    (words,) = tokenizer.tokenize([text])
    text = text.translate(dict.fromkeys(map(ord, SPACES)))
    assert without_space(words) == without_space(text)
    assert words == " ".join(words.split(" "))
    assert "" not in words.split(" ") or words == ""
    (back,) = tokenizer.detokenize([words.replace("@-@", "@")])
    assert without_space(back) == without_space(words.replace("@-@", "@"))


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
        ("Donau\u00addampf", "Donau\u00addampf"),
        ("5 m² ½", "5 m² ½"),
    ],
)
def test_nothing_is_torn_apart(text, words):
    assert MosesTokenizer("en").tokenize([text]) == [words]


@pytest.mark.parametrize("mark", "'’ʼ")
@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "Tom's Auto", "Tom 's Auto"),
        ("en", "they don't; 1990's", "they don 't ; 1990 's"),
        ("en", "'Yes' and 'no'", "' Yes ' and ' no '"),
        ("en", "the dogs'", "the dogs '"),
        ("fr", "l'eau de l'été", "l' eau de l' été"),
        ("ca", "l'home", "l' home"),
        ("uk", "п'ять об'єктів", "п'ять об'єктів"),
        ("tr", "Ankara'da", "Ankara'da"),
    ],
)
def test_all_apostrophes_are_alike(language, text, words, mark):
    tokenised = MosesTokenizer(language).tokenize([text.replace("'", mark)])
    assert tokenised == [words.replace("'", mark)]


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "a->b => c <- d <=e x!=y <-- z", "a -> b => c <- d <= e x != y <-- z"),
        ("en", "this--that, but --this <--that", "this -- that , but --this < --that"),
        ("en", "“Yes”…no—maybe 1–2", "“ Yes ” … no — maybe 1 – 2"),
        ("en", "A/B and A / B", "A / B and A / B"),
        ("fr", "« Oui\u202f», dit-il\u00a0!", "« Oui » , dit-il !"),
        ("zh", "请参阅KEP。（API）", "请参阅KEP 。 （ API ）"),
        ("ja", "KEP、API", "KEP 、 API"),
        ("fi", "EU:n jäsen: ei", "EU:n jäsen : ei"),
        ("ca", "col·lecció · altra", "col·lecció · altra"),
        ("he", 'צה"ל "שלום"', 'צה"ל " שלום "'),
        ("de", "E‑Mail", "E‑Mail"),
        ("km", "ខ្ញុំ\u200bទិញ", "ខ្ញុំ ទិញ"),
        ("en", "서울 2²", "서울 2²"),
    ],
)
def test_marks_of_running_text(language, text, words):
    assert MosesTokenizer(language).tokenize([text]) == [words]


def test_any_number_of_threads_gives_the_same_lines():
    text = [f"Line {i}: it's {i},{i % 10} %…" for i in range(3000)]
    tokenizer = MosesTokenizer("en")
    one = tokenizer.tokenize(text, engine=1)
    assert one == tokenizer.tokenize(text, engine=3)
    assert tokenizer.detokenize(one, engine=1) == tokenizer.detokenize(one, engine=3)


def test_white_space_is_pythons_and_that_of_no_width():
    native = native_tokenizer("xx", False)
    assert native.tokenize(list(SPACES), 1) == [""] * len(SPACES)
    assert native.tokenize([f"a{space}b" for space in SPACES], 1) == ["a b"] * len(SPACES)
    assert [c for c in map(chr, range(0x110000)) if c.isspace() and c not in SPACES] == []


def test_a_lone_surrogate_is_refused():
    with pytest.raises(OptionError, match="line 1 has a lone surrogate"):
        MosesTokenizer().tokenize(["\udcff"])
