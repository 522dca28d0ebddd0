"""HTML: text between block elements; tags inside a paragraph stay in its segment."""

import html
import re
from html.parser import HTMLParser
from itertools import accumulate, pairwise
from typing import NamedTuple

from tunesmith.formats.documents.base import SplicedDocument, has_words, with_letters

# Elements inside of a sentence; all others are borders of segments.
_INLINE = frozenset(
    ("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn",
     "em", "font", "i", "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike",
     "strong", "sub", "sup", "time", "tt", "u", "var", "wbr")
)  # fmt: skip
# Elements whose text is not translated, wherever they stand.
_VERBATIM = frozenset(("script", "style", "pre", "textarea", "template", "math", "svg", "noscript"))
_TAG = re.compile(r"<[^<>]*>")


class _Token(NamedTuple):
    begin: int
    is_text: bool
    name: str
    """Of a tag."""
    opens: int
    """1 of a start tag, -1 of an end tag."""
    is_verbatim: bool = False
    """Whether what stands in the element is not to be translated."""


class _Tokens(HTMLParser):
    """Where tags, text and the rest begin; what a token is ends where the next one begins."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=False)
        self.tokens: list[_Token] = []
        self._lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self.feed(text)
        self.close()
        self.tokens.append(_Token(len(text), False, "", 0))

    def _add(
        self, is_text: bool, name: str = "", opens: int = 0, is_verbatim: bool = False
    ) -> None:
        line, column = self.getpos()
        begin = self._lines[line - 1] + column
        self.tokens.append(_Token(begin, is_text, name, opens, is_verbatim))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = dict(attrs)
        classes = (kept.get("class") or "").split()
        is_kept = kept.get("translate") == "no" or "notranslate" in classes
        self._add(False, tag, 1, tag in _VERBATIM or (is_kept and tag not in _INLINE))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add(False, tag)

    def handle_endtag(self, tag: str) -> None:
        self._add(False, tag, -1)

    def handle_data(self, data: str) -> None:
        self._add(True)

    def handle_entityref(self, name: str) -> None:
        self._add(True)

    def handle_charref(self, name: str) -> None:
        self._add(True)

    def handle_comment(self, data: str) -> None:
        self._add(False, "!")

    def handle_decl(self, decl: str) -> None:
        self._add(False, "!")

    def unknown_decl(self, data: str) -> None:
        self._add(False, "!")

    def handle_pi(self, data: str) -> None:
        self._add(False, "!")


def html_document(
    text: str, source: str | None = None, target: str | None = None
) -> SplicedDocument:
    """A page or a piece of one; what is no text stays as it is.

    >>> html_document("<h1>A <b>head</b></h1><p>And text.<script>x</script>").segments
    ['A <b>head</b>', 'And text.']
    """
    spans = _segments(text)
    segments = [with_letters(text[begin:end]) for begin, end in spans]
    return SplicedDocument(text, spans, segments)


def _segments(text: str) -> list[tuple[int, int]]:
    """Runs of text and inline tags with a letter in them, without white space at their ends."""
    spans: list[tuple[int, int]] = []
    begin: int | None = None
    verbatim = 0
    inner = ""  # the element whose text is not translated
    for token, following in pairwise(_Tokens(text).tokens):
        is_inline = token.is_text or token.name in _INLINE
        if inner:
            verbatim += token.opens * (token.name == inner)
            inner = inner if verbatim > 0 else ""
            is_inline = False
        elif token.is_verbatim:
            inner, verbatim = token.name, 1
        if is_inline:
            begin = token.begin if begin is None else begin
            end = following.begin
        elif begin is not None:
            spans += _trimmed(text, begin, end)
            begin = None
    if begin is not None:
        spans += _trimmed(text, begin, len(text))
    return spans


def _trimmed(text: str, begin: int, end: int) -> list[tuple[int, int]]:
    piece = text[begin:end]
    if not has_words(html.unescape(_TAG.sub("", piece))):
        return []
    begin += len(piece) - len(piece.lstrip())
    return [(begin, begin + len(piece.strip()))]
