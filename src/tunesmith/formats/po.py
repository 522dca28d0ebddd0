"""PO and MO, the message catalogues of GNU gettext; PO is read and written by polib."""

import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.base.errors import InputError
from tunesmith.formats.accelerators import Accelerators, without_accelerator
from tunesmith.formats.text import read_blocks
from tunesmith.formats.xml_stream import one_line

if TYPE_CHECKING:
    from polib import POFile

_MO_MAGIC = {b"\xde\x12\x04\x95": "<", b"\x95\x04\x12\xde": ">"}
_MO_HEADER = struct.Struct("4sIIII")
_CHARSET = re.compile(rb"charset=([A-Za-z0-9_.:-]+)")
_LANGUAGE = re.compile(r'^"Language:[ \t]*([\w@-]+)', re.MULTILINE)
# A line that is no comment, which polib takes without looking whether its quotes are in order.
_LINE = re.compile(r"(?:#~\s*)?(msg\w+(?:\[\d+\])?)?\s*(.*)")
_COMMENT = re.compile(r"#[,.:|]?(?=[^\s#,.:|])")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SYNTAX = re.compile(r".*\(line (\d+)\)(?:: (.*))?", re.DOTALL)
_EXPECTED = "msgid, msgstr, a quoted string or a comment"


def read_po(path: str | Path) -> Iterator[tuple[str, str]]:
    """The translated messages of a PO file.

    Fuzzy, obsolete and untranslated messages and the header are left out. A plural message gives
    its singular with the first form and its plural with each of the others. Line ends inside
    messages become spaces, and labels lose their accelerators.
    """
    entries = parse_po(path)
    labels = Accelerators(entry.msgid for entry in entries)
    for entry in entries:
        if not (entry.obsolete or entry.fuzzy):
            forms = [entry.msgstr_plural[form] for form in sorted(entry.msgstr_plural)]
            plural = entry.msgid_plural or None
            yield from _pairs(entry.msgid, plural, forms or [entry.msgstr], labels)


class _Lines(str):
    """A text that polib cuts into lines where a file has them, and nowhere else."""

    __slots__ = ()

    def splitlines(self, keepends: bool = False) -> list[str]:
        return self.split("\n")


def parse_po(path: str | Path) -> "POFile":
    """A catalogue as polib has it; the header is its metadata."""
    return parse_po_text(decode_po(b"".join(read_blocks(path)), path)[0], path)


def po_language(path: str | Path) -> str:
    """Return the language that the header of a catalogue names, or an empty string."""
    return header_language(decode_po(b"".join(read_blocks(path)), path)[0])


def header_language(text: str) -> str:
    """Return the language that the header in the text of a catalogue names."""
    found = _LANGUAGE.search(text)
    return found[1] if found else ""


def decode_po(data: bytes, path: str | Path) -> tuple[str, str]:
    """The text of a catalogue, and the charset that its header names."""
    found = _CHARSET.search(data[:65536])
    charset = found[1].decode("ascii") if found else "utf-8"
    if charset == "CHARSET":  # a template that nobody has filled in
        charset = "utf-8"
    return _decode(data, charset, path), charset


def parse_po_text(text: str, path: str | Path) -> "POFile":
    """The same of a text, which `path` has."""
    import polib

    lines = []
    for number, line in enumerate(text.split("\n"), 1):
        lines.append(_checked(line.strip(" \t\r\v\f"), path, number))
    try:
        return polib.pofile(_Lines("\n".join(lines) + "\n"), encoding="utf-8")
    except OSError as error:
        place = _SYNTAX.fullmatch(str(error))
        number = int(place[1]) if place else 0
        found_there = (place[2] if place else None) or _short(lines[number - 1] if number else "")
        raise InputError(path, number, found_there, _EXPECTED) from error


def _checked(line: str, path: str | Path, number: int) -> str:
    """The line with a space behind its keyword, which polib wants, if its string is one."""
    if not line or line == "#~" or line.startswith("#~|"):
        return ""
    if line.startswith("#") and not line.startswith("#~"):
        return _COMMENT.sub(r"\g<0> ", line)
    parts = _LINE.fullmatch(line)
    if parts is None or not (parts[1] or parts[2].startswith('"')):
        raise InputError(path, number, _short(line), _EXPECTED)
    if not _STRING.fullmatch(parts[2]):
        raise InputError(path, number, _short(parts[2]), "a string in quotes")
    keyword = f"{parts[1]} " if parts[1] else ""
    return f"{'#~ ' * line.startswith('#~')}{keyword}{parts[2]}"


def _decode(data: bytes, charset: str, path: str | Path) -> str:
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


def _pairs(
    source: str, plural: str | None, forms: list[str], labels: Accelerators
) -> Iterator[tuple[str, str]]:
    if plural is None or len(forms) == 1:
        sources = [source if plural is None else plural]
    else:
        sources = [source, *[plural] * (len(forms) - 1)]
    for one, form in zip(sources, forms, strict=False):
        one, accelerator = labels.take(one)
        if accelerator:
            form = without_accelerator(form, accelerator.mark)
        if one_line(one) and one_line(form):
            yield one_line(one), one_line(form)


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
    messages: list[tuple[list[str], list[str]]] = []
    for number in range(count):
        source = _mo_string(data, order, sources + 8 * number, path)
        target = _mo_string(data, order, targets + 8 * number, path)
        if not source:
            found = _CHARSET.search(target)
            charset = found[1].decode("ascii") if found else charset
            continue
        texts = _mo_text(source, charset, path, number).rpartition("\x04")[2].split("\0")
        messages.append((texts, _mo_text(target, charset, path, number).split("\0")))
    labels = Accelerators(texts[0] for texts, _ in messages)
    for texts, forms in messages:
        yield from _pairs(texts[0], texts[1] if len(texts) > 1 else None, forms, labels)


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
