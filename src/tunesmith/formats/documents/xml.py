"""XML whose segments without a translation get one, marked as the work of a machine.

The file is read by expat, which says where elements stand; everything but what is added stays.
"""

import re
from collections.abc import Sequence
from pathlib import Path

from tunesmith.formats.accelerators import Accelerator, Accelerators, with_accelerator
from tunesmith.formats.documents.base import Document, has_words, with_letters
from tunesmith.formats.xml_stream import parse_blocks, xml_parser

# Codes of other programs have no words, tags neither.
_CODES = re.compile(
    r"<(?P<code>(?:[\w.-]+:)?(?:bpt|ept|ph|it|ut))\b[^<>]*(?<!/)>.*?</(?P=code)\s*>|<[^<>]*>",
    re.DOTALL,
)
# Attributes that hold for elements inside, too.
_INHERITED = ("translate", "translatable", "xml:space")
_CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.DOTALL)
_ATTRIBUTE = re.compile(r"\s+([^\s=]+)\s*=\s*(?:\"[^\"]*\"|'[^']*')")
# Line ends that are meant: always those that are written by number, and …
_NUMBERED_END = r"&\#(?:0*1[03]|[xX]0*[aAdD]);"
_ENDS = re.compile(rf"(\s*(?:{_NUMBERED_END}\s*)+)")
# … where white space is to be kept, all but those inside of tags and codes.
_KEPT_ENDS = re.compile(rf"({_CODES.pattern})|(\s*(?:(?:\n|{_NUMBERED_END})\s*)+)", re.DOTALL)


class Place:
    """An element: its name, attributes and where in the file it and its content are, in bytes."""

    def __init__(self, name: str, attributes: dict[str, str], begin: int, parent: "Place | None"):
        self.prefix, self.name = name[: name.rfind(":") + 1], name.rpartition(":")[2]
        self.attributes, self.begin, self.parent = attributes, begin, parent
        self.inner = self.inner_end = self.end = begin
        self.children: list[Place] = []
        own = {name: attributes[name] for name in _INHERITED if name in attributes}
        others = parent.inherited if parent else {}
        self.inherited: dict[str, str] = others | own if own else others
        """Attributes of the element, or of the nearest around it that has them."""

    def child(self, name: str) -> "Place | None":
        """The first child of that name."""
        return next((one for one in self.children if one.name == name), None)


def parse_places(data: bytes, path: str | Path) -> list[Place]:
    """All elements of a file in UTF-8, whatever it declares, each before those in it."""
    parser = xml_parser(path, "utf-8")
    found: list[Place] = []
    open_: list[Place] = []
    waiting: list[Place] = []  # a start tag ends where what follows begins

    def reach() -> None:
        for place in waiting:
            place.inner = parser.CurrentByteIndex
        waiting.clear()

    def start(name: str, attributes: dict[str, str]) -> None:
        reach()
        place = Place(name, attributes, parser.CurrentByteIndex, open_[-1] if open_ else None)
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

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.DefaultHandlerExpand = lambda _: reach()
    parser.CharacterDataHandler = lambda _: reach()
    for _ in parse_blocks(parser, [data], path):
        pass
    return found


