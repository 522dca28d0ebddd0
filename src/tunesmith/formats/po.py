"""PO and MO, the message catalogues of GNU gettext."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.formats.text import read_blocks
from tunesmith.formats.xml_stream import one_line

_MO_MAGIC = {b"\xde\x12\x04\x95": "<", b"\x95\x04\x12\xde": ">"}
_MO_HEADER = struct.Struct("4sIIII")
_CHARSET = re.compile(rb"charset=([A-Za-z0-9_.:-]+)")
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|([0-7]{1,3})|(.))")
_ESCAPED = {
    "n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v",
    "\\": "\\", '"': '"', "'": "'", "?": "?",
}  # fmt: skip
_KEYWORD = re.compile(r"(msgctxt|msgid|msgid_plural|msgstr|msgstr\[(\d+)\])(?:\s+|(?=\"))(.*)")


def read_po(path: str | Path) -> Iterator[tuple[str, str]]:
    """The translated messages of a PO file.

    Fuzzy, obsolete and untranslated messages and the header are left out. A plural message gives
    its singular with the first form and its plural with each of the others. Line ends inside
    messages become spaces.
    """
    data = b"".join(read_blocks(path))
    found = _CHARSET.search(data[:65536])
    text = _decode(data, found[1].decode("ascii") if found else "utf-8", path)
    entry = _Entry()
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if line.startswith("#"):
            if entry.strings.get("msgstr") is not None or entry.has_forms():
                yield from entry.pairs()
                entry = _Entry()
            if line.startswith("#,") and "fuzzy" in line:
                entry.fuzzy = True
        elif line:
            if entry.is_followed_by(line):
                yield from entry.pairs()
                entry = _Entry()
            entry.add(line, path, number)
        elif entry.strings:
            yield from entry.pairs()
            entry = _Entry()
    yield from entry.pairs()


def _decode(data: bytes, charset: str, path: str | Path) -> str:
    if charset == "CHARSET":  # a template that nobody has filled in
        charset = "utf-8"
    try:
        text = data.decode(charset)
    except LookupError as error:
        raise InputError(path, 0, f"charset {charset}", "a known charset") from error
    except UnicodeError as error:
        start = getattr(error, "start", 0)  # some charsets do not tell
        line = data.count(b"\n", 0, start) + 1
        found = f"byte 0x{data[start]:02x}"
        raise InputError(path, line, found, f"{charset}, as its header says") from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(path, line, "a NUL byte", "a PO file", "a compiled catalogue is named .mo")
    return text


@dataclass
class _Entry:
    """One message while its lines are read."""

    strings: dict[str, str] = field(default_factory=dict)
    fuzzy: bool = False
    last: str = ""

    def has_forms(self) -> bool:
        return "msgstr[0]" in self.strings

    def is_followed_by(self, line: str) -> bool:
        """Whether `line` begins the next message without an empty line before it."""
        complete = "msgstr" in self.strings or self.has_forms()
        return complete and line.startswith(("msgctxt", "msgid")) and not self._is_plural(line)

    @staticmethod
    def _is_plural(line: str) -> bool:
        return line.startswith("msgid_plural")

    def add(self, line: str, path: str | Path, number: int) -> None:
        keyword = _KEYWORD.fullmatch(line)
        if keyword:
            self.last, line = keyword[1], keyword[3]
            if self.last in self.strings:
                raise InputError(path, number, f"a second {self.last}", "one of each in a message")
            if self.last.startswith("msgstr") and "msgid" not in self.strings:
                raise InputError(path, number, f"{self.last} without msgid", "msgid before it")
            self.strings[self.last] = ""
        elif not line.startswith('"') or not self.last:
            raise InputError(
                path, number, f"{_short(line)}", "msgid, msgstr, a quoted string or a comment"
            )
        string = _STRING.fullmatch(line)
        if not string:
            raise InputError(path, number, f"{_short(line)}", "a string in quotes")
        self.strings[self.last] += _unescaped(string[1])

    def pairs(self) -> Iterator[tuple[str, str]]:
        source = self.strings.get("msgid")
        if self.fuzzy or not source:
            return
        plural = self.strings.get("msgid_plural")
        forms = [text for name, text in self.strings.items() if name.startswith("msgstr")]
        yield from _pairs(source, plural, forms)


def _pairs(source: str, plural: str | None, forms: list[str]) -> Iterator[tuple[str, str]]:
    if plural is None or len(forms) == 1:
        sources = [source if plural is None else plural]
    else:
        sources = [source, *[plural] * (len(forms) - 1)]
    for one, form in zip(sources, forms, strict=False):
        if one_line(one) and one_line(form):
            yield one_line(one), one_line(form)


def _unescaped(text: str) -> str:
    def replace(match: re.Match[str]) -> str:
        if match[1] or match[2]:
            code = int(match[1], 16) if match[1] else int(match[2], 8)
            return chr(code) if code else ""  # no text has NUL
        return _ESCAPED.get(match[3], match[0])

    return _ESCAPE.sub(replace, text)


def _short(line: str) -> str:
    return repr(line if len(line) <= 40 else f"{line[:40]}…")


def read_mo(path: str | Path) -> Iterator[tuple[str, str]]:
    """The messages of a compiled catalogue; as `read_po` gives them."""
    data = b"".join(read_blocks(path))
    order = _MO_MAGIC.get(data[:4])
    if order is None:
        raise InputError(path, 0, "not a compiled catalogue", "an MO file", "a text is named .po")
    if len(data) < _MO_HEADER.size:
        raise _cut_off(path, data)
    _, revision, count, sources, targets = struct.unpack_from(f"{order}4sIIII", data)
    if revision >> 16 > 1:
        raise InputError(path, 0, f"MO version {revision >> 16}", "version 0 or 1")
    charset = "utf-8"
    for number in range(count):
        source = _mo_string(data, order, sources + 8 * number, path)
        target = _mo_string(data, order, targets + 8 * number, path)
        if not source:
            found = _CHARSET.search(target)
            charset = found[1].decode("ascii") if found else charset
            continue
        texts = _mo_text(source, charset, path, number).rpartition("\x04")[2].split("\0")
        forms = _mo_text(target, charset, path, number).split("\0")
        yield from _pairs(texts[0], texts[1] if len(texts) > 1 else None, forms)


def _mo_string(data: bytes, order: str, at: int, path: str | Path) -> bytes:
    if at + 8 > len(data):
        raise _cut_off(path, data)
    length, offset = struct.unpack_from(f"{order}II", data, at)
    if offset + length > len(data):
        raise _cut_off(path, data)
    return data[offset : offset + length]


def _mo_text(data: bytes, charset: str, path: str | Path, number: int) -> str:
    try:
        return data.decode(charset)
    except LookupError as error:
        raise InputError(path, 0, f"charset {charset}", "a known charset") from error
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        found = f"byte 0x{data[start]:02x} in message {number + 1}"
        raise InputError(path, 0, found, f"{charset}, as its header says") from error


def _cut_off(path: str | Path, data: bytes) -> InputError:
    return InputError(
        path,
        0,
        f"strings beyond its end at {len(data):,} bytes",
        remedy="the file is cut off or damaged",
    )
