"""DOCX: paragraphs are segments, in which runs of another format are tags.

A run is text of one format; ``<g id="1">`` stands for the format of some words, or for an element
around them (a hyperlink, a field), ``<x id="2"/>`` for what has no words. Of the paragraphs of a
translation, runs are written anew; all else stays.
"""

import io
import re
import zipfile
import zlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tunesmith.base.errors import InputError
from tunesmith.formats.documents.base import Document, has_words, with_letters
from tunesmith.formats.documents.content import decoded_xml
from tunesmith.formats.documents.xml import Place, escaped, parse_places
from tunesmith.formats.text import read_bytes

# Parts of a file that have text, and what all of its parts may be unpacked.
_PARTS = re.compile(r"word/(?:document|header|footer|footnotes|endnotes)\d*\.xml")
MAX_BYTES = 200_000_000
# Elements whose content is part of the sentence, …
_CONTAINERS = frozenset(("hyperlink", "ins", "moveTo", "smartTag", "customXml", "fldSimple", "bdo"))
# … what programs note for themselves, …
_NOTES = frozenset(("proofErr", "lastRenderedPageBreak", "softHyphen"))
# … and what ends a line.
_BREAKS = frozenset(("br", "cr", "tab", "ptab"))
# Elements in each other; deeper ones are not looked into.
MAX_DEPTH = 20
_TAG = re.compile(r'(<g id="\d+">|</g>|<x id="\d+"/>)')

# Bytes [begin, end) of a part.
_Span = tuple[int, int]


class _Text(NamedTuple):
    format: bytes
    words: str


class _Code(NamedTuple):
    """What has no words: a span, or inside of a run a span with the format around it."""

    span: _Span
    format: bytes | None = None
    is_break: bool = False


class _Container(NamedTuple):
    before: _Span
    pieces: "list[_Piece]"
    behind: _Span


_Piece = _Text | _Code | _Container


class _UnbalancedField(Exception):
    """A field that begins or ends in another paragraph."""


class _Segment:
    """Pieces without a line break between them, as text with tags."""

    def __init__(self, pieces: list[_Piece]) -> None:
        self.formats: dict[str, bytes] = {}
        self.containers: dict[str, tuple[_Container, bytes]] = {}
        self.codes: dict[str, _Code] = {}
        self.format = _usual_format(pieces)
        self.text = " ".join(self._tagged(pieces, self.format).split())

    def _tagged(self, pieces: list[_Piece], usual: bytes) -> str:
        text = ""
        for piece in pieces:
            number = str(len(self.formats) + len(self.containers) + len(self.codes) + 1)
            if isinstance(piece, _Code):
                self.codes[number] = piece
                text += f'<x id="{number}"/>'
            elif isinstance(piece, _Container):
                own = _usual_format(piece.pieces)
                self.containers[number] = (piece, own)
                text += f'<g id="{number}">{self._tagged(piece.pieces, own)}</g>'
            elif piece.format == usual:
                text += piece.words
            else:
                self.formats[number] = piece.format
                text += f'<g id="{number}">{piece.words}</g>'
        return text


class _Paragraph:
    """The content of a paragraph: segments and, between them, codes that stay."""

    def __init__(self, place: Place, pieces: list[_Piece]) -> None:
        properties = place.child("pPr")
        self.begin = properties.end if properties else place.inner
        self.end, self.prefix = place.inner_end, place.prefix
        self.parts: list[_Segment | _Code] = []
        held: list[_Piece] = []
        for piece in (*pieces, None):
            if piece is not None and not (isinstance(piece, _Code) and piece.is_break):
                held.append(piece)
                continue
            first = next((n for n, one in enumerate(held) if not isinstance(one, _Code)), len(held))
            last = len(held)
            while last > first and isinstance(held[last - 1], _Code):
                last -= 1
            self.parts += [one for one in held[:first] if isinstance(one, _Code)]
            self.parts += [_Segment(held[first:last])] if first < last else []
            self.parts += [one for one in held[last:] if isinstance(one, _Code)]
            self.parts += [] if piece is None else [piece]
            held = []
        self.segments = [
            one for one in self.parts if isinstance(one, _Segment) and has_words(_plain(one.text))
        ]