class XmlDocument(Document):
    """Text with additions: `segments` are contents of elements, or lines of them.

    An addition is (begin, end, what replaces these bytes): texts, and numbers of segments.
    """

    def __init__(self, text: str) -> None:
        self.data = text.encode()
        self.segments = []
        self._additions: list[tuple[int, int, list[str | int]]] = []
        self._accelerators: dict[int, Accelerator] = {}

    def content(self, place: Place) -> str:
        """What stands in an element."""
        return self.data[place.inner : place.inner_end].decode()

    def tag(self, place: Place) -> str:
        """The start tag of an element."""
        return self.data[place.begin : place.inner].decode()

    def has_words(self, place: Place) -> bool:
        """Whether there is something to translate in an element."""
        return has_words(_CODES.sub("", _CDATA.sub(_as_text, self.content(place))))

    def translate(self, place: Place, begin: int, end: int, before: str, behind: str) -> None:
        """Put a translation of the content of `place` at [begin, end)."""
        content = self.content(place)
        whole = _CDATA.fullmatch(content.strip())
        if whole:
            pieces: list[str | int] = ["<![CDATA[", *self._lines(whole[1], True, True), "]]>"]
        else:
            is_kept = place.inherited.get("xml:space") == "preserve"
            pieces = self._lines(_CDATA.sub(_as_text, content), is_kept, False)
        self._additions.append((begin, end, [before, *pieces, behind]))

    def _lines(self, content: str, is_kept: bool, is_cdata: bool) -> list[str | int]:
        """The lines of a content, as numbers of segments, with what stands around them."""
        pieces: list[str | int] = []
        done = 0
        for found in (_KEPT_ENDS if is_kept else _ENDS).finditer(content):
            if found[found.re.groups] is not None:  # no tag
                pieces += [*self._line(content[done : found.start()], is_cdata), found[0]]
                done = found.end()
        return [*pieces, *self._line(content[done:], is_cdata)]

    def _line(self, line: str, is_cdata: bool) -> list[str | int]:
        if not has_words(_CODES.sub("", line)):
            return [line]
        words = line.strip()
        begin = line.index(words)
        self.segments.append(" ".join((words if is_cdata else with_letters(words)).split()))
        number = len(self.segments) - 1
        return [line[:begin], ~number if is_cdata else number, line[begin + len(words) :]]

    def take_accelerators(self) -> None:
        """Leave the accelerators of labels out of the segments until they are translated."""
        labels = Accelerators(self.segments)
        taken = [labels.take(segment) for segment in self.segments]
        self.segments = [text for text, _ in taken]
        self._accelerators = {number: one for number, (_, one) in enumerate(taken) if one}

    def put(self, begin: int, end: int, text: str) -> None:
        """Put a text at [begin, end)."""
        self._additions.append((begin, end, [text]))

    def filled(self, translations: Sequence[str]) -> str:
        """The file with its additions."""
        translations = list(translations)
        for number, accelerator in self._accelerators.items():
            translations[number] = with_accelerator(translations[number], accelerator)

        def written(piece: str | int) -> str:
            if isinstance(piece, str):
                return piece
            if piece < 0:  # of a CDATA section
                return translations[~piece].replace("]]>", "]]]]><![CDATA[>")
            return escaped(translations[piece])

        pieces: list[bytes] = []
        done = 0
        for begin, end, added in sorted(self._additions, key=lambda one: one[:2]):
            pieces += [self.data[done:begin], "".join(map(written, added)).encode()]
            done = end
        return b"".join([*pieces, self.data[done:]]).decode()


def _as_text(section: re.Match[str]) -> str:
    return section[1].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def with_attributes(tag: str, attributes: dict[str, str]) -> str:
    """A start tag with these attributes, whatever it has of the same names.

    >>> print(with_attributes("<a b='1' c='2'/>", {"b": "3"}))
    <a c='2' b="3"/>
    """
    end = re.search(r"\s*/?>$", tag)
    begin = tag[: end.start()] if end else tag
    kept = _ATTRIBUTE.sub(lambda one: "" if one[1] in attributes else one[0], begin)
    added = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"{kept}{added}{end[0] if end else ''}"


def escaped(text: str) -> str:
    """Running text with tags as XML: what else has a meaning there is escaped."""
    pieces = re.split(r"(<[^<>]*>|&(?:#\d+|#x[0-9a-fA-F]+|amp|lt|gt|quot|apos);)", text)
    for number in range(0, len(pieces), 2):
        plain = pieces[number].replace("&", "&amp;").replace("<", "&lt;")
        pieces[number] = plain.replace("]]>", "]]&gt;")
    return "".join(pieces)
