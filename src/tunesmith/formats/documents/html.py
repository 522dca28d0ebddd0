"""HTML: text between block elements, and attributes that people read.

Tags inside a paragraph stay in its segment. What only a parser of HTML knows for a tag, and tags
whose attributes are translated too, are there by a stand-in.
"""

import html
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from itertools import accumulate
from typing import NamedTuple

from tunesmith.base.languages import primary_language
from tunesmith.formats.documents.base import Document, has_words, with_letters

# Elements inside of a sentence; all others are borders of segments.
_INLINE = frozenset(
    ("a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn",
     "em", "font", "i", "img", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strike",
     "strong", "sub", "sup", "time", "tt", "u", "var", "wbr")
)  # fmt: skip
_EMPTY = frozenset(("img", "wbr"))
_COMMENT = "!--"
# Elements whose text is not translated, wherever they stand.
_VERBATIM = frozenset(("script", "style", "pre", "textarea", "template", "math", "svg", "noscript"))

# Attributes that people read, …
_READ = frozenset(
    ("alt", "title", "placeholder", "aria-label", "aria-description", "aria-placeholder",
     "aria-roledescription", "aria-valuetext")
)  # fmt: skip
# … those of some elements, …
_READ_OF = {"option": "label", "optgroup": "label", "track": "label", "th": "abbr"}
_BUTTONS = frozenset(("submit", "reset", "button"))
_ABOUT_PAGES = frozenset(
    ("description", "keywords", "og:title", "og:description", "og:image:alt", "twitter:title",
     "twitter:description", "twitter:image:alt")
)  # fmt: skip
# … and elements that nobody sees.
_UNSEEN = frozenset(("link", "style", "script", "base"))

_NAME = re.compile(r"</?[^\s/>]*")
_ATTRIBUTE = re.compile(
    r"([^\s\"'<>/=]+)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'<>]+))"
)
_BARE = re.compile(r"[^\s\"'<>=`]+")
# A tag that everybody knows for one.
_PLAIN = re.compile(
    r"</?[A-Za-z][\w:.-]*(?: [\w:@.-]+=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=]+))* ?/?>"
)


class _Value(NamedTuple):
    """What is written anew in an attribute."""

    begin: int
    end: int
    quote: str
    said: str | None = None
    """Instead of a translation."""


class _Token(NamedTuple):
    begin: int
    is_text: bool
    name: str
    """Of a tag."""
    opens: int
    """1 of a start tag, -1 of an end tag."""
    is_verbatim: bool = False
    """Whether what stands in the element is not to be translated."""
    values: Sequence[_Value] = ()


