"""Typographic marks: which of them belong together, and what search sees of them.

The same mark has several shapes. Search sees apostrophes of words in the typewriter's, and in the
place of a mark that training text does not have, another shape of it that it has. What is written
in the end is a matter of the target's spacing (`tunesmith.corpus.spacing`).
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from tunesmith.base.json_text import checked

_BRACKETS = {"(": ")", "[": "]", "{": "}", "（": "）", "［": "］", "【": "】", "〈": "〉",
             "《": "》", "「": "」", "『": "』", "〔": "〕", "⟨": "⟩"}  # fmt: skip
# Opening quotes and what closes each, over all languages: „Das“, “That”, »So«, «Ainsi», ”Ja”.
_QUOTES = {
    '"': '"', "``": "''", "“": "”", "„": "“”", "‟": "”", "”": "”", "«": "»", "»": "«»",
    "‘": "’", "‚": "‘’", "‹": "›", "›": "‹",
}  # fmt: skip
_CLOSES = {**_BRACKETS, **_QUOTES}
_MARKS = frozenset("".join(_CLOSES) + "".join(_CLOSES.values())) | {"``", "''"}


def mark_pairs(words: Sequence[str]) -> list[tuple[int, int]]:
    """The places of brackets and quotes that enclose something, outer pairs before inner ones.

    Pairs do not cross; a mark without a partner is in none of them.

    >>> mark_pairs("er ( der „ Chef “ ) sagt )".split())
    [(1, 6), (3, 5)]
    """
    if _MARKS.isdisjoint(words):
        return []
    waiting: list[tuple[int, str]] = []
    pairs: list[tuple[int, int]] = []
    for place, word in enumerate(words):
        if word not in _MARKS:
            continue
        depth = next(
            (n for n, (_, closing) in enumerate(reversed(waiting), 1) if word in closing), 0
        )
        if depth:
            opening, _ = waiting[-depth]
            del waiting[-depth:]
            pairs.append((opening, place))
        elif word in _CLOSES:
            waiting.append((place, _CLOSES[word]))
    return sorted(pair for pair in pairs if pair[1] - pair[0] > 1)


_APOSTROPHE = re.compile(r"(?<=\w)[’ʼ]|[’ʼ](?=\w)")

# Shapes of one mark, the most common first.
_SHAPES = (
    ('"', "“", "”", "„", "«", "»", "‟", "″", "''", "``"),
    ("'", "‘", "’", "‚", "‹", "›", "′", "`", "´"),
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
        return [" ".join(self.apply(line.split(" "))) for line in lines]

    def to_dict(self) -> dict[str, Any]:
        """The counts."""
        return {"counts": self.counts}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "KnownMarks":
        """The inverse of `to_dict`."""
        return cls(checked(values, {"counts": dict[str, int]}, "marks")["counts"])
