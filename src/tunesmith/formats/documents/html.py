"""HTML: text between block elements, and attributes that people read.

Tags inside a paragraph stay in its segment. What only a parser of HTML knows for a tag, and tags
whose attributes are translated too, are there by a stand-in.
"""

import html
import re
from bisect import bisect_left
from collections.abc import Sequence
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
_VERBATIM = frozenset(
    ("script", "style", "pre", "textarea", "template", "math", "svg", "noscript", "iframe", "xmp",
     "noembed", "noframes", "plaintext")
)  # fmt: skip
# Elements whose text has no tags but their own end, where a page of XML closes them at once.
_CLOSED_AT_ONCE = re.compile(
    r"<(script|style|title|textarea|noscript|iframe|xmp|noembed|noframes|plaintext)"
    r"([ \t\r\n\f][^<>]*/>|/>)",
    re.IGNORECASE,
)

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

# A tag that a parser has found: its name, and attributes one behind the other.
_NAME = re.compile(r"[^ \t\r\n\f/>]+")
_ATTRIBUTE = re.compile(
    r"[ \t\r\n\f/]*+(=?[^ \t\r\n\f/>=]+|=)(?:[ \t\r\n\f]*+=[ \t\r\n\f]*+"
    r"(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^ \t\r\n\f>]+)))?"
)
_QUOTES = {"double": '"', "single": "'", "bare": ""}
_BARE = re.compile(r"[^\s\"'<>=`]+")
# A tag that everybody knows for one.
_PLAIN = re.compile(
    r"</?[A-Za-z][\w:.-]*(?: [\w:@.-]+=(?:\"[^\"<>]*\"|'[^'<>]*'|[^\s\"'<>=]+))* ?/?>"
)


# What `_stand_in` makes.
_STAND_IN = re.compile(
    r'<code data-tunesmith="\d+"></code>|</?[^\s<>/]+(?: data-tunesmith="\d+"/?)?>'
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


def _tokens(text: str, source: str | None, target: str | None) -> list[_Token]:
    """Tags, text and the rest, each up to where the next one begins.

    A tag that the end of the page cuts off is no text.
    """
    from turbohtml import TokenType, tokenize

    # Only lengths are read of what comes back. A pair of line ends counts as one, and an end tag
    # without a name as nothing, so others of their lengths stand for them. An element that a page
    # of XML closes at once must not look like one that has text.
    plain = _CLOSED_AT_ONCE.sub(lambda tag: f"<x{'-' * (len(tag[1]) - 1)}{tag[2]}", text)
    pieces = tokenize(
        plain.replace("\r", "\n").replace("</>", "<!>"),
        capture_source=True, resolve_references=False, capture_attributes=False,
    )  # fmt: skip
    tokens: list[_Token] = []
    place = 0
    for piece in pieces:
        begin, place = place, place + len(piece.source or piece.data or "")
        match piece.type:
            case TokenType.TEXT | TokenType.CHARACTER_REFERENCE:
                tokens.append(_Token(begin, True, "", 0))
            case TokenType.START_TAG:
                tokens.append(_start_tag(text, begin, place, piece.self_closing, (source, target)))
            case TokenType.END_TAG:
                tokens.append(_Token(begin, False, piece.tag or "", -1))
            case kind:
                is_comment = kind == TokenType.COMMENT and text.startswith(("<!--", "</>"), begin)
                name = _COMMENT if is_comment else "!"
                tokens.append(_Token(begin, False, name, 0))
    if place < len(text):
        tokens.append(_Token(place, False, "!", 0))
    return [*tokens, _Token(len(text), False, "", 0)]


def _start_tag(
    text: str, begin: int, end: int, is_closed: bool, languages: tuple[str | None, str | None]
) -> _Token:
    source, target = languages
    found = _NAME.match(text, begin + 1)
    assert found is not None
    tag = found[0].lower()
    written: dict[str, re.Match[str]] = {}
    for one in _ATTRIBUTE.finditer(text, found.end(), end - 1):
        if one.lastgroup:
            written.setdefault(one[1].lower(), one)  # of several the first is meant
    attributes = {name: html.unescape(one[one.lastgroup or 0]) for name, one in written.items()}
    is_kept = _is_kept(tag, attributes, source)
    values: list[_Value] = []
    for name, one in written.items():
        kind = one.lastgroup or ""
        place, quote = one.start(kind), _QUOTES[kind]
        if tag == "html" and name in ("lang", "xml:lang"):
            if source and target and _is_same(one[kind], source):
                values.append(_Value(place, place + len(one[kind]), quote, target))
        elif not is_kept and _is_read(tag, name, attributes):
            is_list = tag == "meta" and attributes.get("name", "").lower() == "keywords"
            for piece in re.finditer(r"[^\s,][^,]*" if is_list else r"\S.*", one[kind], re.S):
                if has_words(html.unescape(piece[0])):
                    first = place + piece.start()
                    values.append(_Value(first, first + len(piece[0].rstrip()), quote))
    opens = int(tag not in _EMPTY and not is_closed)
    return _Token(begin, False, tag, opens, opens > 0 and (tag in _VERBATIM or is_kept), values)


def _is_kept(tag: str, attributes: dict[str, str], source: str | None) -> bool:
    language = attributes.get("lang") or attributes.get("xml:lang")
    is_foreign = tag not in ("html", "body") and not _is_same(language, source)
    is_marked = "notranslate" in attributes.get("class", "").split()
    return is_foreign or is_marked or attributes.get("translate") == "no"


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
            number = self._numbers[begin]
            if translations[number] == self.segments[number]:
                continue  # every byte stays

            def tag(found: re.Match[str], stand_ins: dict[str, tuple[int, int]] = stand_ins) -> str:
                span = stand_ins.get(found[0])
                return self._with_values(*span, translations) if span else found[0]

            translation = _STAND_IN.sub(tag, translations[number])
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
                number = self._numbers[value.begin]
                if translations[number] == self.segments[number]:
                    continue
                said = _quoted(translations[number], value.quote)
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
    tokens = _tokens(text, source, target)
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
