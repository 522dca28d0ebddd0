"""Text of a language without blanks in which somebody has put blanks between the words.

The tokeniser's rules for European languages make a word of every Chinese character, which is the
best that can be done to running text. In segmented text they would undo the segmenter's work.
"""

import re
from collections.abc import Sequence

from tunesmith.base.log import log

# Languages whose own rules leave words as they are.
LANGUAGES = ("zh", "ja")
# Segmented text has this many words a line at least, and they are this long at most: of those of
# Kyoto's and of technical documentation few have more than four characters; running text has
# blanks at most around Latin words, and 10 or 20 characters between them.
LEAST_WORDS, LONGEST_MEAN, LEAST_SHARE = 4.0, 4.0, 0.3

_KANA = re.compile("[\u3041-\u30ff]")
_LETTERS = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")


def segmented_language(lines: Sequence[str]) -> str:
    """The language of segmented text, ``ja`` or ``zh``; nothing for any other text.

    >>> segmented_language(["我们 明天 去 北京 。"]), segmented_language(["京都 に 行き たい 。"])
    ('zh', 'ja')
    >>> segmented_language(["我们明天去北京。", "das alte Haus am See"])
    ''
    """
    words = [word for line in lines for word in line.split()]
    theirs = [word for word in words if _LETTERS.fullmatch(word)]
    if (
        len(words) < LEAST_WORDS * len(lines)
        or len(theirs) < LEAST_SHARE * max(len(words), 1)
        or sum(map(len, theirs)) > LONGEST_MEAN * len(theirs)
    ):
        return ""
    return "ja" if any(map(_KANA.search, theirs)) else "zh"


def tokeniser_language(given: str, lines: Sequence[str], side: str) -> str:
    """The language whose rules fit `lines`: the given one, unless they would cut words apart."""
    found = "" if given in LANGUAGES else segmented_language(lines)
    if found:
        log.info(
            "%s: segmented text, whose words stay as they are (--%s-language %s)", side, side, found
        )
    return found or given
