"""Documents with markup: what is to be translated of them, and the same with translations."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.documents.android import android_document
from tunesmith.formats.documents.base import Document, warn_of_language
from tunesmith.formats.documents.catalogue import read_catalogue
from tunesmith.formats.documents.content import Content, read_content, read_xml_content
from tunesmith.formats.documents.docx import read_docx
from tunesmith.formats.documents.html import HtmlDocument, html_document
from tunesmith.formats.documents.markdown import markdown_document
from tunesmith.formats.documents.messages import messages_document
from tunesmith.formats.documents.qt import qt_document
from tunesmith.formats.documents.subtitles import subtitle_document
from tunesmith.formats.documents.tmx import tmx_document
from tunesmith.formats.documents.xliff import xliff_document

Languages = tuple[str | None, str | None]


class _Format(NamedTuple):
    suffixes: tuple[str, ...]
    read: Callable[[str | Path, Languages], Document]


def _reader(
    make: Callable[..., Document], content: Callable[[str | Path], Content] = read_content
) -> Callable[[str | Path, Languages], Document]:
    """Read a file with `make`, which takes its text, its path, and both languages."""

    def read(path: str | Path, languages: Languages) -> Document:
        text, encoding, mark = content(path)
        document = make(text, path, *languages)
        document.encoding, document.mark = encoding, mark
        return document

    return read


_PAGE_LANGUAGE = re.compile(r"<html\s(?:[^>]*\s)?lang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)


def _page(text: str, path: str | Path, source: str | None, target: str | None) -> HtmlDocument:
    if stated := _PAGE_LANGUAGE.search(text):
        warn_of_language(path, "lang", stated[1], source)
    return html_document(text, source, target)


_FORMATS = {
    "html": _Format((".html", ".htm", ".xhtml"), _reader(_page)),
    "markdown": _Format((".md", ".markdown"), _reader(lambda text, *_: markdown_document(text))),
    "srt": _Format((".srt", ".vtt"), _reader(lambda text, path, *_: subtitle_document(text, path))),
    "po": _Format((".po", ".pot"), lambda path, languages: read_catalogue(path, languages[1])),
    "xliff": _Format(
        (".xlf", ".xliff", ".sdlxliff", ".mxliff"), _reader(xliff_document, read_xml_content)
    ),
    "tmx": _Format((".tmx",), _reader(tmx_document, read_xml_content)),
    "json": _Format((".json",), _reader(lambda text, path, *_: messages_document(text, path))),
    "docx": _Format((".docx",), lambda path, _: read_docx(path)),
    "android": _Format(
        (".xml",), _reader(lambda text, path, *_: android_document(text, path), read_xml_content)
    ),
    "qt": _Format((".ts",), _reader(qt_document, read_xml_content)),
}

#: Plain text has a sentence, or with `--split` a paragraph, on a line; it is no `Document`.
FORMATS = ("text", *_FORMATS)

_BY_SUFFIX = {suffix: name for name, one in _FORMATS.items() for suffix in one.suffixes}
_PACKED = (".gz", ".xz", ".bz2")
# Kinds of files that are not plain text, and what to do with them. Languages have endings, too:
# “.cs” and “.sh” are text.
_UNSUPPORTED = {
    suffix: remedy
    for remedy, suffixes in {
        "save it as .docx": ".doc .odt .ott .rtf .dot .fodt .pages",
        "extract its text with `pdftotext`": ".pdf .ps .djvu",
        "convert it with `msgunfmt`": ".mo",
        "convert it to PO or XLIFF": ".properties .yaml .yml .toml .ini .strings .stringsdict "
        ".xcstrings .resx .resw .arb .plist .csv .tsv .xls .xlsx .ods .jsonl",
        "convert it to HTML": ".tex .rst .adoc .asciidoc .dita .epub .typ .textile .wiki .ppt "
        ".pptx .odp",
        "convert it to SRT": ".ass .ssa .sub .sbv .ttml .dfxp",
        "": ".py .js .jsx .tsx .php .java .cpp .css .sql .vue .svelte .zip .tar .png .jpg .jpeg",
    }.items()
    for suffix in suffixes.split()
}


def format_of(path: str | Path | None) -> str:
    """What the name of a file says about its format, packed or not; refuses unsupported kinds.

    >>> format_of("page.HTML"), format_of("x.tmx.gz"), format_of("x.txt"), format_of(None)
    ('html', 'tmx', 'text', 'text')
    """
    suffix = _suffix(path)
    if suffix in _UNSUPPORTED:
        remedies = [_UNSUPPORTED[suffix], "`--format text` translates it as plain text"]
        raise InputError(
            str(path), 0, f"{suffix} files are not supported",
            f"plain text or one of: {', '.join(FORMATS[1:])}", ", or ".join(filter(None, remedies)),
        )  # fmt: skip
    return _BY_SUFFIX.get(suffix, "text")


def has_known_suffix(name: str) -> bool:
    """Whether a name ends like that of a file: of a format, an unsupported kind, or text."""
    suffix = _suffix(name)
    return suffix in _BY_SUFFIX or suffix in _UNSUPPORTED or suffix in (".txt", *_PACKED)


def _suffix(path: str | Path | None) -> str:
    name = Path(str(path or "").lower())
    return (name.with_suffix("") if name.suffix in _PACKED else name).suffix


def read_document(
    path: str | Path, format: str, languages: tuple[str | None, str | None] = (None, None)
) -> Document:
    """Read a document in any of `FORMATS` but text, to be translated between `languages`."""
    if format not in _FORMATS:
        raise OptionError(f"format '{format}', expected one of: {', '.join(FORMATS[1:])}")
    return _FORMATS[format].read(path, languages)


__all__ = ["FORMATS", "Document", "format_of", "has_known_suffix", "read_document"]
