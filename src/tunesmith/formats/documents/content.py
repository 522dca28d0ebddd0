"""`Content`: the text of a document, and how its file writes it."""

import codecs
import re
from pathlib import Path
from typing import NamedTuple

from tunesmith.base.errors import InputError
from tunesmith.formats.text import UTF8_BOM, decode_lines, read_bytes

#: The largest document, unpacked, and how many tags, references and lines it may have together:
#: all are held in memory.
MAX_BYTES = 64 << 20
MAX_PARTS = 2_000_000
_MARK = "\ufeff"
_UTF_16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
# How XML in UTF-16 begins where it has no mark.
_MARKLESS = {b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_DECLARED = re.compile(rb"<\?xml\s[^>]*?\bencoding\s*=\s*[\"']([A-Za-z0-9._:-]+)")


class Content(NamedTuple):
    """Text without the byte order mark that stands before it."""

    text: str
    encoding: str = "utf-8"
    mark: str = ""


def read_content(path: str | Path) -> Content:
    """A file in UTF-8, or in UTF-16 with a mark; ``-`` is standard input."""
    return _decoded(document_bytes(path), path, "utf-8")


def read_xml_content(path: str | Path) -> Content:
    """The same of XML, which may declare any other encoding."""
    return decoded_xml(document_bytes(path), path)


def decoded_xml(data: bytes, path: str | Path) -> Content:
    """The text of XML, of which `path` is for messages."""
    if data[:2] in _MARKLESS:
        return _decoded(data, path, _MARKLESS[data[:2]])
    declared = _DECLARED.match(data)
    encoding = declared[1].decode("ascii") if declared else "utf-8"
    if encoding.lower().startswith("utf-16"):
        # Its declaration could not have been read.
        raise InputError(path, 1, f"encoding {encoding} in a file that is not", "utf-8")
    return _decoded(data, path, encoding)


def document_bytes(path: str | Path) -> bytes:
    """The bytes of a document, unpacked; one that is too large is refused."""
    data = read_bytes(path, keep_mark=True, at_most=MAX_BYTES)
    parts = sum(map(data.count, (b"<", b"&", b"\n")))
    if parts > MAX_PARTS:
        found, most = f"{parts:,} tags, references and lines", f"at most {MAX_PARTS:,}"
        raise InputError(path, 0, found, most, "cut it up")
    return data


def decoded(data: bytes, path: str | Path, charset: str, said_by: str) -> str:
    """The text of `data` in an encoding that the file names in its header or declaration."""
    try:
        text = data.decode(charset)
    except LookupError as error:
        raise InputError(path, 1, f"encoding {charset}", "a known one, such as UTF-8") from error
    except UnicodeError as error:
        start = min(getattr(error, "start", 0), len(data) - 1)  # some encodings do not tell
        line = data.count(b"\n", 0, start) + 1
        found = f"byte 0x{data[start]:02x}"
        raise InputError(path, line, found, f"{charset}, as its {said_by} says") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(path, line, "a NUL character", "text")
    return text


def _decoded(data: bytes, path: str | Path, encoding: str) -> Content:
    if data.startswith(UTF8_BOM):
        return Content(_utf8(data.removeprefix(UTF8_BOM), path), mark=_MARK)
    if data[:2] in _UTF_16:
        encoding = _UTF_16[data[:2]]
        return Content(decoded(data[2:], path, encoding, "mark"), encoding, _MARK)
    if encoding.lower() in ("utf-8", "utf8"):
        return Content(_utf8(data, path))
    return Content(decoded(data, path, encoding, "declaration"), encoding)


def _utf8(data: bytes, path: str | Path) -> str:
    decode_lines(data, path)  # refuses what is no text
    return data.decode("utf-8")
