"""Native lower-casing and tokenisation: equal to Python's and to sacreBLEU's."""

import sys

from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from reference.random_text import TEXTS
from tunesmith import _core
from tunesmith.metrics.preprocess import native_lowercase, tokenize_13a

# What the tokeniser looks at, close together.
MARKS = st.text(alphabet="ab01.,-'\"&;<>()/ \t\n\u00a0é😀quotampltgskiped", max_size=24)


@given(st.one_of(TEXTS, MARKS))
@example("1.,2")
@example("1,.a -\n-")
@example("<ski<skipped>pped>")
@example("&amp;quot;&amp;lt;")
def test_13a(text):
    assert tokenize_13a(text) == Tokenizer13a()(text.rstrip())


def test_lowercase_of_every_character():
    lower = native_lowercase()
    every = "".join(chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code <= 0xDFFF)
    without_sigma = every.replace("Σ", "")
    assert lower(without_sigma) == without_sigma.lower()
    assert lower(every) == every.lower()


@given(st.text(alphabet="ΑΣσa.'\u0301 İ", max_size=12))
def test_lowercase_of_sigma_depends_on_its_place(text):
    assert native_lowercase()(text) == text.lower()


def test_white_space_is_what_python_splits_at():
    spaces = [chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()]
    others = [chr(code) for code in (0x180E, 0x200B, 0x2060, 0xFEFF, 0x2027, 0x202A, 0x3001)]
    preprocess = _core.Preprocess()
    for character in spaces + others:
        text = f"a{character}b"
        scorer = _core.BleuScorer([[text]], 1, _core.BleuLength.closest, preprocess)
        length = scorer.stats([text], _zero())[0, 2]
        assert length == len(text.split()), hex(ord(character))


def _zero():
    import numpy as np

    return np.zeros(1, np.uint32)
