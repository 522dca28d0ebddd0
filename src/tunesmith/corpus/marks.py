"""Typographic marks: which of them belong together, and what search sees of them.

The same mark has several shapes. Search sees apostrophes of words in the typewriter's, and in the
place of a mark that training text does not have, another shape of it that it has. What is written
in the end is a matter of the target's spacing (`tunesmith.corpus.spacing`).
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any
from unicodedata import east_asian_width

from tunesmith.base.json_text import checked

_BRACKETS = {"(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "【": "】", "〈": "〉",
             "《": "》", "「": "」", "『": "』", "〔": "〕", "⟨": "⟩"}  # fmt: skip
# Opening quotes and what closes each, over all languages: „Das“, “That”, »So«, «Ainsi», ”Ja”.
_QUOTES = {
    '"': '"', "'": "'", "``": "''", "“": "”", "„": "“”", "‟": "”", "”": "”", "«": "»", "»": "«»",
    "‘": "’", "‚": "‘’", "‹": "›", "›": "‹",
}  # fmt: skip
# Marks that wait for a partner and are looked at; with more, a line is no text.
_MOST_WAITING = 1000
_CLOSES = {**_BRACKETS, **_QUOTES}
_MARKS = frozenset("".join(_CLOSES) + "".join(_CLOSES.values())) | {"``", "''"}


def mark_pairs(words: Sequence[str], closing: Container[int] = ()) -> list[tuple[int, int]]:
    """The places of brackets and quotes that enclose something, outer pairs before inner ones.

    Pairs do not cross; a mark without a partner is in none of them. Marks at `closing` open none.

    >>> mark_pairs("er ( der „ Chef “ ) sagt )".split())
    [(1, 6), (3, 5)]
    """
    if _MARKS.isdisjoint(words):
        return []
    marks = (
        (n, word, "" if n in closing else _CLOSES.get(word, ""))
        for n, word in enumerate(words)
        if word in _MARKS
    )
    return sorted(pair for pair in matched(marks) if pair[1] - pair[0] > 1)


def matched(marks: Iterable[tuple[int, str, Container[str]]]) -> list[tuple[int, int]]:
    """Pair each closing mark with the last mark before it that it closes; pairs do not cross.

    A mark is its place, its name (empty if it only opens), and the names of what closes it.
    """
    waiting: list[tuple[int, Container[str]]] = []
    pairs: list[tuple[int, int]] = []
    for place, name, closing in marks:
        near = enumerate(islice(reversed(waiting), _MOST_WAITING), 1) if name else ()
        depth = next((n for n, one in near if name in one[1]), 0)
        if depth:
            pairs.append((waiting[-depth][0], place))
            del waiting[-depth:]
        elif closing:
            waiting.append((place, closing))
    return pairs


def pair_like(
    opening: str, openings: Mapping[str, int], closings: Mapping[str, int]
) -> tuple[str, str] | None:
    """The pair of marks that a text has in the place of one that begins with `opening`, if known.

    `openings` and `closings` say how often the text has each mark.

    >>> pair_like("„", {"“": 7, '"': 2}, {"”": 8}), pair_like("[", {}, {}), pair_like("《", {}, {})
    (('“', '”'), ('[', ']'), None)
    """
    shapes = [shape for shape in _SHAPES_OF.get(opening, (opening,)) if shape in _CLOSES]
    best = max(shapes, key=lambda shape: openings.get(shape, 0))
    if not openings.get(best):
        return (opening, _CLOSES[opening]) if opening in "([{" else None
    ends = ["''"] if best == "``" else list(_CLOSES[best])
    return best, max(ends, key=lambda shape: closings.get(shape, 0))


def is_sign(word: str) -> bool:
    """Whether a word is a number or a mark that many languages share and that encloses nothing.

    >>> [word for word in ("3.", "~", "№", "A4", "(", "。") if is_sign(word)]
    ['3.', '~', '№']
    """
    return word not in _MARKS and not any(c.isalpha() or east_asian_width(c) in "WF" for c in word)


_APOSTROPHE = re.compile(r"(?<=\w)[’ʼ]|[’ʼ](?=\w)")

# Shapes of one mark, the most common first.
_SHAPES = (
    ('"', "“", "”", "„", "«", "»", "‟", "''", "``"),
    ("'", "‘", "’", "‚", "‹", "›", "`", "´"),
    ("-", "–", "—", "―", "‒", "--"),
    ("...", "…", "..", "。。。"),
    ("->", "→", "⇒", "=>"),
    ("(", "（"), (")", "）"), (",", "，"), (":", "："), (";", "；"), ("?", "？"), ("!", "！"),
)  # fmt: skip
_SHAPES_OF = {mark: shapes for shapes in _SHAPES for mark in shapes}
# A mark that is so many times rarer than another shape of it is known too little.
_RARE = 50


def typewriter_apostrophes(line: str) -> str:
    """Write the apostrophes of words as a typewriter does.

    >>> typewriter_apostrophes("Tom ’s п’ять ’ne ’ .")
    "Tom 's п'ять 'ne ’ ."
    """
    return _APOSTROPHE.sub("'", line) if "’" in line or "ʼ" in line else line


class KnownMarks:
    """The marks of a training text, by how often it has each.

    >>> KnownMarks({'"': 70, "“": 1, "-": 3}).apply("“ Ja ” – …".split())
    ['"', 'Ja', '"', '-', '…']
    """

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self.counts = {mark: n for mark, n in (counts or {}).items() if mark in _SHAPES_OF}
        self._forms: dict[str, str] = {}
        for mark, shapes in _SHAPES_OF.items():
            best = max(shapes, key=lambda shape: self.counts.get(shape, 0))
            if self.counts.get(best, 0) > _RARE * self.counts.get(mark, 0):
                self._forms[mark] = best

    def apply(self, words: list[str]) -> list[str]:
        """Write marks that are not known in shapes that are."""
        if self._forms.keys().isdisjoint(words):
            return words
        return [self._forms.get(word, word) for word in words]

    def apply_lines(self, lines: list[str]) -> list[str]:
        """The same for lines of words with single spaces between them."""
        known = self._forms.keys()
        return [
            line if known.isdisjoint(words := line.split(" ")) else " ".join(self.apply(words))
            for line in lines
        ]

    def to_dict(self) -> dict[str, Any]:
        """The counts."""
        return {"counts": self.counts}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "KnownMarks":
        """The inverse of `to_dict`."""
        return cls(checked(values, {"counts": dict[str, int]}, "marks")["counts"])