class _Part:
    """An XML file of the package."""

    def __init__(self, data: bytes, path: str | Path) -> None:
        self.data = data
        self._paragraphs: list[_Paragraph] = []
        places = parse_places(data, path)
        levels: dict[int, int] = {}  # of paragraphs in each other, as text boxes have them
        for place in places:
            level = levels[place.parent.begin] if place.parent else 0
            levels[place.begin] = level
            if place.name != "p" or place.prefix != places[0].prefix or level == MAX_DEPTH:
                continue
            levels[place.begin] += 1
            try:
                paragraph = _Paragraph(place, _pieces(data, place.children, 0))
            except _UnbalancedField:
                continue
            if paragraph.segments:
                self._paragraphs.append(paragraph)
        self._begins = [paragraph.begin for paragraph in self._paragraphs]
        self.segments = [one for each in self._paragraphs for one in each.segments]

    def filled(self, translations: dict[_Segment, str]) -> bytes:
        """The file with translations of these segments."""
        return self._rendered((0, len(self.data)), translations)

    def _rendered(self, span: _Span, translations: dict[_Segment, str]) -> bytes:
        """A span of the file with the paragraphs in it replaced."""
        done, end = span
        written = []
        for paragraph in self._paragraphs[bisect_right(self._begins, done) :]:
            if paragraph.begin >= end:
                break
            if paragraph.begin > done and not translations.keys().isdisjoint(paragraph.segments):
                written += [self.data[done : paragraph.begin]]
                written += self._written(paragraph, translations)
                done = paragraph.end
        return b"".join([*written, self.data[done:end]])

    def _written(self, paragraph: _Paragraph, translations: dict[_Segment, str]) -> Iterator[bytes]:
        name = paragraph.prefix.encode()
        for part in paragraph.parts:
            if isinstance(part, _Code):
                yield self._code(part, name, translations)
                continue
            open_: list[tuple[bytes, bytes]] = []  # formats, and what ends the elements of these
            format, text = part.format, translations.get(part, part.text)
            missing = [
                code for number, code in part.codes.items() if f'<x id="{number}"/>' not in text
            ]
            for piece in _TAG.split(text):
                number = "".join(filter(str.isdigit, piece))
                if piece == "</g>" and open_:
                    format, end = open_.pop()
                    yield end
                elif piece.startswith("<g id=") and number in part.formats:
                    open_.append((format, b""))
                    format = part.formats[number]
                elif piece.startswith("<g id=") and number in part.containers:
                    container, own = part.containers[number]
                    open_.append((format, self._rendered(container.behind, translations)))
                    yield self._rendered(container.before, translations)
                    format = own
                elif piece.startswith("<x id=") and number in part.codes:
                    yield self._code(part.codes[number], name, translations)
                elif piece and not _TAG.fullmatch(piece):
                    words = escaped(piece).encode()
                    yield b"<%br>%b<%bt xml:space=\"preserve\">%b</%bt></%br>" % (
                        name, format, name, words, name, name,
                    )  # fmt: skip
            yield from (end for _, end in reversed(open_))
            for code in missing:
                yield self._code(code, name, translations)

    def _code(self, code: _Code, name: bytes, translations: dict[_Segment, str]) -> bytes:
        raw = self._rendered(code.span, translations)
        return raw if code.format is None else b"<%br>%b%b</%br>" % (name, code.format, raw, name)


def _pieces(data: bytes, places: Sequence[Place], depth: int) -> list[_Piece]:
    """What runs and the elements around them have."""
    pieces: list[_Piece] = []
    number = 0
    while number < len(places):
        place = places[number]
        number += 1
        field = _field_mark(place)
        if field is not None:
            if field != "begin":
                raise _UnbalancedField
            last, middle = _field_end(places, number)
            if middle is None or depth == MAX_DEPTH:
                pieces.append(_Code((place.begin, places[last].end)))
            else:
                inner = _pieces(data, places[middle + 1 : last], depth + 1)
                before = place.begin, places[middle].end
                pieces.append(_Container(before, inner, (places[last].begin, places[last].end)))
            number = last + 1
        elif place.name == "r":
            _add_run(data, place, pieces)
        elif place.name in _CONTAINERS and place.children and depth < MAX_DEPTH:
            inner = _pieces(data, place.children, depth + 1)
            pieces.append(
                _Container((place.begin, place.inner), inner, (place.inner_end, place.end))
            )
        elif place.name != "pPr" and place.name not in _NOTES:
            pieces.append(_Code((place.begin, place.end)))
    return pieces


