"""SRT and WebVTT: the text of a cue is a segment, and keeps its number of lines."""

import re
from collections.abc import Sequence
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.formats.documents.base import SplicedDocument, has_words

_TIMES = re.compile(
    r"\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}"
)
# In front of what somebody says, or sings.
_MARKS = re.compile(r"\s*[-–—♪♫]+\s*(?=[^\s\d])")


class SubtitleDocument(SplicedDocument):
    """Cues; a translation is cut into as many lines as its source has, of about the same length."""

    def __init__(
        self, text: str, spans: Sequence[tuple[int, int]], line_counts: Sequence[int], end: str
    ) -> None:
        super().__init__(text, spans)
        self._line_counts, self._end = list(line_counts), end

    def replacement(self, number: int, translation: str) -> str:
        """The translation in lines."""
        return self._end.join(in_lines(translation, self._line_counts[number]))


def subtitle_document(text: str, path: str | Path) -> SubtitleDocument:
    """The cues of a file."""
    spans: list[tuple[int, int]] = []
    counts: list[int] = []
    place, inside, cues = 0, False, 0
    fresh = True  # whether the next line begins a segment
    for raw in text.split("\n"):
        line = raw.removesuffix("\r")
        if _TIMES.match(line):
            inside, fresh = True, True
            cues += 1
        elif not line.strip():
            inside = False
        elif inside:
            # Who speaks next has a dash, and a line of his own; the dash is not of the sentence.
            mark = _MARKS.match(line)
            words = mark.end() if mark else len(line) - len(line.lstrip())
            span = (place + words, place + len(line.rstrip()))
            if fresh or mark:
                spans.append(span)
                counts.append(1)
            else:
                spans[-1] = (spans[-1][0], span[1])
                counts[-1] += 1
            fresh = False
        place += len(raw) + 1
    if not cues:
        found = "no line with times and -->"
        raise InputError(path, 0, found, "subtitles", "00:00:01,000 --> 00:00:02,500")
    kept = [number for number, (begin, end) in enumerate(spans) if has_words(text[begin:end])]
    end = "\r\n" if "\r\n" in text else "\n"
    return SubtitleDocument(text, [spans[n] for n in kept], [counts[n] for n in kept], end)


def in_lines(text: str, count: int) -> list[str]:
    """Words in so many lines, if there are enough, whose longest is as short as can be.

    >>> in_lines("one two three four", 2)
    ['one two', 'three four']
    """
    words = text.split(" ")
    lines: list[str] = []
    while words and len(lines) < count - 1:
        width = len(" ".join(words)) / (count - len(lines))
        line = [words.pop(0)]
        while words and len(" ".join([*line, words[0]])) <= width + 1:
            line.append(words.pop(0))
        lines.append(" ".join(line))
    return [*lines, " ".join(words)] if words else lines
