"""`SentenceSplitter`: paragraphs as sentences, by punctuation and Moses' lists of abbreviations."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

from tunesmith.corpus.protected import TAG, find_units
from tunesmith.corpus.unspaced import pattern

# A full stop or its like, with quotes, brackets and end tags behind it, before white space; in
# scripts without spaces it needs none.
_END = re.compile(
    r"(?<![.?!…])[.?!…]++[\"'”’»›)\]]*+(?:[ \u00a0\u202f]»)?(?:</[^<>]*>)*(?=\s)"
    r"|[。！？｡︒]+[」』”’）》〉]*|(?<![।؟۔።])[।؟۔።]++(?=\s)"
)
# Around words, of which these many characters tell whether they are abbreviations.
_BORDER = re.compile(r"[\s(\[\"'“„‘«<>/-]")
_LONGEST = 100
# What may stand before the first letter of a sentence.
_BEGIN = re.compile(r"\s*(?:<[^<>]*>|[\"'“„‘‚«‹(\[¿¡—–-]|\s)*")


# A sentence of more words is cut: longer ones are not learned from either, and search is slow.
LONGEST_SENTENCE = 100
# Minimum number of words of a sentence found inside such a long one.
_SHORTEST = 4


class SentenceSplitter:
    """Finds sentences in a paragraph.

    A sentence of more than `LONGEST_SENTENCE` words is cut where others seem to begin, and what is
    still too long at the last mark, or else the last space, within that limit.

    Parameters
    ----------
    language
        Two letters; decides about abbreviations, as for Moses' tokeniser.
    begins
        Whether a word with a capital seems to begin a sentence, as it is no name.

    >>> SentenceSplitter("en").split("Dr. No is here. Is he? Yes!  See a.b at 3.5.")
    ['Dr. No is here.', 'Is he?', 'Yes!', 'See a.b at 3.5.']
    """

    def __init__(self, language: str = "en", begins: Callable[[str], bool] | None = None) -> None:
        self.language, self.begins = language, begins

    def split(self, text: str) -> list[str]:
        """The sentences of a paragraph, without the white space around them."""
        return [text[begin:end] for begin, end in self.spans(text)]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the sentences are; between them is white space only."""
        all_units = find_units(text)
        units = [unit for unit in all_units if unit.kind != TAG]
        begins, behind_units = [unit.begin for unit in units], {unit.end for unit in units}
        # A full stop at the end of a unit may end a sentence; that of “1.” in front of a line not.
        ends = [unit.end - (unit.kind != "bullet") for unit in units]
        spans: list[tuple[int, int]] = []
        begin = 0
        for found in _END.finditer(text):
            before = bisect_left(begins, found.end())  # units follow each other
            inside = before > 0 and found.start() < ends[before - 1]
            if not inside and self._ends(text, found, found.start() in behind_units):
                spans.append((begin, found.end()))
                begin = found.end()
        stripped = [_stripped(text, *span) for span in (*spans, (begin, len(text)))]
        places = [(unit.begin, unit.end) for unit in all_units]
        return [
            piece
            for first, last in stripped
            if first < last
            for piece in self._pieces(text, first, last, places)
        ]

    def _pieces(
        self, text: str, begin: int, end: int, units: list[tuple[int, int]]
    ) -> Iterator[tuple[int, int]]:
        """A sentence, cut if it is too long; not inside of units."""
        words = [] if end - begin <= LONGEST_SENTENCE else list(_words().finditer(text, begin, end))
        if len(words) <= LONGEST_SENTENCE:
            yield begin, end
            return
        behind = bisect_left(units, (begin, begin))
        # How good a place before each word is: where a sentence begins, behind a mark, behind a
        # space, between two units, none.
        ranks = []
        for number, word in enumerate(words):
            place, before = word.start(), text[word.start() - 1 : word.start()]
            while behind < len(units) and units[behind][1] <= place:
                behind += 1
            is_inside = behind < len(units) and units[behind][0] < place
            is_unspaced = word["run"] is not None and number > 0 and words[number - 1]["run"]
            if is_inside or not (before.isspace() or before in _WIDE_MARKS or is_unspaced):
                between = 0 < behind < len(units) and units[behind - 1][1] == units[behind][0]
                ranks.append(int(between and units[behind][0] == place))
            elif self._begins(word[0]):
                ranks.append(_SENTENCE)
            else:
                mark = words[number - 1][0] if before.isspace() and number else before
                ranks.append(3 if mark in _MARKS or mark in _WIDE_MARKS else 2)
        for first, last in _cuts(ranks):
            stop = end if last == len(words) else words[last].start()
            yield _stripped(text, words[first].start() if first else begin, stop)

    def _begins(self, word: str) -> bool:
        is_capital = word[:1].isupper() and (word[1:].islower() or len(word) == 1)
        return is_capital and self.begins is not None and self.begins(word)

    def _ends(self, text: str, found: re.Match[str], behind_unit: bool) -> bool:
        """Whether a sentence ends at a mark; the word before it is an abbreviation or a unit."""
        if found[0][0] in "。！？｡︒":
            return True
        place = _BEGIN.match(text, found.end()).end()  # type: ignore[union-attr]
        behind = text[place : place + 1]
        if not behind or behind.islower():
            return False
        if behind_unit or not found[0].startswith(".") or found[0].startswith(".."):
            return True
        word = _BORDER.split(text[max(0, found.start() - _LONGEST) : found.start()])[-1]
        if word in self._numeric:
            return not behind.isdigit()
        if behind.isdigit() and word[:1].isupper() and len(word) <= 4:
            return False  # “Fig. 3”
        is_initial = len(word) == 1 and word.isalpha() and word.isupper()
        # “e.g.” and the like are no ends; “U.S.” may be, but more often is not.
        return not (word in self._abbreviations or is_initial or "." in word.strip("."))

    @cached_property
    def _rules(self) -> tuple[frozenset[str], frozenset[str]]:
        from sacremoses import MosesTokenizer

        rules = MosesTokenizer(lang=self.language)
        numeric = frozenset(rules.NUMERIC_ONLY_PREFIXES)
        return frozenset(rules.NONBREAKING_PREFIXES) - numeric, numeric

    @property
    def _abbreviations(self) -> frozenset[str]:
        return self._rules[0]

    @property
    def _numeric(self) -> frozenset[str]:
        return self._rules[1]


