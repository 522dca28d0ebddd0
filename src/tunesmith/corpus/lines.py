"""`Line`: a line of running text whose tokens know which characters they came from.

A line keeps the raw text. `cut` divides it: protected units (`find_units`) are one token each, the
tokeniser cuts what stands between them, and a tag inside a word (``<b>g</b>ut``) does not cut the
word. Passes then change what search sees of a token, its `texts` (casing) and `parts` (compounds,
substitutes of unknown words), and never its characters. What stands between two tokens is white
space of the raw line, so that joining everything gives back the line.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tunesmith.corpus.protected import TAG, Unit, is_spaced_letter
from tunesmith.corpus.spacing import SPACES
from tunesmith.corpus.tags import BREAKS, all_elements, elements
from tunesmith.corpus.unspaced import SPACE
from tunesmith.engine import ALL_CORES, EngineLike

if TYPE_CHECKING:
    from tunesmith.corpus.known_words import UnknownWord

Units = list[Unit]
Span = tuple[int, int]

WORD, MARK, NUMBER = "word", "mark", "number"


_ASCII_BLANKS = re.compile(r"[\t\n\v\f\r]")


def split(text: str) -> list[str]:
    """The words of a tokenised line: between ASCII white space, as everywhere in Tunesmith."""
    return [word for word in _ASCII_BLANKS.sub(" ", text).split(" ") if word]


class _Tokenizer(Protocol):
    def tokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]: ...

    def spans(self, text: str, words: Sequence[str]) -> list[Span]: ...


class Token(NamedTuple):
    """A piece of a line: its characters [begin, end) of the raw text, and what it is."""

    begin: int
    end: int
    text: str
    """The characters, without tags inside the word."""
    kind: str
    """``word``, ``mark``, ``number``, or the kind of a unit (`tunesmith.corpus.protected`)."""


class Line:
    """A raw line, its units, and its tokens in the order in which search sees them.

    >>> from tunesmith.corpus.protected import find_units
    >>> from tunesmith.corpus.tokenizers import MosesTokenizer
    >>> raw = "Das <b>g</b>ute {x}-Rad."
    >>> [line] = cut([raw], [find_units(raw)], MosesTokenizer("de"))
    >>> [(one.text, one.kind) for one in line.tokens][1:4]
    [('<b>', 'tag'), ('gute', 'word'), ('</b>', 'tag')]
    >>> [raw[one.begin : one.end] for one in line.tokens][2]
    'g</b>ute'
    """

    def __init__(
        self,
        raw: str,
        units: Units,
        surfaces: list[str],
        unit_of: list[int],
        pieces: "Sequence[_Piece]" = (),
        tokenizer: _Tokenizer | None = None,
    ) -> None:
        self.raw, self.units = raw, units
        self.surfaces = surfaces
        """The tokens as the tokeniser gives them; of units the words that stand for them."""
        self.unit_of = unit_of
        """The unit that each token is, -1 for others."""
        self.texts = surfaces
        """The tokens cased."""
        self.inner_tags: frozenset[int] = frozenset()
        """Units that are tags inside words."""
        self.parts = [[surface] for surface in surfaces]
        """What search sees of each token: its text, parts of it, or known words in its place."""
        self.unknown: list[UnknownWord] = []
        """Unknown words, and what is translated for them."""
        self._pieces, self._tokenizer = pieces, tokenizer

    @property
    def words(self) -> list[str]:
        """What search sees."""
        return [word for own in self.parts for word in own]

    def words_of(self, token: int) -> str:
        """What search sees of a token."""
        return " ".join(self.parts[token])

    @property
    def owners(self) -> list[int]:
        """The token that each of the words is of."""
        return [token for token, own in enumerate(self.parts) for _ in own]

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens with their characters."""
        return [
            Token(begin, end, self.raw[begin:end], self.units[unit].kind)
            if unit >= 0
            else Token(begin, end, surface, _kind(surface))
            for surface, unit, (begin, end) in zip(
                self.surfaces, self.unit_of, self.spans, strict=True
            )
        ]

    @cached_property
    def spans(self) -> list[Span]:
        """The characters of each token in the raw line."""
        assert self._tokenizer is not None
        plain = iter(self.surfaces[at] for at, unit in enumerate(self.unit_of) if unit < 0)
        found = iter(
            [
                piece.in_line(span)
                for piece in self._pieces
                for span in self._tokenizer.spans(
                    piece.text, [next(plain) for _ in range(piece.size)]
                )
            ]
        )
        return [
            (self.units[unit].begin, self.units[unit].end) if unit >= 0 else next(found)
            for unit in self.unit_of
        ]

    def plain_spans(self) -> list[Span]:
        """The characters of all tokens but tags, which stand inside and between words."""
        return [
            span
            for span, unit in zip(self.spans, self.unit_of, strict=True)
            if unit < 0 or self.units[unit].kind != TAG
        ]

    def before(self, token: int) -> str:
        """The text between a token and the one before it; tags inside words have none."""
        begin = self.spans[token][0]
        return self.raw[min(self.spans[token - 1][1] if token else 0, begin) : begin]

    def unit_texts(self) -> list[str]:
        """The units as they stand in the line."""
        return [self.raw[unit.begin : unit.end] for unit in self.units]


