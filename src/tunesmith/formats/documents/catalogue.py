"""PO: messages without a translation get one, marked as fuzzy."""

from collections.abc import Sequence
from pathlib import Path

from tunesmith.formats.documents.base import Document, has_words
from tunesmith.formats.po import parse_po

_FUZZY = "fuzzy"


class PoDocument(Document):
    """A catalogue; what is translated already, or obsolete, stays as it is."""

    def __init__(self, path: str | Path) -> None:
        self._catalogue = parse_po(path)
        self._pieces: list[tuple[object, int | None, list[str]]] = []
        self.segments = []
        for entry in self._catalogue:
            if entry.obsolete or entry.translated() or _FUZZY in entry.flags:
                continue
            if entry.msgid_plural:
                forms = entry.msgstr_plural or {0: "", 1: ""}
                for form in forms:
                    self._add(entry, form, entry.msgid_plural if form else entry.msgid)
            else:
                self._add(entry, None, entry.msgid)

    def _add(self, entry: object, form: int | None, text: str) -> None:
        lines = text.split("\n")
        self._pieces.append((entry, form, lines))
        self.segments += [line.strip() for line in lines if has_words(line)]

    def filled(self, translations: Sequence[str]) -> str:
        """The catalogue with all messages translated."""
        rest = iter(translations)
        for entry, form, lines in self._pieces:
            text = "\n".join(
                _around(line, next(rest)) if has_words(line) else line for line in lines
            )
            if form is None:
                entry.msgstr = text  # type: ignore[attr-defined]
            else:
                entry.msgstr_plural[form] = text  # type: ignore[attr-defined]
            if _FUZZY not in entry.flags:  # type: ignore[attr-defined]
                entry.flags.insert(0, _FUZZY)  # type: ignore[attr-defined]
        return str(self._catalogue)


def _around(line: str, translation: str) -> str:
    """The translation with the white space that a line has around it."""
    begin = len(line) - len(line.lstrip())
    return line[:begin] + translation + line[begin + len(line.strip()) :]


read_catalogue = PoDocument
