"""SRT and WebVTT: the text of a cue is a segment, and keeps its number of lines."""

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.formats.documents.base import SplicedDocument, has_words

_TIMES = re.compile(
    r"\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}\s*-->\s*(?:\d+:)?\d{1,2}:\d{2}[.,]\d{1,3}"
)
_ARROW = "-->"
# Where a cue is shown stands in front of it.
_POSITIONS = re.compile(r"\s*(?:\{\\[^{}]*\}\s*)*")
# In front of what somebody says, or sings.
_MARKS = re.compile(r"[-–—♪♫]+\s*(?=[^\s\d])")
# What is heard, or seen: a line by itself.
_ASIDE = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
# Tags of WebVTT that are none elsewhere: who speaks, languages, times.
_TAG = re.compile(r"<(?:(?P<name>[a-z]+)(?:\.[^\s<>]*)?\s[^<>=]*|[\d:.]+)>")
_WORD = re.compile(r"(?:<[^<>]*>|\S)+")


class SubtitleDocument(SplicedDocument):
    """Cues; a translation is cut into as many lines as its source has, of about the same length."""

    def __init__(
        self, text: str, spans: Sequence[tuple[int, int]], line_counts: Sequence[int], end: str
    ) -> None:
        self._stand_ins: list[dict[str, str]] = [{} for _ in spans]
        segments = [
            _TAG.sub(partial(_stand_in, known), text[begin:end_])
            for known, (begin, end_) in zip(self._stand_ins, spans, strict=True)
        ]
        super().__init__(text, spans, segments)
        self._line_counts, self._end = list(line_counts), end

    def replacement(self, number: int, translation: str) -> str:
        """The translation in lines."""
        for stand_in, tag in self._stand_ins[number].items():
            translation = translation.replace(stand_in, tag)
        return self._end.join(in_lines(translation, self._line_counts[number]))


def _stand_in(known: dict[str, str], found: re.Match[str]) -> str:
    """What everybody knows for a tag, in place of one of WebVTT."""
    name, number = found["name"], len(known) + 1
    stand_in = f'<{name or "x"} data-tunesmith="{number}"{"" if name else "/"}>'
    known[stand_in] = found[0]
    return stand_in


def subtitle_document(text: str, path: str | Path) -> SubtitleDocument:
    """The cues of a file."""
    spans: list[tuple[int, int]] = []
    counts: list[int] = []
    place, inside, cues = 0, False, 0
    fresh = True  # whether the next line begins a segment
    lines = text.split("\n")
    for number, (raw, following) in enumerate(zip(lines, [*lines[1:], ""], strict=True), 1):
        line = raw.removesuffix("\r")
        if _TIMES.match(line):
            inside, fresh = True, True
            cues += 1
        elif not line.strip() or (line.strip().isdecimal() and _ARROW in following):
            inside = False
        elif not inside and _ARROW in line:
            found = f"'{line.strip()}'"
            raise InputError(path, number, found, "times such as 00:00:01,000 --> 00:00:02,500")
        elif inside:
            # Who speaks next has a dash, and a line of his own; the dash is not of the sentence.
            begin, is_marked = _words(line)
            end = len(line.rstrip())
            is_aside = bool(_ASIDE.fullmatch(line, begin, end))
            span = (place + begin + is_aside, place + end - is_aside)
            if fresh or is_marked or is_aside:
                spans.append(span)
                counts.append(1)
            else:
                spans[-1] = (spans[-1][0], span[1])
                counts[-1] += 1
            fresh = is_aside
        place += len(raw) + 1
    if not cues:
        found = "no line with times and -->"
        raise InputError(path, 0, found, "subtitles", "00:00:01,000 --> 00:00:02,500")
    kept = [number for number, (begin, end) in enumerate(spans) if has_words(text[begin:end])]
    line_end = "\r\n" if "\r\n" in text else "\n"
    return SubtitleDocument(text, [spans[n] for n in kept], [counts[n] for n in kept], line_end)


def _words(line: str) -> tuple[int, bool]:
    """Where the text of a line begins, and whether that is behind a mark."""
    begin = _POSITIONS.match(line).end()  # type: ignore[union-attr]
    mark = _MARKS.match(line, begin)
    return (mark.end(), True) if mark else (begin, False)


def in_lines(text: str, count: int) -> list[str]:
    """Words in so many lines, if there are enough, whose longest is as short as can be.

    Tags are not cut.

    >>> in_lines("one two three four", 2)
    ['one two', 'three four']
    """
    words = _WORD.findall(text)
    lines: list[str] = []
    done, rest = 0, sum(map(len, words)) + len(words) - 1  # what the other words are long
    while done < len(words) and len(lines) < count - 1:
        width = rest / (count - len(lines))
        end, size = done + 1, len(words[done])
        while end < len(words) and size + 1 + len(words[end]) <= width + 1:
            size += 1 + len(words[end])
            end += 1
        lines.append(" ".join(words[done:end]))
        done, rest = end, rest - size - 1
    return [*lines, " ".join(words[done:])] if done < len(words) else lines
