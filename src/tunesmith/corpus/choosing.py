"""Which tokeniser a text needs, and which language an unspaced script says it is, from a sample."""

from collections.abc import Sequence
from dataclasses import dataclass

from tunesmith.corpus.unspaced import count

# Spaces between letters of an unspaced script, for each letter: raw Chinese has 0.00, raw Thai and
# Burmese up to 0.05, segmented text 0.3 and more.
SEGMENTED_SPACES = 0.15
# Script → language, where a text of that script is of one language.
_LANGUAGES = {"Thai": "th", "Lao": "lo", "Khmer": "km", "Myanmar": "my"}
_MANY_KANA = 0.05


@dataclass(frozen=True)
class TextKind:
    """What a sample of a text shows."""

    tokenizer: str
    """The tokeniser that it needs: moses or unigram."""
    language: str = ""
    """The language, if the script says it."""
    is_segmented: bool = False
    """Whether spaces were put between the words of an unspaced script."""


def kind_of(lines: Sequence[str]) -> TextKind:
    """What kind of text this is.

    >>> kind_of(["Ein Haus."]).tokenizer, kind_of(["本仓库包含了所有文档。"]).tokenizer
    ('moses', 'unigram')
    >>> kind_of(["本 仓库 包含 了 所有 文档 。"])
    TextKind(tokenizer='moses', language='zh', is_segmented=True)
    """
    # Technical Chinese has more Latin letters than its own, but fewer words of them.
    own, others = count(r"[{run}]", lines), count(r"[\p{L}--[{run}]]+", lines)
    if own <= others:
        return TextKind("moses")
    spaces = count(r"(?<=[{run}])\s+(?=[{run}])", lines)
    segmented = spaces >= SEGMENTED_SPACES * own
    return TextKind("moses" if segmented else "unigram", _language(lines, own), segmented)


def _language(lines: Sequence[str], letters: int) -> str:
    for script, language in _LANGUAGES.items():
        if count(rf"\p{{{script}}}", lines) * 2 > letters:
            return language
    kana = count(r"[\p{Hiragana}\p{Katakana}]", lines)
    return "ja" if kana >= _MANY_KANA * letters else "zh"
