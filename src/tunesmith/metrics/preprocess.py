"""What happens to text before it is counted: sacreBLEU's tokenisers, Python's lower-casing."""

from collections.abc import Callable
from functools import lru_cache

from tunesmith import _core
from tunesmith.base.errors import OptionError

#: Tokenisers that run natively; all others of sacreBLEU are called in Python.
NATIVE_TOKENIZERS = ("none", "13a")

#: sacreBLEU's other tokenisers by name, to their classes there (imported only when it is used).
SACREBLEU_TOKENIZERS = {
    "char": "tokenizer_char.TokenizerChar",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "intl": "tokenizer_intl.TokenizerV14International",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
}

TOKENIZERS = (*NATIVE_TOKENIZERS, *SACREBLEU_TOKENIZERS)

# Characters above are no letters with case, in any version of Unicode so far (a test looks).
_LAST_CASED = 0x1F000


@lru_cache(maxsize=1)
def native_lowercase() -> _core.Lowercase:
    """`str.lower` for native code, as a table."""
    letters = {}
    for code in range(0x80, _LAST_CASED):
        character = chr(code)
        lower = character.lower()
        if lower != character:
            letters[code] = lower
    return _core.Lowercase(letters, str.lower)


def native_preprocess(
    *,
    tokenize: str = "none",
    lowercase: bool = False,
    text_filter: Callable[[str], str] | None = None,
) -> _core.Preprocess:
    """The native object that prepares text for counting words.

    A `text_filter` takes the place of the tokeniser; threads may call it, one at a time.
    """
    lower = native_lowercase() if lowercase else None
    if text_filter is None and tokenize not in NATIVE_TOKENIZERS:
        text_filter = sacrebleu_tokenizer(tokenize)
    return _core.Preprocess(lower, "none" if text_filter else tokenize, text_filter)


def sacrebleu_tokenizer(name: str) -> Callable[[str], str]:
    """One of sacreBLEU's own tokenisers."""
    from importlib import import_module

    if name not in SACREBLEU_TOKENIZERS:
        raise OptionError(f"no tokeniser '{name}', expected one of {', '.join(TOKENIZERS)}")
    module, cls = SACREBLEU_TOKENIZERS[name].split(".")
    try:
        tokenizer = getattr(import_module(f"sacrebleu.tokenizers.{module}"), cls)()
    except (ImportError, RuntimeError) as error:
        raise OptionError(
            f"tokeniser '{name}' needs more than is installed: {error}; "
            "install what sacreBLEU asks for"
        ) from error
    return lambda text: str(tokenizer(text))


def tokenize_13a(text: str) -> str:
    """`text` as sacreBLEU's 13a tokeniser has it (that of NIST's mteval).

    >>> tokenize_13a("It's 3.5%, really.")
    "It's 3.5 % , really ."
    """
    return " ".join(_core.tokenize_13a(text.rstrip()).split())
