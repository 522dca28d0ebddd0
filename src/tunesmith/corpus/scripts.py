"""Scripts: which writing system a letter belongs to, by the names that Unicode gives letters."""

import functools
import unicodedata

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.engine import ALL_CORES, EngineLike, as_engine

# Letters that are used with every script, or are symbols made of letters.
_NEUTRAL = frozenset({"MODIFIER", "MATHEMATICAL", "FEMININE", "MASCULINE", "MICRO", "VULGAR"})
# Written together in one text: Japanese has all three.
_SAME = {"hiragana": "cjk", "katakana": "cjk", "bopomofo": "cjk", "ideographic": "cjk"}
_WIDTHS = frozenset({"FULLWIDTH", "HALFWIDTH"})
# Letters after this one are Chinese characters.
_LAST_NAMED = 0x20000
_END = 0x32000


@functools.cache
def script_table() -> tuple[tuple[str, ...], npt.NDArray[np.uint8]]:
    """The names of all scripts, and the number of the script of each code point.

    Number 0, without a name, is for what is no letter.
    """
    numbers = {"": 0, "cjk": 1}
    table = np.zeros(_END, np.uint8)
    for point in range(_LAST_NAMED):
        name = _script(chr(point))
        if name:
            table[point] = numbers.setdefault(name, len(numbers))
    table[_LAST_NAMED:] = numbers["cjk"]
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
        self._names, self._table = script_table()
        self._counts: npt.NDArray[np.uint64] = _core.count_scripts(self._table, [], 1)

    def add(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> None:
        """Count those of more lines."""
        self._counts += _core.count_scripts(self._table, lines, as_engine(engine).threads)

    @property
    def main(self) -> str:
        """The script of most letters, or an empty string where there are none."""
        return self._names[int(np.argmax(self._counts))] if self._counts.any() else ""


def main_script(lines: list[str], *, engine: EngineLike = ALL_CORES) -> str:
    """The script of most letters in `lines`, or an empty string where there are none."""
    counts = ScriptCounts()
    counts.add(lines, engine=engine)
    return counts.main
