"""XLIFF and TMX: segments without a translation get one, marked as the work of a machine.

The file is read by expat, which says where elements stand; everything but what is added stays.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from xml.parsers import expat

from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.documents.base import Document, has_words, read_text, with_letters
from tunesmith.formats.tmx import language_matches, primary_language

_TAG = re.compile(r"<[^<>]*>")


class Place:
    """An element: its name, attributes and where in the file it and its content are, in bytes."""

    def __init__(self, name: str, attributes: dict[str, str], begin: int, parent: "Place | None"):
        self.name, self.attributes, self.begin, self.parent = name, attributes, begin, parent
        self.inner = self.inner_end = self.end = begin
        self.children: list[Place] = []

    def child(self, name: str) -> "Place | None":
        """The first child of that name."""
        return next((one for one in self.children if one.name == name), None)


def parse_places(data: bytes, path: str | Path) -> list[Place]:
    """All elements of a file, each before those in it."""
    parser = expat.ParserCreate()
    found: list[Place] = []
    open_: list[Place] = []
    waiting: list[Place] = []  # a start tag ends where what follows begins

    def reach() -> None:
        for place in waiting:
            place.inner = parser.CurrentByteIndex
        waiting.clear()

    def start(name: str, attributes: dict[str, str]) -> None:
        reach()
        place = Place(
            name.rpartition(":")[2],
            attributes,
            parser.CurrentByteIndex,
            open_[-1] if open_ else None,
        )
        if open_:
            open_[-1].children.append(place)
        found.append(place)
        open_.append(place)
        waiting.append(place)

    def end(_: str) -> None:
        place = open_.pop()
        is_empty = bool(waiting)
        reach()
        place.inner_end = at = parser.CurrentByteIndex
        # At the end of “<a/>” expat is behind it already.
        ended = is_empty and data[at - 2 : at] == b"/>"
        place.end = at if ended else data.index(b">", at) + 1

    def refuse_entity(*_: object) -> None:
        raise InputError(path, parser.CurrentLineNumber, "an entity declaration", "none")

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.DefaultHandlerExpand = lambda _: reach()
    parser.CharacterDataHandler = lambda _: reach()
    parser.EntityDeclHandler = refuse_entity
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        message = f"XML broken at column {error.offset + 1}: {expat.ErrorString(error.code)}"
        remedy = "the file is cut off or damaged"
        raise InputError(path, error.lineno, message, remedy=remedy) from error
    return found


class XmlDocument(Document):
    """Text with additions: `segments` are contents of elements, `additions` where they go.

    An addition is (begin, end, before, segment or -1, behind): what replaces bytes of the file.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.segments = []
        self._additions: list[tuple[int, int, str, int, str]] = []

    def translate(self, place: Place, begin: int, end: int, before: str, behind: str) -> None:
        """Put a translation of the content of `place` at [begin, end)."""
        text = self.data[place.inner : place.inner_end].decode()
        number = -1
        if has_words(_TAG.sub("", text)):
            number = len(self.segments)
            self.segments.append(" ".join(with_letters(text).split()))
            self._additions.append((begin, end, before, number, behind))

    def put(self, begin: int, end: int, text: str) -> None:
        """Put a text at [begin, end)."""
        self._additions.append((begin, end, text, -1, ""))

    def filled(self, translations: Sequence[str]) -> str:
        """The file with its additions."""
        pieces: list[bytes] = []
        done = 0
        for begin, end, before, number, behind in sorted(self._additions):
            text = escaped(translations[number]) if number >= 0 else ""
            pieces += [self.data[done:begin], f"{before}{text}{behind}".encode()]
            done = end
        return b"".join([*pieces, self.data[done:]]).decode()


def escaped(text: str) -> str:
    """Running text with tags as XML: what else has a meaning there is escaped."""
    pieces = re.split(r"(<[^<>]*>|&(?:#\d+|#x[0-9a-fA-F]+|amp|lt|gt|quot|apos);)", text)
    for number in range(0, len(pieces), 2):
        plain = pieces[number].replace("&", "&amp;").replace("<", "&lt;")
        pieces[number] = plain.replace("]]>", "]]&gt;")
    return "".join(pieces)


def read_xliff_document(path: str | Path) -> XmlDocument:
    """XLIFF 1.x: ``trans-unit``; 2.x: ``segment``."""
    data = read_text(path).encode()
    document = XmlDocument(data)
    places = parse_places(data, path)
    if not places or places[0].name != "xliff":
        raise InputError(path, 0, "no <xliff> element", "an XLIFF file")
    for place in places:
        source = place.child("source")
        if place.name not in ("trans-unit", "segment") or source is None:
            continue
        if place.attributes.get("translate") == "no":
            continue
        target = place.child("target")
        if target is not None and data[target.inner : target.inner_end].strip():
            continue
        mark = ""
        if place.name == "trans-unit":
            mark = ' state="needs-review-translation" state-qualifier="mt-suggestion"'
        elif has_words(_TAG.sub("", data[source.inner : source.inner_end].decode())):
            document.put(*_state(data, place), ' state="translated" subState="mt:unreviewed"')
        behind = (place.child("seg-source") or source).end
        begin, end = (behind, behind) if target is None else (target.begin, target.end)
        document.translate(source, begin, end, f"<target{mark}>", "</target>")
    return document


def _state(data: bytes, segment: Place) -> tuple[int, int]:
    """Where the state of a segment stands, or would."""
    tag = data[segment.begin : segment.inner].decode()
    found = re.search(r"(?:\s+(?:state|subState)\s*=\s*(?:\"[^\"]*\"|'[^']*'))+", tag)
    if found:
        begin = segment.begin + len(tag[: found.start()].encode())
        return begin, begin + len(found[0].encode())
    place = segment.begin + len("<") + len(re.match(r"<([^\s/>]+)", tag)[1].encode())  # type: ignore[index]
    return place, place


def read_tmx_document(
    path: str | Path, source: str | None = None, target: str | None = None
) -> XmlDocument:
    """Units that lack the target language; it must be known."""
    data = read_text(path).encode()
    places = parse_places(data, path)
    if not places or places[0].name != "tmx":
        raise InputError(path, 0, "no <tmx> element", "a translation memory")
    if target is None:
        raise OptionError(f"{path}: expected a target language, which the model does not have")
    header = next((place for place in places if place.name == "header"), None)
    language = header.attributes.get("srclang", "*all*") if header else "*all*"
    if language.lower() != "*all*":
        source = primary_language(language)
    document = XmlDocument(data)
    for unit in places:
        variants = [child for child in unit.children if child.name == "tuv"]
        if unit.name != "tu" or not variants:
            continue
        by_language = [
            (one.attributes.get("xml:lang") or one.attributes.get("lang") or "?", one)
            for one in variants
        ]
        own = next(
            (v for code, v in by_language if source and language_matches(code, source)), None
        )
        own = own or variants[0]
        segment = own.child("seg")
        if segment is None or any(language_matches(code, target) for code, _ in by_language):
            continue
        document.translate(
            segment, unit.inner_end, unit.inner_end,
            f'<tuv xml:lang="{target}"><prop type="x-mt">tunesmith</prop><seg>', "</seg></tuv>",
        )  # fmt: skip
    return document
