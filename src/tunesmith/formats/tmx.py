"""TMX, translation memories (LISA, versions 1.1 to 1.4b), read as a stream in bounded memory."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.languages import language_matches, primary_language
from tunesmith.base.log import log
from tunesmith.formats.xml_stream import TextCollector, read_xml

# What no XML document can have.
_NO_XML = re.compile("[^\\t\\n\\r -\\ud7ff\\ue000-\\ufffd\U00010000-\U0010ffff]")
# Inline elements that hold the codes of another program, not text.
_CODES = frozenset({"bpt", "ept", "it", "ph", "ut"})


def read_tmx(
    path: str | Path, source: str | None = None, target: str | None = None
) -> Iterator[tuple[str, str]]:
    """The pairs of a translation memory in two languages.

    A language ``de`` takes ``de-AT`` and ``DE_de`` too. Without languages, the source is the
    file's `srclang`, or the first language of its first unit, and the target the first other
    language. Units that lack one of the two are passed over and counted in a warning.
    """
    handler = _TmxHandler(source, target)
    pairs = 0
    for pair in read_xml(path, handler):
        pairs += 1
        yield pair
    if not handler.is_tmx:
        raise InputError(path, 0, "no <tmx> element", "a translation memory")
    if handler.units and not pairs:
        found = ", ".join(sorted(handler.languages)) or "none"
        if handler.source is None or handler.target is None:
            raise InputError(path, 0, f"text in one language at most: {found}", "in two")
        raise InputError(
            path,
            0,
            f"no unit with the languages {handler.source} and {handler.target}, only {found}",
            remedy="name two languages of the file",
        )
    if handler.units > pairs:
        log.warning(
            "%s: %s of %s units have no text in %s or %s and were passed over",
            path,
            f"{handler.units - pairs:,}",
            f"{handler.units:,}",
            handler.source,
            handler.target,
        )


def tmx_languages(path: str | Path) -> tuple[str, str]:
    """Return the languages that `read_tmx` takes by default; empty where the file has none."""
    handler = _TmxHandler(None, None)
    next(read_xml(path, handler), None)
    return handler.source or "", handler.target or ""


def write_tmx(pairs: Iterable[tuple[str, str]], path: str | Path, source: str, target: str) -> None:
    """Write pairs of two languages as a translation memory, TMX 1.4.

    Characters that XML cannot have are left out. ``-`` is standard output.
    """
    with atomic_text(path) as stream:
        stream.write(
            '<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n'
            '<header creationtool="tunesmith" creationtoolversion="1" segtype="sentence" '
            f'o-tmf="tunesmith" adminlang="en" srclang={quoteattr(source)} datatype="plaintext"/>\n'
            "<body>\n"
        )
        for pair in pairs:
            units = "".join(
                f"<tuv xml:lang={quoteattr(language)}><seg>{_text(text)}</seg></tuv>"
                for language, text in zip((source, target), pair, strict=True)
            )
            stream.write(f"<tu>{units}</tu>\n")
        stream.write("</body>\n</tmx>\n")


def _text(text: str) -> str:
    return escape(_NO_XML.sub("", text))


class _TmxHandler:
    def __init__(self, source: str | None, target: str | None) -> None:
        self.source, self.target = source, target
        self.ready: list[tuple[str, str]] = []
        self.is_tmx = False
        self.units = 0
        self.languages: set[str] = set()
        self._segment = TextCollector(_CODES)
        self._language = ""
        self._variants: list[tuple[str, str]] = []

    def start(self, name: str, attributes: dict[str, str], line: int) -> None:
        self._segment.start(name)
        if name == "seg":
            self._segment.open()
        elif name == "tu":
            self._variants = []
        elif name == "tuv":
            self._language = attributes.get("xml:lang") or attributes.get("lang") or "?"
        elif name == "header":
            language = attributes.get("srclang", "*all*")
            if self.source is None and language.lower() != "*all*":
                self.source = primary_language(language)
        elif name == "tmx":
            self.is_tmx = True

    def text(self, text: str) -> None:
        self._segment.text(text)

    def end(self, name: str) -> None:
        if name == "seg":
            self._variants.append((self._language, self._segment.close()))
            self.languages.add(self._language)
        elif name == "tu":
            self.units += 1
            self._finish_unit()
        else:
            self._segment.end()

    def _finish_unit(self) -> None:
        if self.source is None and self._variants:
            self.source = primary_language(self._variants[0][0])
        if self.source is None:
            return
        if self.target is None:
            others = [code for code, _ in self._variants if not language_matches(code, self.source)]
            if not others:
                return
            self.target = primary_language(others[0])
        source, target = self._variant(self.source), self._variant(self.target)
        if source and target:
            self.ready.append((source, target))

    def _variant(self, wanted: str) -> str | None:
        return next((text for code, text in self._variants if language_matches(code, wanted)), None)
