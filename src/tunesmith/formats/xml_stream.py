"""XML: the one parser of all formats, and files that can be larger than memory as events."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol, TypeVar
from xml.parsers import expat

from tunesmith.base.errors import InputError
from tunesmith.formats.text import read_blocks

Item = TypeVar("Item")


class Handler(Protocol[Item]):
    """What is told of elements and text; names come without their namespace prefix.

    Whatever is put into `ready` leaves the stream.
    """

    ready: list[Item]

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        """An element begins."""

    def end(self, name: str) -> None:
        """An element ends."""

    def text(self, text: str) -> None:
        """A piece of text."""


def read_xml(path: str | Path, handler: Handler[Item]) -> Iterator[Item]:
    """Feed the file to `handler` and yield what it makes ready."""
    parser = xml_parser(path)
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: handler.start(
        _local(name), attributes, parser.CurrentLineNumber
    )
    parser.EndElementHandler = lambda name: handler.end(_local(name))
    parser.CharacterDataHandler = handler.text
    for _ in parse_blocks(parser, read_blocks(path), path):
        yield from handler.ready
        handler.ready.clear()


def xml_parser(path: str | Path, encoding: str | None = None) -> expat.XMLParserType:
    """Make a parser that refuses entities; `encoding` goes before what the file declares.

    Entities can make a small file very large, and no program writes them into our formats.
    """
    parser = expat.ParserCreate(encoding)

    def refuse_entity(*_: object) -> None:
        raise InputError(path, parser.CurrentLineNumber, "an entity declaration", "none")

    parser.EntityDeclHandler = refuse_entity
    return parser


def parse_blocks(
    parser: expat.XMLParserType, blocks: Iterable[bytes], path: str | Path
) -> Iterator[None]:
    """Feed a file to a parser, and come back after each of its blocks."""
    try:
        for block in blocks:
            parser.Parse(block, False)
            yield
        parser.Parse(b"", True)
        yield
    except expat.ExpatError as error:
        message = f"XML broken at column {error.offset + 1}: {expat.ErrorString(error.code)}"
        remedy = "the file is cut off or damaged"
        raise InputError(path, error.lineno, message, remedy=remedy) from error
    except (LookupError, ValueError) as error:  # from Python's table of encodings
        found = f"an encoding that cannot be read: {error}"
        raise InputError(path, 1, found, "UTF-8 or UTF-16") from error


def _local(name: str) -> str:
    return name.rpartition(":")[2]


class TextCollector:
    """The text of one element, without what the inner elements named in `skipped` hold."""

    def __init__(self, skipped: frozenset[str]) -> None:
        self.skipped = skipped
        self.pieces: list[str] | None = None  # None outside of the element
        self.depth = 0  # of skipped elements

    def open(self) -> None:
        """The element begins."""
        self.pieces, self.depth = [], 0

    def start(self, name: str) -> None:
        """An element inside begins."""
        if self.pieces is not None and (self.depth or name in self.skipped):
            self.depth += 1

    def end(self) -> None:
        """An element inside ends."""
        if self.pieces is not None and self.depth:
            self.depth -= 1

    def text(self, text: str) -> None:
        """Keep text of the element."""
        if self.pieces is not None and not self.depth:
            self.pieces.append(text)

    def close(self) -> str:
        """The element ends: its text, on one line."""
        pieces, self.pieces = self.pieces or [], None
        return one_line("".join(pieces))


def one_line(text: str) -> str:
    r"""The text with line ends and the white space around them as single spaces.

    >>> one_line("  A text\n   of two lines. ")
    'A text of two lines.'
    """
    return " ".join(part for part in (line.strip(" \t\r") for line in text.split("\n")) if part)