def _add_run(data: bytes, run: Place, pieces: list[_Piece]) -> None:
    properties = run.child("rPr")
    format = data[properties.begin : properties.end] if properties else b""
    for place in run.children:
        if place.name in ("t", "noBreakHyphen"):
            is_text = place.name == "t"
            words = with_letters(data[place.inner : place.inner_end].decode()) if is_text else "‑"
            before = pieces[-1] if pieces else None
            if isinstance(before, _Text) and before.format == format:
                pieces[-1] = _Text(format, before.words + words)
            elif words:
                pieces.append(_Text(format, words))
        elif place is not properties and place.name not in _NOTES:
            is_break = place.name in _BREAKS
            pieces.append(_Code((place.begin, place.end), format, is_break))


def _field_mark(place: Place) -> str | None:
    mark = place.child("fldChar") if place.name == "r" else None
    if mark is None:
        return None
    return next((v for name, v in mark.attributes.items() if name.endswith("fldCharType")), "")


def _field_end(places: Sequence[Place], number: int) -> tuple[int, int | None]:
    """The run that ends a field, and the one before its result; of a field with others none."""
    depth, middle, is_nested = 1, None, False
    for at in range(number, len(places)):
        mark = _field_mark(places[at])
        depth += (mark == "begin") - (mark == "end")
        is_nested |= mark == "begin"
        if mark == "separate" and depth == 1:
            middle = at
        if depth == 0:
            return at, None if is_nested else middle
    raise _UnbalancedField


def _usual_format(pieces: Sequence[_Piece]) -> bytes:
    """The format that most letters have."""
    sizes: Counter[bytes] = Counter()
    for piece in pieces:
        if isinstance(piece, _Text):
            sizes[piece.format] += len(piece.words)
    return max(sizes, key=lambda format: sizes[format], default=b"")


class DocxDocument(Document):
    """A package whose parts with text are filled; the others are copied."""

    def __init__(self, data: bytes, path: str | Path) -> None:
        self._data = data
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as package:
                entries = package.infolist()
                if (size := sum(entry.file_size for entry in entries)) > MAX_BYTES:
                    found = f"{size:,} bytes when unpacked"
                    raise InputError(path, 0, found, f"at most {MAX_BYTES:,}")
                self._files = [(entry, package.read(entry)) for entry in entries]
        except (
            zipfile.BadZipFile,
            zlib.error,
            NotImplementedError,
            RuntimeError,
            EOFError,
        ) as error:
            raise InputError(
                path, 0, f"cannot be unpacked: {error}", "a DOCX file",
                "is it damaged, or has it a password?",
            ) from error  # fmt: skip
        self._parts = {
            entry.filename: _Part(_utf8(content, path), path)
            for entry, content in self._files
            if _PARTS.fullmatch(entry.filename)
        }
        if "word/document.xml" not in self._parts:
            raise InputError(path, 0, "no word/document.xml in it", "a DOCX file")
        self._segments = [one for part in self._parts.values() for one in part.segments]
        self.segments = [one.text for one in self._segments]

    def filled(self, translations: Sequence[str]) -> str:
        """The main part, for a look at it."""
        return self._parts["word/document.xml"].filled(self._changed(translations)).decode()

    def _changed(self, translations: Sequence[str]) -> dict[_Segment, str]:
        pairs = zip(self._segments, translations, strict=True)
        return {segment: text for segment, text in pairs if text != segment.text}

    def encoded(self, translations: Sequence[str]) -> bytes:
        """The package."""
        changed = self._changed(translations)
        if not changed:
            return self._data
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
            for entry, content in self._files:
                part = self._parts.get(entry.filename)
                package.writestr(entry, part.filled(changed) if part else content)
        return out.getvalue()


def _utf8(content: bytes, path: str | Path) -> bytes:
    """A part in UTF-8, which almost all are in."""
    return decoded_xml(content, path).text.encode()


def _plain(text: str) -> str:
    return _TAG.sub("", text)


def read_docx(path: str | Path) -> DocxDocument:
    """Read a DOCX file."""
    return DocxDocument(read_bytes(path, keep_mark=True), path)
