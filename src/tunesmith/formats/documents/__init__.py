"""Documents with markup: what is to be translated of them, and the same with translations."""

import re
from pathlib import Path

from tunesmith.base.errors import OptionError
from tunesmith.formats.documents.base import Document, warn_of_language
from tunesmith.formats.documents.catalogue import read_catalogue
from tunesmith.formats.documents.content import read_content, read_xml_content
from tunesmith.formats.documents.html import html_document
from tunesmith.formats.documents.markdown import markdown_document
from tunesmith.formats.documents.subtitles import subtitle_document
from tunesmith.formats.documents.tmx import tmx_document
from tunesmith.formats.documents.xliff import xliff_document

#: Plain text has a sentence, or with `--split` a paragraph, on a line; it is no `Document`.
FORMATS = ("text", "html", "markdown", "srt", "po", "xliff", "tmx")

_SUFFIXES = {
    ".html": "html", ".htm": "html", ".xhtml": "html", ".md": "markdown", ".markdown": "markdown",
    ".srt": "srt", ".vtt": "srt", ".po": "po", ".pot": "po", ".xlf": "xliff", ".xliff": "xliff",
    ".sdlxliff": "xliff", ".mxliff": "xliff", ".tmx": "tmx",
}  # fmt: skip
_PAGE_LANGUAGE = re.compile(r"<html\s(?:[^>]*\s)?lang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
_PACKED = (".gz", ".xz", ".bz2")
_XML = ("xliff", "tmx")


def format_of(path: str | Path | None) -> str:
    """What the name of a file says about its format, packed or not.

    >>> format_of("page.HTML"), format_of("x.tmx.gz"), format_of("x.txt"), format_of(None)
    ('html', 'tmx', 'text', 'text')
    """
    name = Path(str(path or "").lower())
    return _SUFFIXES.get((name.with_suffix("") if name.suffix in _PACKED else name).suffix, "text")


def read_document(
    path: str | Path, format: str, languages: tuple[str | None, str | None] = (None, None)
) -> Document:
    """Read a document in any of `FORMATS` but text, to be translated between `languages`."""
    if format == "po":
        return read_catalogue(path, languages[1])
    if format not in FORMATS[1:]:
        raise OptionError(f"format '{format}', expected one of: {', '.join(FORMATS[1:])}")
    content = read_xml_content(path) if format in _XML else read_content(path)
    document = _document(content.text, path, format, languages)
    document.encoding, document.mark = content.encoding, content.mark
    return document


def _document(
    text: str, path: str | Path, format: str, languages: tuple[str | None, str | None]
) -> Document:
    match format:
        case "html":
            if stated := _PAGE_LANGUAGE.search(text):
                warn_of_language(path, "lang", stated[1], languages[0])
            return html_document(text, *languages)
        case "markdown":
            return markdown_document(text)
        case "srt":
            return subtitle_document(text, path)
        case "xliff":
            return xliff_document(text, path, *languages)
        case _:
            return tmx_document(text, path, *languages)


__all__ = ["FORMATS", "Document", "format_of", "read_document"]
