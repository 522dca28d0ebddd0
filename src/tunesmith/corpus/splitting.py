"""`SentenceSplitter`: paragraphs as sentences, by punctuation and Moses' lists of abbreviations."""

import re
from bisect import bisect_left
from functools import cached_property

from tunesmith.corpus.protected import TAG, find_units

# A full stop or its like, with quotes, brackets and end tags behind it, before white space; in
# scripts without spaces it needs none.
_END = re.compile(
    r"[.?!…]+[\"'”’»›)\]]*(?:[ \u00a0\u202f]»)?(?:</[^<>]*>)*(?=\s)"
    r"|[。！？｡︒]+[」』”’）》〉]*|[।؟۔።]+(?=\s)"
)
# Around words, of which these many characters tell whether they are abbreviations.
_BORDER = re.compile(r"[\s(\[\"'“„‘«<>/-]")
_LONGEST = 100
# What may stand before the first letter of a sentence.
_BEGIN = re.compile(r"\s*(?:<[^<>]*>|[\"'“„‘‚«‹(\[¿¡—–-]|\s)*")


class SentenceSplitter:
    """Finds sentences in a paragraph.

    Parameters
    ----------
    language
        Two letters; decides about abbreviations, as for Moses' tokeniser.

    >>> SentenceSplitter("en").split("Dr. No is here. Is he? Yes!  See a.b at 3.5.")
    ['Dr. No is here.', 'Is he?', 'Yes!', 'See a.b at 3.5.']
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language

    def split(self, text: str) -> list[str]:
        """The sentences of a paragraph, without the white space around them."""
        return [text[begin:end] for begin, end in self.spans(text)]

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Where the sentences are; between them is white space only."""
        units = [unit for unit in find_units(text) if unit.kind != TAG]
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
        return [(first, last) for first, last in stripped if first < last]

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


def _stripped(text: str, begin: int, end: int) -> tuple[int, int]:
    piece = text[begin:end]
    begin += len(piece) - len(piece.lstrip())
    return begin, max(begin, begin + len(piece.strip()))
