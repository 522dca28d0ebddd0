"""Documents with markup: what is to be translated of them, and the same with translations."""

from collections.abc import Callable
from pathlib import Path

from tunesmith.base.errors import OptionError
from tunesmith.formats.documents.base import Document
from tunesmith.formats.documents.catalogue import PoDocument
from tunesmith.formats.documents.html import read_html
from tunesmith.formats.documents.markdown import read_markdown
from tunesmith.formats.documents.subtitles import read_subtitles
from tunesmith.formats.documents.xml import read_tmx_document, read_xliff_document

#: Plain text has a sentence, or with `--split` a paragraph, on a line; it is no `Document`.
FORMATS = ("text", "html", "markdown", "srt", "po", "xliff", "tmx")

_SUFFIXES = {
    ".html": "html", ".htm": "html", ".xhtml": "html", ".md": "markdown", ".markdown": "markdown",
    ".srt": "srt", ".vtt": "srt", ".po": "po", ".pot": "po", ".xlf": "xliff", ".xliff": "xliff",
    ".sdlxliff": "xliff", ".mxliff": "xliff", ".tmx": "tmx",
}  # fmt: skip
_READERS: dict[str, Callable[[str | Path], Document]] = {
    "html": read_html, "markdown": read_markdown, "srt": read_subtitles, "po": PoDocument,
    "xliff": read_xliff_document,
}  # fmt: skip


def format_of(path: str | Path | None) -> str:
    """What the name of a file says about its format.

    >>> format_of("page.HTML"), format_of("x.txt"), format_of(None)
    ('html', 'text', 'text')
    """
    return _SUFFIXES.get(Path(str(path).lower()).suffix, "text") if path else "text"


def read_document(
    path: str | Path, format: str, languages: tuple[str | None, str | None] = (None, None)
) -> Document:
    """Read a document in any of `FORMATS` but text; a TMX file is filled in for `languages`."""
    if format == "tmx":
        return read_tmx_document(path, *languages)
    if format not in _READERS:
        raise OptionError(f"format '{format}', expected one of: {', '.join(FORMATS[1:])}")
    return _READERS[format](path)


__all__ = ["FORMATS", "Document", "format_of", "read_document"]
