"""`WrappedText`: text with line ends, whose sentences go on from line to line.

A line goes on in the next one if that begins where its text does and its first word would not have
fitted. Lists, columns (options and what they mean), blank lines and short lines stay as they are.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from tunesmith.formats.documents.base import has_words

#: Terminals are as wide.
WIDTH = 79
# Shorter lines are not full, whatever comes next; a small letter goes on in narrower text, too.
_SHORT, _SHORT_BEFORE_SMALL = 40, 24
_COLUMN = re.compile(r"(?<=[^\s.?!:;,])\s{2,}(?=\S)|(?<=\S)\s*[\t\r\v\f]\s*")
# Markup that goes on behind spaces.
_INSIDE = re.compile(r"<[^<>]*>")
# In a line that begins at the margin, two spaces may stand between words, too.
_WIDE_COLUMN = re.compile(r"(?<=[^\s.?!:;,])\s{3,}(?=\S)|(?<=\S)\s*[\t\r\v\f]\s*")
_BULLET = re.compile(r"(?:[-*+•‣◦▪·–]|\d{1,3}[.)]|\([a-z\d]{1,3}\)|[a-zA-Z]\))\s+(?=\S)")
_OPEN_TAG = re.compile(r"<(?:!--(?!.*-->)|[A-Za-z/][^<>]*\Z)")
_LABEL = re.compile(r"\S+:\s")  # “or: …” of other ways to use a program
_SENTENCE_END = re.compile(r"[.?!:;。！？：]['\"”’»)\]]*\Z")
# Of a column with options nothing is translated, and nothing of a command.
_OPTION = re.compile(r"--?\w")
_COMMAND = "$ "
# What stands on one line: words, with no-break spaces in them; in scripts without spaces
# characters, and marks that belong to them.
_WIDE = r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uff60]"
_PIECE = re.compile(
    rf" *[（「『【〈《]*(?:{_WIDE}|(?:(?!{_WIDE})[^ ])+)[、。，．！？：；）」』】〉》…]*| *[^ ]"
)


@dataclass
class _WrappedText:
    """Cells of a line, the last of which goes on in further lines."""

    cells: list[tuple[str, str]]
    """The white space before a text, and the text."""
    behind: str = ""
    hanging: int | None = None
    """The column in which further lines begin; none has been seen yet."""
    lines: int = 1

    def is_translated(self, number: int) -> bool:
        """Whether there is something to translate in a cell."""
        text = self.cells[number][1]
        is_option = number < len(self.cells) - 1 and _OPTION.match(text)
        return has_words(text) and not (is_option or self.cells[0][1][:2] == _COMMAND)


class WrappedText:
    r"""Finds what is to be translated of a text; `segments` are its paragraphs.

    >>> text = WrappedText("The quick brown fox jumps over\nthe lazy dog. It sleeps.\n\n - one\n")
    >>> text.segments
    ['The quick brown fox jumps over the lazy dog. It sleeps.', '- one']
    """

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._width = max(map(display_width, self._lines), default=0)
        self._paragraphs: list[_WrappedText] = []
        previous = ""
        for line in self._lines:
            last = self._paragraphs[-1] if self._paragraphs else None
            if last is None or not self._goes_on(last, previous, line):
                self._paragraphs.append(_paragraph(line))
            else:
                begin = len(line) - len(line.lstrip())
                space, words = last.cells[-1]
                last.cells[-1] = (space, _joined(words, line.strip()))
                last.hanging, last.lines, last.behind = begin, last.lines + 1, ""
            previous = line
        self.segments = [
            text
            for paragraph in self._paragraphs
            for number, (_, text) in enumerate(paragraph.cells)
            if paragraph.is_translated(number)
        ]

    def _goes_on(self, paragraph: _WrappedText, line: str, following: str) -> bool:
        words = following.strip()
        if _COMMAND in (words[:2], paragraph.cells[0][1][:2]):
            return False
        if words and _OPEN_TAG.search(paragraph.cells[-1][1]):
            return True
        if not words or not line.strip() or _BULLET.match(words) or _OPTION.match(words):
            return False
        if len(_paragraph(following).cells) > 1 or _LABEL.match(words) or not has_words(line):
            return False
        begin = len(following) - len(following.lstrip())
        if paragraph.hanging is not None:
            places = {paragraph.hanging}
        elif len(paragraph.cells) > 1:
            places = {_last_column(paragraph)}
        else:
            bullet = _BULLET.match(paragraph.cells[0][1])
            first = len(paragraph.cells[0][0])
            places = {first + bullet.end()} if bullet else {first}
            # The first line of a paragraph may be indented, or the others.
            if not bullet and words[0].islower():
                places |= {first + 2, first + 4, 0}
        if begin not in places:
            return False
        is_ended = bool(_SENTENCE_END.search(line.rstrip()))
        first_word = (_PIECE.match(words) or [words])[0].strip()
        is_small = words[0].islower()
        room = max(self._width, _SHORT_BEFORE_SMALL if is_small else _SHORT)
        is_full = display_width(line.rstrip()) + 1 + display_width(first_word) > room
        if is_ended:
            # The end of a sentence is the end of a line by chance, in a paragraph of more lines.
            return is_full and paragraph.lines > 1
        return is_full or (is_small and display_width(line) > 0.85 * room)

    def filled(self, translations: Sequence[str]) -> str:
        """The text with translations of its segments, wrapped as it is."""
        rest = iter(translations)
        lines: list[str] = []
        for paragraph in self._paragraphs:
            line, column = "", 0
            for number, (space, text) in enumerate(paragraph.cells):
                column += display_width(space)
                if number and "\t" not in space:
                    space = " " * max(2, column - display_width(line))
                before, column = line + space, column + display_width(text)
                text = next(rest) if paragraph.is_translated(number) else text
                line = before + text
            lines += self._wrapped(paragraph, before, text)
            lines[-1] += paragraph.behind
        return "\n".join(lines)

    def _wrapped(self, paragraph: _WrappedText, before: str, text: str) -> list[str]:
        begin = display_width(before)
        if paragraph.hanging is not None:
            hanging = begin if len(paragraph.cells) > 1 else paragraph.hanging
            return wrapped(before, text, hanging, self._width)
        if len(paragraph.cells) > 1 and "\t" not in before and begin < WIDTH - 20:
            return wrapped(before, text, begin, max(self._width, WIDTH))
        return [before + text]


def _paragraph(line: str) -> _WrappedText:
    words = line.strip()
    begin = line.index(words) if words else len(line)
    column = _COLUMN if begin else _WIDE_COLUMN
    inside = [found.span() for found in _INSIDE.finditer(words)]
    cells: list[tuple[str, str]] = []
    before, done = line[:begin], 0
    for found in column.finditer(words):
        if not any(first < found.start() < last for first, last in inside):
            cells.append((before, words[done : found.start()]))
            before, done = found[0], found.end()
    cells.append((before, words[done:]))
    return _WrappedText(cells, line[begin + len(words) :])


def _last_column(paragraph: _WrappedText) -> int:
    *others, (space, _) = paragraph.cells
    return sum(display_width(before + text) for before, text in others) + display_width(space)


def _joined(left: str, right: str) -> str:
    is_wide = re.search(_WIDE + r"\Z", left) and re.match(_WIDE, right)
    return f"{left}{'' if is_wide else ' '}{right}"


def wrapped(before: str, text: str, hanging: int, width: int) -> list[str]:
    """Lines of at most `width` columns, if words are short enough; `before` is of the first."""
    lines = [before]
    is_begun = False
    for piece in _PIECE.findall(text):
        if is_begun and display_width(lines[-1] + piece) > width:
            lines.append(" " * hanging + piece.lstrip(" "))
        else:
            lines[-1] += piece if is_begun else piece.lstrip(" ")
        is_begun = True
    return lines


def display_width(text: str) -> int:
    """The columns that a text takes in a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(one) else 1 + (unicodedata.east_asian_width(one) in "FW")
        for one in text
    )
