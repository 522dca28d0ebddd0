"""Accelerators: marks before letters that choose labels: `_Open`, `E&xit`, `~File`, `打开(_O)`.

Programs agree on one mark, so all labels of a file say which ones it uses.
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

#: Of GTK; Qt, KDE and Windows, as text and in XML; LibreOffice.
MARKS = ("_", "&", "&amp;", "~")
# Alphabets whose letters have keys; labels in other scripts have a Latin letter behind them.
_ALPHABETS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC")
# What a letter in brackets stands before.
_END = re.compile(r"[\s.…:：。]*\Z")
# Tags, placeholders, references, addresses, options, functions and _emphasis_ have none.
_CODE = re.compile(
    r"<[^<>]*>|\{[^{}]*\}|%\(\w+\)\w|[%$][-+#.\w$*]+|&#?\w[\w.-]*;|\w+://\S+"
    r"|(?<![\w-])--?[A-Za-z][\w-]*|\w+\(\)|(?<!\w)_(?:[^_]|(?<=\w)_(?=\w))+_(?!\w)"
)
_WORD = re.compile(r"[^\W\d_]+")


# A lone label: words, with a mark that nothing else explains.
_LONE = re.compile(
    r"(?=[\w\s&().…:,'’!-]{2,60}\Z)"
    r"(?:_(?![A-Z0-9_]{2})[^\W\d_]|.*(?:(?<!\w)&(?![A-Z0-9]{2})[^\W\d_]|\w&[a-z]{2}|\([_&]\w\)))"
)


class Accelerator(NamedTuple):
    """A mark and the letter behind it."""

    mark: str
    letter: str


def _code_places(text: str, mark: str) -> set[int]:
    """Where the characters of tags, placeholders and the like are."""
    found = (one for one in _CODE.finditer(text) if one[0] != mark)
    return {place for one in found for place in range(*one.span())}


class Accelerators:
    """Takes accelerators from the labels of a file, and puts them into translations.

    >>> labels = Accelerators(["_Cancel", "E_xit", "max_size", "Cancel it"])
    >>> labels.take("E_xit"), labels.take("Set max_size")
    (('Exit', Accelerator(mark='_', letter='x')), ('Set max_size', None))
    """

    def __init__(self, texts: Iterable[str]) -> None:
        texts = list(texts)
        self._patterns = {mark: _pattern(mark) for mark in MARKS}
        starts = {mark: re.compile(rf"\s*{mark}(?![A-Z0-9_]{{2}})[^\W\d_]") for mark in MARKS}
        self.marks = [
            mark
            for mark in MARKS
            if any(
                (starts[mark].match(text) and self._find(text, mark)) or _in_brackets(text, mark)
                for text in texts
                if mark in text
            )
        ]
        """Those that the file uses: in front of a label, or in brackets behind it."""
        self._words = (
            {word.casefold() for text in texts for word in _WORD.findall(text)}
            if self.marks
            else set()
        )

    def take(self, text: str) -> tuple[str, Accelerator | None]:
        """A label without its accelerator, which it may not have."""
        for mark in self.marks:
            if mark in text and "\n" not in text:
                if found := _in_brackets(text, mark):
                    return text[: found.start()] + text[found.end() :], Accelerator(mark, found[1])
                place = self._find(text, mark)
                if place and self._is_meant(text, mark, *place.span()):
                    begin, end = place.span()
                    return text[:begin] + text[end:], Accelerator(mark, text[end])
        return text, None

    def _find(self, text: str, mark: str) -> re.Match[str] | None:
        """The only place where a mark may be an accelerator."""
        found = list(self._patterns[mark].finditer(text))
        if len(found) != 1 or found[0].start() in _code_places(text, mark):
            return None
        return found[0]

    def _is_meant(self, text: str, mark: str, begin: int, end: int) -> bool:
        """Whether a mark inside a word is an accelerator: “E_xit”, but not “max_size” or “AT&T”."""
        if not text[:begin][-1:].isalnum():
            return True
        if not text[end].islower():
            return False
        head, tail = _WORD.findall(text[:begin])[-1:], _WORD.match(text, end)
        if not (head and tail):
            return False
        return mark != "_" or head[0][0].isupper() or (head[0] + tail[0]).casefold() in self._words


def take_from_line(line: str) -> tuple[str, Accelerator | None]:
    """Take the accelerator of a label of which no file is known; other lines have none.

    >>> take_from_line("_Open"), take_from_line("R&D _x")
    (('Open', Accelerator(mark='_', letter='O')), ('R&D _x', None))
    """
    if not _LONE.match(line):
        return line, None
    labels = Accelerators(())
    labels.marks = ["_", "&"]
    return labels.take(line)


def _pattern(mark: str) -> re.Pattern[str]:
    # Not doubled, and no reference such as “&lt;”; a home folder is no label.
    reference = r"#?\w[\w.-]*;" if mark.startswith("&") else r"\w*/"
    return re.compile(rf"(?<!{mark}){mark}(?!{reference})(?=[^\W_])")


def _in_brackets(text: str, mark: str) -> re.Match[str] | None:
    return re.search(rf"\s?\({mark}([A-Za-z0-9])\)", text)


def without_accelerator(translation: str, mark: str) -> str:
    """A translation that has an accelerator without it."""
    if found := _in_brackets(translation, mark):
        return translation[: found.start()] + translation[found.end() :]
    return _pattern(mark).sub("", translation, count=1)


def with_accelerator(translation: str, accelerator: Accelerator) -> str:
    """A translation with the accelerator: at the same letter, else at the first one.

    Where letters have no keys, the source's stands in brackets, as translators have it.

    >>> [with_accelerator(text, Accelerator("_", "O")) for text in ("Foto öffnen", "Bild", "打开…")]
    ['F_oto öffnen', '_Bild', '打开(_O)…']
    """
    mark, letter = accelerator
    code = _code_places(translation, mark)
    places = [
        place
        for place, character in enumerate(translation)
        if character.isalnum() and place not in code
    ]
    letters = [place for place in places if translation[place].isalpha()]
    same = [place for place in places if translation[place].casefold() == letter.casefold()]
    begins = [place for place in same if not translation[:place][-1:].isalnum()]
    place = next(iter([*begins, *same, *letters]), None)
    if place is None or not (same or _has_key(translation[place])):
        end = _END.search(translation).start()  # type: ignore[union-attr]
        return f"{translation[:end]}({mark}{letter.upper()}){translation[end:]}"
    return translation[:place] + mark + translation[place:]


def _has_key(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith(_ALPHABETS)
