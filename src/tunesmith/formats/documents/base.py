"""`Document`: a file with markup whose text can be replaced piece by piece."""

import html
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from tunesmith.base.languages import primary_language
from tunesmith.base.log import log

_REFERENCE = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")


class Document(ABC):
    """What is to be translated of a file, and the file with translations in it."""

    segments: list[str]
    """Pieces of running text, each on one line; tags inside sentences stand in them."""
    encoding = "utf-8"
    mark = ""
    """The byte order mark before the text."""

    @abstractmethod
    def filled(self, translations: Sequence[str]) -> str:
        """The document with a translation of every segment."""

    def encoded(self, translations: Sequence[str]) -> bytes:
        """The same as the file has it."""
        text = f"{self.mark}{self.filled(translations)}"
        # What the encoding lacks XML writes by its number; the others are in Unicode.
        return text.encode(self.encoding, "xmlcharrefreplace")


class SplicedDocument(Document):
    """A text in which spans are replaced; everything else stays as it is, byte by byte.

    So does a span whose translation is its segment.

    `segments` are what the spans are as running text, by default themselves on one line.
    """

    def __init__(
        self,
        text: str,
        spans: Sequence[tuple[int, int]],
        segments: Sequence[str] | None = None,
    ) -> None:
        self.text = text
        self.spans = list(spans)
        if segments is None:
            segments = [text[begin:end] for begin, end in self.spans]
        self.segments = [" ".join(segment.split()) for segment in segments]

    def replacement(self, number: int, translation: str) -> str:
        """A translation as it stands in the file."""
        return translation

    def filled(self, translations: Sequence[str]) -> str:
        """The text with its spans replaced."""
        pieces, done = [], 0
        for number, (begin, end) in enumerate(self.spans):
            if translations[number] != self.segments[number]:
                pieces += [self.text[done:begin], self.replacement(number, translations[number])]
                done = end
        return "".join([*pieces, self.text[done:]])


def has_words(text: str) -> bool:
    """Whether there is a letter in a text."""
    return any(character.isalpha() for character in text)


def with_letters(text: str) -> str:
    """Text of HTML or XML with letters and quotes for references; others stay, to be protected.

    >>> with_letters("sch&ouml;n &amp; gro&#223;")
    'schön &amp; groß'
    """
    return _REFERENCE.sub(_letter, text)


def _letter(reference: re.Match[str]) -> str:
    meant = html.unescape(reference[0])
    return meant if meant.isalpha() or meant in "–—‘’“”„«»…\"'" else reference[0]


def warn_of_language(path: str | Path, name: str, stated: str | None, language: str | None) -> None:
    """Warn if a document states another language, in the place `name`, than the model has."""
    if stated and language and primary_language(stated) != primary_language(language):
        log.warning("%s: %s is %s, and the model's %s", path, name, stated, language)
