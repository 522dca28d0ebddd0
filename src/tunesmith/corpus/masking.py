"""Lines in which words stand for protected units: how they are learned from, and how translated.

In training a unit is masked where the other side has the same one, so that models know what stands
beside an address or a placeholder; what only one side has stays ordinary text. Tags are left out.
Numbers are copied unless training text says otherwise: see `NumberCounts`.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tunesmith.base.json_text import checked
from tunesmith.corpus.lines import Units
from tunesmith.corpus.protected import DECIMAL, NUMERIC, TAG, Unit, find_units, texts

_SWAP = str.maketrans(",.", ".,")
_THOUSANDS = re.compile(r"[,.]\d{3}(?!\d)")


def swapped(number: str) -> str:
    """A number with points for commas and commas for points."""
    return number.translate(_SWAP)


def separators(number: str) -> str:
    """The separators of a number, which are its form; of a single one, whether it parts thousands.

    >>> separators("1.234.567,89 €"), separators("$19.99"), separators("1.234")
    ('..,', '.', '.000')
    """
    found = "".join(character for character in number if character in ",.")
    return f"{found}000" if len(found) == 1 and _THOUSANDS.search(number) else found


@dataclass
class Protection:
    """That a side protects units, and what training text has said about it."""

    translated: set[str] = field(default_factory=set)
    """Numbers that training text translates into something else: they are ordinary words."""
    swapped: set[str] = field(default_factory=set)
    """`separators` of numbers whose commas become points and the other way round."""

    def units(self, line: str, *, markdown: bool = False) -> Units:
        """What is protected in a line that is to be translated."""
        return [
            unit
            for unit in find_units(line, markdown=markdown)
            if unit.kind not in NUMERIC or line[unit.begin : unit.end] not in self.translated
        ]

    def written(self, text: str, unit: Unit) -> str:
        """What a unit is on the other side."""
        if unit.kind in DECIMAL and separators(text) in self.swapped:
            return swapped(text)
        return text

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"translated": sorted(self.translated), "swapped": sorted(self.swapped)}

    @classmethod
    def from_dict(cls, values: Any) -> "Protection":
        """The inverse of `to_dict`."""
        found = checked(values, {"translated": list[str], "swapped": list[str]}, "protection")
        return cls(set(found["translated"]), set(found["swapped"]))


class SharedUnits(NamedTuple):
    """What of a pair's units is masked: those that both sides have, and tags."""

    source: Units
    target: Units
    swapped: Units
    """Those of the source's that the target has with commas for points."""
    others: Units
    """Those of the source that are not masked."""


_NONE = SharedUnits([], [], [], [])


def shared_units(source: str, target: str) -> SharedUnits:
    """Compare the units of two sides.

    >>> shared = shared_units("<b>3,5</b> {x} 12:30", "3.5 {x}")
    >>> [texts("<b>3,5</b> {x} 12:30", units) for units in (shared.source, shared.others)]
    [['<b>', '3,5', '</b>', '{x}'], ['12:30']]
    """
    units, others = find_units(source), find_units(target)
    if not (units or others):
        return _NONE
    left = Counter(texts(target, [unit for unit in others if unit.kind != TAG]))
    taken: Counter[str] = Counter()
    result = SharedUnits([], [], [], [])

    def take(text: str) -> bool:
        if found := left[text] > 0:
            left[text] -= 1
            taken[text] += 1
        return found

    for unit, text in zip(units, texts(source, units), strict=True):
        if unit.kind == TAG or take(text):
            result.source.append(unit)
        elif unit.kind in DECIMAL and take(swapped(text)):
            result.source.append(unit)
            result.swapped.append(unit)
        else:
            result.others.append(unit)
    for unit, text in zip(others, texts(target, others), strict=True):
        if unit.kind == TAG or taken[text] > 0:
            taken[text] -= 1
            result.target.append(unit)
    return result


class NumberCounts:
    """What becomes of numbers in training text.

    A number that is translated more often than not is an ordinary word. One that was never seen is
    written with commas for points where most of its form are.
    """

    def __init__(self) -> None:
        self._kept: Counter[str] = Counter()
        self._translated: Counter[str] = Counter()
        self._copied_forms: Counter[str] = Counter()
        self._swapped_forms: Counter[str] = Counter()

    def add(self, source: str, shared: SharedUnits) -> None:
        """Count those of a pair."""
        changed = _numbers(source, shared.swapped, DECIMAL)
        self._kept.update(_numbers(source, shared.source, NUMERIC))
        self._swapped_forms.update(map(separators, changed))
        self._copied_forms.update(map(separators, _numbers(source, shared.source, DECIMAL)))
        self._copied_forms.subtract(map(separators, changed))
        self._translated.update(_numbers(source, shared.others, NUMERIC))

    def teach(self, protection: Protection) -> None:
        """Tell what was found."""
        translated = self._translated.items()
        protection.translated = {text for text, count in translated if count > self._kept[text]}
        forms = self._swapped_forms.items()
        protection.swapped = {
            form for form, count in forms if form and count > self._copied_forms[form]
        }


def _numbers(line: str, units: Iterable[Unit], kinds: Container[str]) -> list[str]:
    return texts(line, [unit for unit in units if unit.kind in kinds])