class _Piece(NamedTuple):
    """What stands between two units, without the tags inside its words."""

    begin: int
    text: str
    size: int
    """Number of tokens."""
    inner: tuple[Unit, ...] = ()

    def in_line(self, span: Span) -> Span:
        """Characters of the piece as characters of the line."""
        begin, end = span
        return self._place(begin), self._place(end - 1) + 1 if end > begin else self._place(begin)

    def _place(self, at: int) -> int:
        at += self.begin
        for tag in self.inner:
            if at >= tag.begin:
                at += tag.end - tag.begin
        return at


def cut(
    lines: Sequence[str],
    units: Sequence[Units],
    tokenizer: _Tokenizer,
    *,
    engine: EngineLike = ALL_CORES,
) -> list[Line]:
    """Cut lines into tokens; each of their units is one."""
    pieces: list[_Piece] = []
    inner = [_tags_in_words(line, own) for line, own in zip(lines, units, strict=True)]
    for line, own, inside in zip(lines, units, inner, strict=True):
        pieces += _between(line, own, inside)
    tokens = iter(tokenizer.tokenize([piece.text for piece in pieces], engine=engine))
    rest = iter(pieces)
    result = []
    for line, own, inside in zip(lines, units, inner, strict=True):
        surfaces: list[str] = []
        unit_of: list[int] = []
        kept: list[_Piece] = []
        for number in [n for n in range(len(own)) if n not in inside] + [-1]:
            words = split(next(tokens))
            kept.append(next(rest)._replace(size=len(words)))
            surfaces += words
            unit_of += [-1] * len(words)
            if number >= 0:
                surfaces.append(own[number].word)
                unit_of.append(number)
        made = Line(line, own, surfaces, unit_of, kept, tokenizer)
        result.append(_with_inner_tags(made, inside) if inside else made)
    return result


def _between(line: str, units: Units, inner: dict[int, bool]) -> Iterator[_Piece]:
    begin, text, tags = 0, "", []
    at = 0
    for number, unit in enumerate(units):
        text += line[at : unit.begin]
        at = unit.end
        if number in inner:
            tags.append(unit)
            continue
        yield _Piece(begin, text, 0, tuple(tags))
        begin, text, tags = unit.end, "", []
    yield _Piece(begin, text + line[at:], 0, tuple(tags))


