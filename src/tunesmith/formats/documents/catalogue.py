"""PO: messages without a translation get one, marked as fuzzy; all other lines stay."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tunesmith.base.log import log
from tunesmith.formats.accelerators import Accelerators, with_accelerator
from tunesmith.formats.documents.base import Document, has_words, warn_of_language
from tunesmith.formats.documents.content import document_bytes
from tunesmith.formats.documents.directives import FormatString, plural_examples
from tunesmith.formats.documents.wrapping import WIDTH, WrappedText
from tunesmith.formats.po import decode_po, header_language, parse_po_text
from tunesmith.formats.text import UTF8_BOM

_FUZZY = "fuzzy"
_KEYWORD = re.compile(r"\s*(msg\w+)(?:\[(\d+)\])?\s*(\".*\")\s*")
_STRING = re.compile(r"\s*(\".*\")\s*")
_FLAGS = re.compile(r"\s*#,(.*)")
_CHARSET = re.compile(r"(charset=)[A-Za-z0-9_.:-]+")


@dataclass
class _Field:
    """A string of an entry, and its lines [begin, end)."""

    begin: int
    end: int
    text: str


@dataclass
class _Entry:
    first: int | None = None
    """The line before which flags stand."""
    flags: tuple[int, list[str]] | None = None
    """The line that has them."""
    fields: dict[tuple[str, int], _Field] = field(default_factory=dict)

    def text(self, name: str) -> str:
        found = self.fields.get((name, 0))
        return found.text if found else ""

    @property
    def is_header(self) -> bool:
        return not self.text("msgid") and ("msgctxt", 0) not in self.fields

    @property
    def is_fuzzy(self) -> bool:
        return self.flags is not None and _FUZZY in self.flags[1]

    def undone(self, forms: Sequence[Sequence[int]]) -> Iterator[tuple[tuple[str, int], str]]:
        """The strings that lack a translation, and of what; `forms` are numbers of each form."""
        keys = {key for key in self.fields if key[0] == "msgstr"}
        if ("msgid_plural", 0) not in self.fields:
            if ("msgstr", 1) in keys:
                return  # forms of nothing
        else:
            count = len(forms) if len(keys) <= len(forms) or not keys else 0
            keys |= {("msgstr", form) for form in range(count)}
        for key in sorted(keys) or [("msgstr", 0)]:
            if key not in self.fields or not self.fields[key].text:
                yield key, self._source(key[1], forms)

    def _source(self, form: int, forms: Sequence[Sequence[int]]) -> str:
        """What a form translates: the singular, if that says as much about all of its numbers."""
        singular, plural = self.text("msgid"), self.text("msgid_plural")
        if not plural:
            return singular
        numbers = forms[form] if form < len(forms) else [2]
        if 1 not in numbers or 2 in numbers:
            return plural
        flags = self.flags[1] if self.flags else []
        counts = [FormatString(text, flags).size for text in (singular, plural)]
        return singular if len(numbers) == 1 or counts[0] == counts[1] else plural


class _Message:
    """A string to translate: its sentences, and itself with their translations."""

    def __init__(self, text: str, flags: Sequence[str], labels: Accelerators) -> None:
        label, self._accelerator = labels.take(text)
        self._format = FormatString(label, flags)
        self._wrapped = WrappedText(self._format.text)
        self.segments = self._wrapped.segments

    def written(self, translations: Sequence[str]) -> str | None:
        """The translation; None if the arguments of the message are not those of the program."""
        text = self._wrapped.filled(translations)
        if self._accelerator:
            text = with_accelerator(text, self._accelerator)
        return self._format.written(text)


class PoDocument(Document):
    """A catalogue; what is translated already, or obsolete, stays as it is."""

    def __init__(self, text: str, path: str | Path = "<text>") -> None:
        parse_po_text(text, path)  # refuses what is none
        self._lines = text.split("\n")
        self._path = path
        entries = list(_entries(self._lines))
        labels = Accelerators(entry.text("msgid") for entry in entries)
        heads = [entry.text("msgstr") for entry in entries if entry.is_header]
        forms = plural_examples(heads[0] if heads else "") or [[1], [0, 2]]
        self._messages: list[tuple[_Entry, tuple[str, int], _Message]] = []
        for entry in entries:
            if not (entry.is_header or entry.is_fuzzy):
                flags = entry.flags[1] if entry.flags else []
                for key, source in entry.undone(forms):
                    if has_words(source):
                        self._messages.append((entry, key, _Message(source, flags, labels)))
        self.segments = [one for *_, message in self._messages for one in message.segments]

    def filled(self, translations: Sequence[str]) -> str:
        """The catalogue with all messages translated."""
        rest = iter(translations)
        lines: list[list[str]] = [[line] for line in self._lines]
        marked: set[int] = set()
        refused = 0
        for entry, key, message in self._messages:
            text = message.written([next(rest) for _ in message.segments])
            if text is None:
                refused += 1
                continue
            self._write(lines, entry, key, text)
            if entry.first not in marked:
                self._mark(lines, entry)
                marked.add(entry.first or 0)
        if refused:
            stay = "message stays" if refused == 1 else "messages stay"
            log.warning("%s: %d %s untranslated: directives were lost", self._path, refused, stay)
        return "\n".join(line for several in lines for line in several)

    def _write(
        self, lines: list[list[str]], entry: _Entry, key: tuple[str, int], text: str
    ) -> None:
        is_plural = ("msgid_plural", 0) in entry.fields
        keyword = f"msgstr[{key[1]}]" if is_plural else "msgstr"
        end = "\r" if self._lines[entry.first or 0].endswith("\r") else ""
        wraps = entry.flags is None or "no-wrap" not in entry.flags[1]
        said = [f"{line}{end}" for line in _strings(keyword, text, WIDTH if wraps else 0)]
        own = entry.fields.get(key)
        if own is None:
            last = max(one.end for one in entry.fields.values()) - 1
            lines[last] += said
            return
        for number in range(own.begin, own.end):
            lines[number] = []
        lines[own.begin] = said

    def _mark(self, lines: list[list[str]], entry: _Entry) -> None:
        if entry.flags:
            number = entry.flags[0]
            lines[number] = [self._lines[number].replace("#,", f"#, {_FUZZY},", 1)]
        elif entry.first is not None:
            end = "\r" if self._lines[entry.first].endswith("\r") else ""
            lines[entry.first].insert(0, f"#, {_FUZZY}{end}")

    def encoded(self, translations: Sequence[str]) -> bytes:
        """In the charset of its header, or in UTF-8 if that has not all letters any more."""
        text = self.filled(translations)
        try:
            return f"{self.mark}{text}".encode(self.encoding)
        except UnicodeEncodeError:
            return _CHARSET.sub(r"\g<1>UTF-8", text, count=1).encode("utf-8")


def read_catalogue(path: str | Path, target: str | None = None) -> PoDocument:
    """Read a catalogue in the charset that its header names; warn if it is not for `target`."""
    data = document_bytes(path)
    text, charset = decode_po(data.removeprefix(UTF8_BOM), path)
    warn_of_language(path, "Language", header_language(text), target)
    document = PoDocument(text, path)
    document.encoding = charset
    document.mark = "\ufeff" if data.startswith(UTF8_BOM) else ""
    return document


def _entries(lines: Sequence[str]) -> Iterator[_Entry]:
    """The entries that are not obsolete."""
    import polib

    entry = _Entry()
    last: _Field | None = None
    for number, line in enumerate(lines):
        stripped = line.strip()
        keyword, string = _KEYWORD.fullmatch(line), _STRING.fullmatch(line)
        is_next = stripped.startswith("#") or (keyword and keyword[1] in ("msgid", "msgctxt"))
        if is_next and any(name == "msgstr" for name, _ in entry.fields):
            yield entry
            entry, last = _Entry(), None
        if found := _FLAGS.match(line):
            entry.flags = (number, [flag.strip() for flag in found[1].split(",")])
        if entry.first is None and (keyword or stripped.startswith("#|")):
            entry.first = number
        if keyword:
            text = polib.unescape(keyword[3][1:-1])
            last = _Field(number, number + 1, text)
            entry.fields[keyword[1], int(keyword[2] or 0)] = last
        elif string and last is not None:
            last.text += polib.unescape(string[1][1:-1])
            last.end = number + 1
    if entry.fields:
        yield entry


def _strings(keyword: str, text: str, width: int) -> list[str]:
    """The lines of a string; one of several lines begins with an empty one, as gettext has it."""
    import polib

    whole = f'{keyword} "{polib.escape(text)}"'
    lines = text.splitlines(keepends=True)
    if len(lines) < 2 and (not width or len(whole) <= width):
        return [whole]
    pieces = [piece for line in lines for piece in _wrapped(polib.escape(line), width - 2)]
    return [f'{keyword} ""', *(f'"{piece}"' for piece in pieces)]


def _wrapped(line: str, width: int) -> list[str]:
    """An escaped line in pieces of at most `width` characters, if its words are short enough."""
    pieces = [""]
    for word in re.findall(r"\S*\s*", line):
        if width > 0 and pieces[-1] and len(pieces[-1]) + len(word.rstrip()) > width:
            pieces.append("")
        pieces[-1] += word
    return pieces
