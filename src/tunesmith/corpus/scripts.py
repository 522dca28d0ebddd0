"""Scripts: which writing system a letter belongs to, by the names that Unicode gives letters."""

import functools
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError

# Letters that are used with every script, or are symbols made of letters.
_NEUTRAL = frozenset({"MODIFIER", "MATHEMATICAL", "FEMININE", "MASCULINE", "MICRO", "VULGAR"})
# Written together in one text: Japanese has all three.
_SAME = {"hiragana": "cjk", "katakana": "cjk", "bopomofo": "cjk", "ideographic": "cjk"}
_WIDTHS = frozenset({"FULLWIDTH", "HALFWIDTH"})
# Letters from here to the end are Chinese characters.
_CHINESE = range(0x20000, 0x32000)
_CODE_POINTS = 0x110000


@functools.cache
def script_table() -> tuple[tuple[str, ...], npt.NDArray[np.uint8]]:
    """Return the names of all scripts, and for each code point the number of its script.

    Characters that are not letters have number 0, whose name is empty.
    """
    numbers = {"": 0, "cjk": 1}
    table = np.zeros(_CODE_POINTS, np.uint8)
    for point in range(_CHINESE.start):
        name = _script(chr(point))
        if name:
            table[point] = numbers.setdefault(name, len(numbers))
    table[_CHINESE.start : _CHINESE.stop] = numbers["cjk"]
    table.flags.writeable = False
    return tuple(numbers), table


def _script(character: str) -> str:
    if unicodedata.category(character)[0] != "L":
        return ""
    words = unicodedata.name(character, "").split()
    if words and words[0] in _WIDTHS:
        words = words[1:]
    if not words or words[0] in _NEUTRAL:
        return ""
    name = words[0].partition("-")[0].lower()
    return _SAME.get(name, name)


def script_number(name: str) -> int:
    """The number of a script, by its name (``latin``, ``cyrillic``, ``cjk``, …)."""
    names, _ = script_table()
    if not name or name.lower() not in names:
        raise OptionError(f"script '{name}', expected one like latin, cyrillic, greek or cjk")
    return names.index(name.lower())


class ScriptCounts:
    """Counts letters by their scripts.

    >>> counts = ScriptCounts()
    >>> counts.add(["Привет, world"])
    >>> counts.add(["мир"])
    >>> counts.main
    'cyrillic'
    """

    def __init__(self) -> None:
        self._counts = np.zeros(len(script_table()[0]), np.int64)

    def add(self, lines: Sequence[str]) -> None:
        """Count the letters of more lines."""
        self._counts += np.bincount(character_scripts(lines), minlength=len(self._counts))

    @property
    def main(self) -> str:
        """The script of most letters, or an empty string where there are none."""
        letters = self._counts[1:]
        return script_table()[0][1 + int(np.argmax(letters))] if letters.any() else ""


def main_script(lines: Sequence[str]) -> str:
    """Return the script of most letters in `lines`, or an empty string if they have none."""
    counts = ScriptCounts()
    counts.add(lines)
    return counts.main


def character_scripts(lines: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return the number of the script of each character, line after line."""
    points = np.frombuffer("".join(lines).encode("utf-32-le"), np.uint32)
    scripts: npt.NDArray[np.uint8] = script_table()[1][points]
    return scripts


def have_script(lines: Sequence[str], script: int, share: float) -> npt.NDArray[np.bool_]:
    """Return which lines have at least this share of their letters in a script."""
    ends = np.cumsum([0, *map(len, lines)])
    scripts = character_scripts(lines)
    letters, own = (
        np.diff(np.concatenate([[0], np.cumsum(found)])[ends])
        for found in (scripts > 0, scripts == script)
    )
    enough: npt.NDArray[np.bool_] = own >= share * letters
    return enough