def _tags_in_words(line: str, units: Units) -> dict[int, bool]:
    """Tags between two letters of a word, and whether each goes before the word or behind it."""
    glued = [
        number
        for number, unit in enumerate(units)
        if unit.kind == TAG and not BREAKS.match(line, unit.begin)
    ]
    if not glued:
        return {}
    ends = {units[number].end: number for number in glued}
    starts = {units[number].begin: number for number in glued}

    # Where the run of tags begins and ends in which a tag stands.
    lefts: dict[int, int] = {}
    rights: dict[int, int] = {}
    for number in glued:
        begin = units[number].begin
        lefts[number] = lefts[ends[begin]] if begin in ends else begin
    for number in reversed(glued):
        end = units[number].end
        rights[number] = rights[starts[end]] if end in starts else end

    def letter(at: int) -> bool:
        character = line[at : at + 1] if at >= 0 else ""
        return character.isalpha() and is_spaced_letter(character)

    inner = [n for n in glued if letter(lefts[n] - 1) and letter(rights[n])]
    if not inner:
        return {}
    first = {
        pair.opening: True
        for pair in all_elements(elements([line[u.begin : u.end] for u in units], units))
        if not pair.is_lone
    }
    result: dict[int, bool] = {}
    run: list[int] = []
    for number, following in pairwise([*inner, -1]):
        run.append(number)
        between = line[units[number].end : units[following].begin] if following >= 0 else " "
        if not between or between.isalpha():
            continue
        # Pairs must not cross when openings go before the word and all others behind it.
        opens = [one in first for one in run]
        if opens == sorted(opens, reverse=True) and (len(run) <= 2 or len(set(opens)) == 1):
            result |= dict(zip(run, opens, strict=True))
        run = []
    return result


def _with_inner_tags(line: Line, inner: dict[int, bool]) -> Line:
    """The line with tokens for the tags inside its words, before the word or behind it."""
    numbers = sorted(inner)
    begins = [line.units[n].begin for n in numbers]
    surfaces: list[str] = []
    unit_of: list[int] = []
    inside: list[int] = []
    done = 0
    for surface, unit, (begin, end) in zip(line.surfaces, line.unit_of, line.spans, strict=True):
        # Tags that no token reaches across, as where each character is one, stand between two.
        first = bisect_left(begins, begin)
        last = max(first, bisect_left(begins, end)) if unit < 0 else first
        own, apart = numbers[max(first, done) : last], numbers[done:first]
        done = max(done, last)
        inside += own
        before = apart + [n for n in own if inner[n]]
        behind = [n for n in own if not inner[n]]
        surfaces += [line.units[n].word for n in before] + [surface]
        surfaces += [line.units[n].word for n in behind]
        unit_of += [*before, unit, *behind]
    result = Line(line.raw, line.units, surfaces, unit_of, line._pieces, line._tokenizer)
    result.inner_tags = frozenset(inside)
    return result


def _kind(surface: str) -> str:
    if surface.isalpha() or any(map(str.isalpha, surface)):
        return WORD
    return NUMBER if any(map(str.isdigit, surface)) else MARK


# The sign for a space, in the text itself.
_WRITTEN_SPACE = re.compile(rf"[\x00-\x1f{SPACES}]*{SPACE}")


def find_spans(text: str, words: Sequence[str]) -> list[Span]:
    r"""The characters of each word of a text from which only white space was taken.

    Control characters may be missing from the words, and ``@-@`` stands for a hyphen.

    >>> find_spans("a  new-born\x01 .", ["a", "new", "@-@", "born", "."])
    [(0, 1), (3, 6), (6, 7), (7, 11), (13, 14)]
    """
    spans, at, size = [], 0, len(text)
    for word in words:
        if word == SPACE and text[at : at + 1].isspace() and not _WRITTEN_SPACE.match(text, at):
            end = at + 1
            while end < size and text[end].isspace():
                end += 1
        else:
            blank = _is_dropped(word[0])
            while at < size and _is_dropped(text[at]) and not (blank and text.startswith(word, at)):
                at += 1
            end = at + len(word)
            if not text.startswith(word, at):
                end = at
                for _ in "-" if word == "@-@" else word:
                    while end < size and _is_dropped(text[end]):
                        end += 1
                    end += 1
        spans.append((at, min(end, size)))
        at = end
    return spans


def _is_dropped(character: str) -> bool:
    return character in SPACES or character < " "