class _Tokens(HTMLParser):
    """Where tags, text and the rest begin; what a token is ends where the next one begins."""

    def __init__(self, text: str, source: str | None, target: str | None) -> None:
        super().__init__(convert_charrefs=False)
        self.tokens: list[_Token] = []
        self._source, self._target = source, target
        self._lines = [0, *accumulate(len(line) + 1 for line in text.split("\n"))]
        self.feed(text)
        self.close()
        self.tokens.append(_Token(len(text), False, "", 0))

    def _place(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def _add(self, is_text: bool, name: str = "", opens: int = 0) -> None:
        self.tokens.append(_Token(self._place(), is_text, name, opens))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add_start(tag, attrs, int(tag not in _EMPTY))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._add_start(tag, attrs, 0)

    def _add_start(self, tag: str, attrs: list[tuple[str, str | None]], opens: int) -> None:
        attributes = {name: value for name, value in reversed(attrs) if value is not None}
        is_kept = self._is_kept(tag, attributes)
        values = list(self._values(tag, attributes, is_kept))
        is_verbatim = opens > 0 and (tag in _VERBATIM or is_kept)
        self.tokens.append(_Token(self._place(), False, tag, opens, is_verbatim, values))

    def _is_kept(self, tag: str, attributes: dict[str, str]) -> bool:
        language = attributes.get("lang") or attributes.get("xml:lang")
        is_foreign = tag not in ("html", "body") and not _is_same(language, self._source)
        is_marked = "notranslate" in attributes.get("class", "").split()
        return is_foreign or is_marked or attributes.get("translate") == "no"

    def _values(self, tag: str, attributes: dict[str, str], is_kept: bool) -> Iterator[_Value]:
        raw = self.get_starttag_text() or ""
        for found in _ATTRIBUTE.finditer(raw, _NAME.match(raw).end()):  # type: ignore[union-attr]
            name, kind = found[1].lower(), found.lastgroup or ""
            if html.unescape(found[kind]) != attributes.get(name):
                continue
            begin = self._place() + found.start(kind)
            quote = {"double": '"', "single": "'", "bare": ""}[kind]
            if tag == "html" and name in ("lang", "xml:lang"):
                if self._source and self._target and _is_same(found[kind], self._source):
                    yield _Value(begin, begin + len(found[kind]), quote, self._target)
            elif not is_kept and _is_read(tag, name, attributes):
                is_list = tag == "meta" and attributes.get("name", "").lower() == "keywords"
                for piece in re.finditer(r"[^\s,][^,]*" if is_list else r"\S.*", found[kind], re.S):
                    if has_words(html.unescape(piece[0])):
                        end = begin + piece.start() + len(piece[0].rstrip())
                        yield _Value(begin + piece.start(), end, quote)

    def handle_endtag(self, tag: str) -> None:
        self._add(False, tag, -1)

    def handle_data(self, data: str) -> None:
        self._add(True)

    def handle_entityref(self, name: str) -> None:
        self._add(True)

    def handle_charref(self, name: str) -> None:
        self._add(True)

    def handle_comment(self, data: str) -> None:
        self._add(False, _COMMENT)

    def handle_decl(self, decl: str) -> None:
        self._add(False, "!")

    def unknown_decl(self, data: str) -> None:
        self._add(False, "!")

    def handle_pi(self, data: str) -> None:
        self._add(False, "!")


def _is_same(language: str | None, wanted: str | None) -> bool:
    if not language or not wanted:
        return True
    return primary_language(language) == primary_language(wanted)


def _is_read(tag: str, name: str, attributes: dict[str, str]) -> bool:
    if tag == "meta" and name == "content":
        about = attributes.get("name") or attributes.get("property") or ""
        return about.lower() in _ABOUT_PAGES
    if tag == "input" and name == "value":
        return attributes.get("type", "").lower() in _BUTTONS
    return tag not in _UNSEEN and (name in _READ or name == _READ_OF.get(tag))


class _Fragment(NamedTuple):
    """A token of a paragraph, or an element in it that is not translated."""

    begin: int
    end: int
    token: _Token


class HtmlDocument(Document):
    """A page. `spans` are its texts; the values of attributes are among the segments too."""

    def __init__(
        self, text: str, paragraphs: Sequence[Sequence[_Fragment]], values: Sequence[_Value]
    ) -> None:
        self.text = text
        self.spans: list[tuple[int, int]] = []
        self._stand_ins: list[dict[str, tuple[int, int]]] = []
        said: list[tuple[int, str]] = []
        for paragraph in paragraphs:
            span, segment, stand_ins = _trimmed(text, paragraph)
            said.append((span[0], segment))
            self.spans.append(span)
            self._stand_ins.append(stand_ins)
        self._values = sorted(values)
        said += [
            (one.begin, " ".join(with_letters(text[one.begin : one.end]).split()))
            for one in self._values
            if one.said is None
        ]
        said.sort()
        self.segments = [segment for _, segment in said]
        self._numbers = {begin: number for number, (begin, _) in enumerate(said)}

    def filled(self, translations: Sequence[str]) -> str:
        """The page with its texts and attributes replaced."""
        pieces, done = [], 0
        for (begin, end), stand_ins in zip(self.spans, self._stand_ins, strict=True):
            translation = translations[self._numbers[begin]]
            for stand_in, (first, last) in stand_ins.items():
                tag = self._with_values(first, last, translations)
                translation = translation.replace(stand_in, tag)
            pieces += [self._with_values(done, begin, translations), translation]
            done = end
        return "".join([*pieces, self._with_values(done, len(self.text), translations)])

    def _with_values(self, begin: int, end: int, translations: Sequence[str]) -> str:
        """The text [begin, end) with the attributes in it replaced."""
        pieces = []
        first, last = (bisect_left(self._values, (place,)) for place in (begin, end))
        for value in self._values[first:last]:
            said = value.said
            if said is None:
                said = _quoted(translations[self._numbers[value.begin]], value.quote)
            pieces += [self.text[begin : value.begin], said]
            begin = value.end
        return "".join([*pieces, self.text[begin:end]])


def _quoted(text: str, quote: str) -> str:
    if quote == "'":
        return text.replace("'", "&#39;")
    if not quote and _BARE.fullmatch(text):
        return text
    text = text.replace('"', "&quot;")
    return text if quote else f'"{text}"'


def html_document(text: str, source: str | None = None, target: str | None = None) -> HtmlDocument:
    """A page or a piece of one; what nobody reads stays as it is, and so do other languages.

    >>> html_document("<h1>A <b>head</b></h1><p>And text.<script>x</script>").segments
    ['A <b>head</b>', 'And text.']
    """
    paragraphs: list[list[_Fragment]] = []
    values: list[_Value] = []
    open_: list[_Fragment] = []
    tokens = _Tokens(text, source, target).tokens
    ends = _ends_of_kept(tokens)
    number = 0
    while number < len(tokens) - 1:
        token = tokens[number]
        last = ends.get(number, number)
        values += token.values
        if token.is_text or token.name in _INLINE or token.name == _COMMENT:
            open_.append(_Fragment(token.begin, tokens[last + 1].begin, token))
        else:
            paragraphs.append(open_)
            open_ = []
        number = last + 1
    paragraphs = [_without_ends(text, one) for one in (*paragraphs, open_)]
    return HtmlDocument(text, [one for one in paragraphs if _has_words(text, one)], values)


def _ends_of_kept(tokens: Sequence[_Token]) -> dict[int, int]:
    """The first and the last token of elements that are not translated."""
    ends: dict[int, int] = {}
    inner, first, depth = "", 0, 0
    for number, token in enumerate(tokens):
        if inner:
            depth += token.opens * (token.name == inner)
            if depth == 0:
                ends[first], inner = number, ""
        elif token.is_verbatim:
            inner, first, depth = token.name, number, 1
    if inner:
        ends[first] = len(tokens) - 2
    return ends


def _without_ends(text: str, paragraph: list[_Fragment]) -> list[_Fragment]:
    """A paragraph without comments and white space around it."""

    def is_nothing(piece: _Fragment) -> bool:
        is_space = piece.token.is_text and not text[piece.begin : piece.end].strip()
        return is_space or piece.token.name == _COMMENT

    begin, end = 0, len(paragraph)
    while begin < end and is_nothing(paragraph[begin]):
        begin += 1
    while begin < end and is_nothing(paragraph[end - 1]):
        end -= 1
    return paragraph[begin:end]


def _has_words(text: str, paragraph: Sequence[_Fragment]) -> bool:
    words = "".join(text[one.begin : one.end] for one in paragraph if one.token.is_text)
    return has_words(html.unescape(words))


def _trimmed(
    text: str, paragraph: Sequence[_Fragment]
) -> tuple[tuple[int, int], str, dict[str, tuple[int, int]]]:
    """Where a paragraph is without white space at its ends, its segment, what stand-ins mean."""
    pieces: list[str] = []
    stand_ins: dict[str, tuple[int, int]] = {}
    for begin, end, token in paragraph:
        raw = text[begin:end]
        if token.is_text:
            raw = with_letters(raw)
        elif not _PLAIN.fullmatch(raw) or "  " in raw or token.values or token.is_verbatim:
            raw = _stand_in(raw, token, len(stand_ins) + 1)
            stand_ins[raw] = (begin, end)
        pieces.append(raw)
    begin, end = paragraph[0].begin, paragraph[-1].end
    whole = text[begin:end]
    begin += len(whole) - len(whole.lstrip())
    return (begin, begin + len(whole.strip())), " ".join("".join(pieces).split()), stand_ins


def _stand_in(raw: str, token: _Token, number: int) -> str:
    if token.is_verbatim:
        return f'<code data-tunesmith="{number}"></code>'
    if token.name == _COMMENT:
        return f'<x data-tunesmith="{number}"/>'
    if token.opens < 0:
        return f"</{token.name}>"
    return f'<{token.name} data-tunesmith="{number}"{"/" * raw.endswith("/>")}>'
