"""XLIFF 1.2 and 2.0, files of translators' tools: their pairs of source and target segments."""

from collections.abc import Iterator
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.formats.xml_stream import TextCollector, read_xml

# Inline elements that hold codes, not text (1.2; those of 2.0 are empty).
_CODES = frozenset({"bpt", "ept", "it", "ph"})
# Where other elements <source> and <target> stand, which are proposals and not translations.
_PROPOSALS = frozenset({"alt-trans", "matches", "ignorable", "bin-unit"})
# A pair of 1.2 is a <trans-unit>, one of 2.0 a <segment>.
_PAIRS = frozenset({"trans-unit", "segment"})

#: Where the languages of source and target stand: in the root of 2.x, in every file of 1.x.
LANGUAGES = {"xliff": ("srcLang", "trgLang"), "file": ("source-language", "target-language")}


def read_xliff(path: str | Path) -> Iterator[tuple[str, str]]:
    """The pairs of an XLIFF file; segments without a translation are left out."""
    handler = _XliffHandler(path)
    yield from read_xml(path, handler)
    if not handler.version:
        raise InputError(path, 0, "no <xliff> element", "an XLIFF file")


def xliff_languages(path: str | Path) -> tuple[str, str]:
    """Return the languages that an XLIFF file states first; empty where it states none."""
    handler = _XliffHandler(path)
    next(read_xml(path, handler), None)
    return handler.languages


def check_version(version: str, path: str | Path, line: int) -> None:
    """Refuse a version that there is not."""
    if version not in ("1.0", "1.1", "1.2", "2.0", "2.1", "2.2"):
        raise InputError(path, line, f"XLIFF version {version}", "version 1.2 or 2.0")


class _XliffHandler:
    def __init__(self, path: str | Path) -> None:
        self.path = path
        self.version = ""
        self.ready: list[tuple[str, str]] = []
        self._text = TextCollector(_CODES)
        self._proposals = 0  # depth inside of elements with proposals
        self._side = ""  # "source" or "target" while inside of one
        self._pair: dict[str, str] = {}
        self.languages = "", ""

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        self._text.start(name)
        if name in LANGUAGES and not any(self.languages):
            stated = [attributes.get(one, "") for one in LANGUAGES[name]]
            self.languages = stated[0], stated[1]
        if self._proposals or name in _PROPOSALS:
            self._proposals += 1
        elif name in _PAIRS:
            self._pair = {}
        elif name in ("source", "target") and not self._side:
            self._side = name
            self._text.open()
        elif name == "xliff":
            self.version = attributes.get("version", "?")
            check_version(self.version, self.path, line)

    def text(self, text: str) -> None:
        self._text.text(text)

    def end(self, name: str) -> None:
        if self._proposals:
            self._proposals -= 1
        elif self._side and name == self._side:
            self._pair[name] = self._text.close()
            self._side = ""
        elif name in _PAIRS:
            source, target = self._pair.get("source"), self._pair.get("target")
            if source and target:
                self.ready.append((source, target))
        else:
            self._text.end()
