"""Android's strings.xml: strings, arrays and plural forms are replaced by their translations."""

import re
from collections.abc import Sequence
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.formats.documents.base import SplicedDocument, has_words, with_letters
from tunesmith.formats.documents.xml import Place, escaped, parse_places

# What a backslash protects, and quotes that need one: those outside of tags.
_ESCAPED = re.compile(r"\\(['\"@?])")
_QUOTES = re.compile(r"(<[^<>]*>)|(['\"])")
_CDATA = re.compile(r"\s*<!\[CDATA\[(.*?)\]\]>\s*", re.DOTALL)
# Line ends of a string, which are escaped, or a line; words that stay as they are; any tag.
_LINE = re.compile(r"(?:\\n)+|((?:[^\\]|\\[^n])+)")
_FIXED = re.compile(r"<(xliff:g)\b[^<>]*(?<!/)>.*?</\1\s*>", re.DOTALL)
_TAG = re.compile(r"<[^<>]*>")


class AndroidDocument(SplicedDocument):
    """Lines of resources; `is_cdata` are those in which ``<`` needs no escape."""

    def __init__(self, text: str, spans: Sequence[tuple[int, int]], is_cdata: Sequence[bool]):
        self._is_cdata = is_cdata
        self._fixed: list[dict[str, str]] = [{} for _ in spans]
        segments = []
        for known, (begin, end) in zip(self._fixed, spans, strict=True):
            for found in _FIXED.finditer(text, begin, end):
                known[f'<x id="{len(known) + 1}"/>'] = found[0]
            words = text[begin:end]
            for stand_in, fixed in known.items():
                words = words.replace(fixed, stand_in, 1)
            segments.append(with_letters(_ESCAPED.sub(r"\1", words)))
        super().__init__(text, spans, segments)

    def replacement(self, number: int, translation: str) -> str:
        """The translation with a backslash before its quotes."""
        begin, end = self.spans[number]
        if translation == self.segments[number]:
            return self.text[begin:end]
        text = _QUOTES.sub(lambda one: one[1] or f"\\{one[2]}", translation)
        text = text if self._is_cdata[number] else escaped(text)
        for stand_in, fixed in self._fixed[number].items():
            text = text.replace(stand_in, fixed)
        return text


def android_document(text: str, path: str | Path) -> AndroidDocument:
    """Return the translatable strings of a resource file."""
    data = text.encode()
    places = parse_places(data, path)
    if places[0].name != "resources":
        remedy = "`--format text` translates XML as plain text"
        raise InputError(path, 0, f"<{places[0].name}>", "<resources> of Android", remedy)
    spans: list[tuple[int, int]] = []
    is_cdata: list[bool] = []
    done = at = 0  # the same place in bytes and in characters
    for place in filter(_is_string, places):
        at, done = at + len(data[done : place.inner].decode()), place.inner
        content = data[place.inner : place.inner_end].decode()
        whole = _CDATA.fullmatch(content)
        begin, end = whole.span(1) if whole else (0, len(content))
        if "<![CDATA[" in content and not whole:
            continue
        for line in _LINE.finditer(content, begin, end):
            # Quotes around a string keep its white space.
            words = (line[1] or "").strip().strip('"')
            if has_words(_TAG.sub("", _FIXED.sub("", words))):
                first = at + line.start() + line[0].index(words)
                spans.append((first, first + len(words)))
                is_cdata.append(whole is not None)
    return AndroidDocument(text, spans, is_cdata)


def _is_string(place: Place) -> bool:
    name = place.parent.name if place.parent else ""
    holders = {"item": ("string-array", "plurals"), "string": ("resources",)}.get(place.name, ())
    return name in holders and place.inherited.get("translatable") != "false"
