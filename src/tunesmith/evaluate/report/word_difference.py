"""Where lines differ, word by word."""

from collections.abc import Sequence
from difflib import SequenceMatcher

import regex

from tunesmith.evaluate.report.parts import Word

# Letters and digits with what joins them; of scripts without spaces every character; else anything.
_WORD = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]\p{M}*"
    r"|(?:(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}])[\p{L}\p{M}\p{N}])+"
    r"(?:['’\-][\p{L}\p{M}\p{N}]+)*|\S"
)


def words_of(line: str) -> list[Word]:
    """The words of a line; put together again, spaces as single ones, they are the line.

    >>> [word.text for word in words_of("It's 3,5 m.")]
    ["It's", '3', ',', '5', 'm', '.']
    """
    return [
        Word(match[0], match.start() > 0 and line[match.start() - 1].isspace())
        for match in _WORD.finditer(line)
    ]


def unmatched(line: Sequence[Word], other: Sequence[Word]) -> list[bool]:
    """For each word whether `other` lacks it at its place.

    >>> unmatched(words_of("a b c"), words_of("a c d"))
    [False, True, False]
    """
    found = [True] * len(line)
    matcher = SequenceMatcher(
        None, [word.text for word in line], [word.text for word in other], autojunk=False
    )
    for block in matcher.get_matching_blocks():
        found[block.a : block.a + block.size] = [False] * block.size
    return found


def marked(line: str, references: Sequence[str], other: str | None = None) -> list[Word]:
    """The words of an output, marked where they differ from another one and from the references.

    Of several references the one counts that has most of the words.
    """
    words = words_of(line)
    missing = min(
        (unmatched(words, words_of(reference)) for reference in references),
        key=sum,
        default=[False] * len(words),
    )
    changed = [False] * len(words) if other is None else unmatched(words, words_of(other))
    return [
        Word(word.text, word.spaced, differs, lacks)
        for word, differs, lacks in zip(words, changed, missing, strict=True)
    ]