_SENTENCE = 4
_MARKS, _WIDE_MARKS = frozenset(";:,–—"), frozenset("，、；：")


@cache
def _words() -> Any:
    """About what tokenisers make of a text, each letter of a script without spaces by itself."""
    return pattern(r"(?P<run>[{run}])|[[\p{L}\p{N}\p{M}]--[{run}]]+|[^\s\p{L}\p{N}\p{M}]")


def _cuts(ranks: list[int]) -> Iterator[tuple[int, int]]:
    """Pieces of words, cut where the ranks of places are high."""
    begins = [0]
    for number, rank in enumerate(ranks):
        if rank == _SENTENCE and number - begins[-1] >= _SHORTEST:
            begins.append(number)
    for begin, end in pairwise([*begins, len(ranks)]):
        while end - begin > LONGEST_SENTENCE:
            within = range(begin + LONGEST_SENTENCE // 2, begin + LONGEST_SENTENCE + 1)
            best = max(within, key=lambda number: (ranks[number], number))
            if not ranks[best]:  # a word without an end
                best = next((n for n in range(within.stop, end) if ranks[n]), end)
            yield begin, best
            begin = best
        if begin < end:
            yield begin, end


def _stripped(text: str, begin: int, end: int) -> tuple[int, int]:
    piece = text[begin:end]
    begin += len(piece) - len(piece.lstrip())
    return begin, max(begin, begin + len(piece.strip()))
