"""TBX, termbases (ISO 30042): versions 2 (`martif`, TBX-Basic) and 3 (`tbx`), read as a stream."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.languages import language_matches, primary_language
from tunesmith.base.log import log
from tunesmith.formats.xml_stream import TextCollector, read_xml

_ROOTS = frozenset({"martif", "tbx", "TBX"})
_ENTRIES = frozenset({"termEntry", "conceptEntry"})
_LANGUAGES = frozenset({"langSet", "langSec"})
_TERMS = frozenset({"tig", "ntig", "termSec"})
# What is said of a term: as an attribute `type` of a note, or as the name of an element.
_STATUS = frozenset({"administrativeStatus", "normativeAuthorization"})
_FORBIDDEN = ("deprecatedTerm", "supersededTerm")
_PREFERRED = ("preferredTerm", "standardizedTerm")


@dataclass
class TermEntry:
    """A concept in two languages: its terms, and what must not be written for it."""

    pairs: list[tuple[str, str]] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)


@dataclass
class _Term:
    language: str
    text: str = ""
    status: str = ""

    @property
    def is_forbidden(self) -> bool:
        return self.status.startswith(_FORBIDDEN)

    @property
    def is_preferred(self) -> bool:
        return self.status.startswith(_PREFERRED)


def read_tbx(
    path: str | Path, source: str | None = None, target: str | None = None
) -> Iterator[TermEntry]:
    """The concepts that have terms in both languages, or forbidden ones in the target's.

    A language ``de`` takes ``de-AT`` too. One that is not known is the first other one of the file.
    All terms of the source are translated into one of the
    target: one that is preferred, else the first that is not forbidden. Terms whose status is
    deprecated or superseded are forbidden.
    """
    if source is None and target is None:
        raise OptionError(
            f"{path} is TBX, and the model does not know its languages; name them with "
            "--term-languages, or as source and target of Terms.read"
        )
    handler = _TbxHandler(source, target)
    yield from read_xml(path, handler)
    if not handler.is_tbx:
        raise InputError(path, 0, "no <martif> or <tbx> element", "a termbase in TBX")
    if handler.entries and not handler.used:
        found = ", ".join(sorted(handler.languages)) or "none"
        raise InputError(
            path,
            0,
            f"no terms in the languages {handler.source or '?'} and {handler.target or '?'}, "
            f"only {found}",
            remedy="name two languages of the file",
        )
    if handler.entries > handler.used:
        log.warning(
            "%s: %s of %s entries have no terms in %s or %s and were passed over",
            path,
            f"{handler.entries - handler.used:,}",
            f"{handler.entries:,}",
            handler.source,
            handler.target,
        )


class _TbxHandler:
    def __init__(self, source: str | None, target: str | None) -> None:
        self.source, self.target = source, target
        self.ready: list[TermEntry] = []
        self.is_tbx = False
        self.entries = self.used = 0
        self.languages: set[str] = set()
        self._language = "?"
        self._terms: list[_Term] = []
        self._term = TextCollector(frozenset())
        self._status = TextCollector(frozenset())

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        if name in _ROOTS:
            self.is_tbx = True
        elif name in _ENTRIES:
            self._terms = []
        elif name in _LANGUAGES:
            self._language = attributes.get("xml:lang") or attributes.get("lang") or "?"
            self.languages.add(self._language)
        elif name in _TERMS:
            self._terms.append(_Term(self._language))
        elif name == "term":
            self._term.open()
        elif name in _STATUS or (name == "termNote" and attributes.get("type") in _STATUS):
            self._status.open()

    def text(self, text: str) -> None:
        self._term.text(text)
        self._status.text(text)

    def end(self, name: str) -> None:
        if name == "term":
            text = self._term.close()
            if self._terms:
                self._terms[-1].text = text
        elif (name in _STATUS or name == "termNote") and self._status.pieces is not None:
            status = self._status.close()
            if self._terms:
                self._terms[-1].status = status
        elif name in _ENTRIES:
            self.entries += 1
            self._finish_entry()

    def _finish_entry(self) -> None:
        self.source = self.source or self._other_than(self.target)
        self.target = self.target or self._other_than(self.source)
        source, target = self._terms_of(self.source), self._terms_of(self.target)
        allowed = [one for one in target if not one.is_forbidden]
        best = next((one for one in allowed if one.is_preferred), None) or next(iter(allowed), None)
        entry = TermEntry(
            [(one.text, best.text) for one in source] if best else [],
            [one.text for one in target if one.is_forbidden],
        )
        if entry.pairs or entry.forbidden:
            self.used += 1
            self.ready.append(entry)

    def _other_than(self, known: str | None) -> str | None:
        languages = [one.language for one in self._terms]
        return next(
            (primary_language(one) for one in languages if not language_matches(one, known or "")),
            None,
        )

    def _terms_of(self, language: str | None) -> list[_Term]:
        if language is None:
            return []
        return [one for one in self._terms if one.text and language_matches(one.language, language)]
