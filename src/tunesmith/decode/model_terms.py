"""`ModelTerms`: terms in the words of a model, and where they stand in a sentence.

1. Terms and text are treated alike: units are masked, words are tokenised and cased, compounds are
   in parts. Unknown words are what they are; known ones take their places later.
2. The words of both are written in a row, with spaces between them but in scripts that have none:
   there a term may begin and end inside of what the model takes for a word.
3. Of all places the longest terms are taken first, of equally long ones the first; they do not
   overlap. Case matters, but for the first word of a sentence.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tunesmith.base.errors import OptionError
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.casing import Lowercase, capitalised
from tunesmith.corpus.lines import Line, Units, split
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.protected import TAG_WORD
from tunesmith.corpus.sentence_starts import sentence_starts
from tunesmith.corpus.unspaced import pattern
from tunesmith.decode.terms import Terms

# Forbidden words of scripts without spaces are forbidden however they are cut, up to this length.
_MOST_CUT = 6
# The longest forbidden phrase, in words of the model.
_MOST_WORDS = 60


@dataclass(frozen=True)
class ModelTerm:
    """A term as a model has it."""

    source: str
    target: str
    """As it was given, and as it comes out."""
    key: str
    """The words of the source in a row."""
    first: int
    """How many characters of it are its first word."""
    words: tuple[str, ...]
    """The target in words of the model."""
    tokens: tuple[str, ...]
    """The same words as they are written."""


class Match(NamedTuple):
    """A term that stands at the words [begin, end)."""

    begin: int
    end: int
    term: ModelTerm


class FoundTerm(NamedTuple):
    """A sentence with terms."""

    words: list[str]
    """Those of the sentence; of some that a term begins or ends in, the pieces."""
    moved: list[int]
    """Where each word of the sentence is among them."""
    matches: list[Match]


class ModelTerms:
    """Terms of a model whose two sides are `source` and `target`.

    Parameters
    ----------
    protection
        What units are found by, in text and in terms; None: there are none.
    markdown
        Whether the marks of Markdown are units.
    pretokenised
        Whether text is the model's own words, known ones in the place of unknown ones.
    """

    def __init__(
        self,
        terms: Terms,
        source: Preprocessor,
        target: Preprocessor,
        *,
        protection: Protection | None = None,
        markdown: bool = False,
        pretokenised: bool = False,
    ) -> None:
        self.terms = terms
        self._source, self._target = source, target
        self._protection, self._markdown = protection, markdown
        self._pretokenised = pretokenised
        self.problems: list[str] = []
        """What of the terms has no effect, in words."""
        self.entries = self._entries()
        self.forbidden = self._forbidden()
        """Target phrases that no translation has."""

    def _entries(self) -> list[ModelTerm]:
        pairs = self.terms.pairs
        sources = self._source_words([source for source, _ in pairs])
        texts = [target for _, target in pairs]
        targets = target_words(texts, list(map(self._units, texts)), self._target)
        entries: dict[str, ModelTerm] = {}
        for (source, target), words, (made, tokens) in zip(pairs, sources, targets, strict=True):
            if not words or not made:
                self.problems.append(
                    f"'{source if not words else target}' has no words for this model"
                )
                continue
            term = ModelTerm(source, target, _row(words), len(words[0]), tuple(made), tuple(tokens))
            first = entries.setdefault(term.key, term)
            if first.target != target:
                self.problems.append(
                    f"'{source}' is '{first.target}' already, so '{target}' has no effect"
                )
        return list(entries.values())

    def _source_words(self, texts: list[str]) -> list[list[str]]:
        """The words of terms, as those of a sentence; units with what they are."""
        units = list(map(self._units, texts))
        lines = self._source.read(texts, units, known=self._pretokenised, inside=True)
        return list(map(shown_words, lines))

    def _units(self, text: str) -> Units:
        if self._protection is None or self._pretokenised:
            return []
        return self._protection.units(text, markdown=self._markdown)

    def _forbidden(self) -> list[list[str]]:
        words = list(self.terms.forbid)
        phrases: dict[tuple[str, ...], None] = {}
        tokens = self._target.tokenizer.tokenize(words)
        for word, line in zip(words, tokens, strict=True):
            own = split(line)
            if not own:
                self.problems.append(f"'{word}' has no words for this model")
            elif len(own) > _MOST_WORDS:
                raise OptionError(
                    f"a forbidden phrase of {len(own)} words, expected {_MOST_WORDS} at most"
                )
            for form in self._forms(own):
                phrases.setdefault(form)
        return list(map(list, phrases))

    def _forms(self, words: list[str]) -> Iterator[tuple[str, ...]]:
        """In small letters any casing is meant, otherwise the one that is written."""
        if not words:
            return
        lines = [" ".join(words)]
        if lines[0] == lines[0].lower():
            known = getattr(self._target.casing, "forms", None) or {}
            if len(words) == 1:
                lines += known.get(words[0], [])
            lines += [" ".join(map(capitalised, words)), lines[0].upper()]
            lines.append(" ".join([capitalised(words[0]), *words[1:]]))
        if isinstance(self._target.casing, Lowercase):
            lines = [lines[0].lower()]
        for line in lines:
            yield from _cuts(tuple(split(line)))

    @cached_property
    def words(self) -> frozenset[str]:
        """Source words of all terms."""
        return frozenset(word for term in self.entries for word in term.key.split(" "))

    @cached_property
    def _by_key(self) -> dict[str, ModelTerm]:
        return {term.key: term for term in self.entries}

    @cached_property
    def _by_lower_key(self) -> dict[str, ModelTerm]:
        """By keys whose first word is in small letters."""
        lower: dict[str, ModelTerm] = {}
        for term in self.entries:
            lower.setdefault(term.key[: term.first].lower() + term.key[term.first :], term)
        return lower

    @cached_property
    def _lengths(self) -> dict[str, list[int]]:
        """The lengths of keys by their first characters, the longest first."""
        lengths: dict[str, set[int]] = {}
        for key in (*self._by_key, *self._by_lower_key):
            lengths.setdefault(key[0].lower(), set()).add(len(key))
        return {first: sorted(own, reverse=True) for first, own in lengths.items()}

    def find(
        self,
        words: Sequence[str],
        units: Mapping[int, str] | None = None,
        borders: Sequence[int] = (),
    ) -> FoundTerm:
        """The terms in a sentence, from left to right.

        Parameters
        ----------
        words, units
            The words in parts (`shown_words`), and what search sees of those that are units.
        borders
            Places that no term reaches across.
        """
        if not self.entries or not words:
            return FoundTerm(list(words), list(range(len(words))), [])
        row, begins = _row(words), _begins(words)
        plain = [(units or {}).get(place, word) for place, word in enumerate(words)]
        starts = sentence_starts(plain, ignored={TAG_WORD})
        found = sorted(
            self._candidates(row, words, begins, starts), key=lambda one: (one[0] - one[1], one[0])
        )
        taken: list[tuple[int, int, ModelTerm]] = []
        walls = [begins[border] for border in borders if 0 < border < len(words)]
        for begin, end, term in found:
            overlaps = any(begin < last and first < end for first, last, _ in taken)
            if not overlaps and not any(begin < wall < end for wall in walls):
                taken.append((begin, end, term))
        return self._cut(words, begins, sorted(taken, key=lambda one: one[0]))

    def _candidates(
        self, row: str, words: Sequence[str], begins: Sequence[int], starts: set[int]
    ) -> Iterator[tuple[int, int, ModelTerm]]:
        """All places of terms, as characters of the row."""
        place_at = {begin: place for place, begin in enumerate(begins)}
        ends = {begin + len(word) for begin, word in zip(begins, words, strict=True)}
        for begin, first in enumerate(row):
            if first.lower() not in self._lengths:
                continue
            place = place_at.get(begin)
            if place is None and not _is_inside_run(row, begin):
                continue
            for length in self._lengths[first.lower()]:
                end = begin + length
                if end > len(row) or not (end in ends or _is_inside_run(row, end)):
                    continue
                text = row[begin:end]
                term = self._by_key.get(text)
                if term is None and place is not None and place in starts:
                    size = len(words[place])
                    term = self._by_lower_key.get(text[:size].lower() + text[size:])
                if term is not None and not _goes_on(term, row, end):
                    yield begin, end, term

    def _cut(
        self,
        words: Sequence[str],
        begins: Sequence[int],
        taken: list[tuple[int, int, ModelTerm]],
    ) -> FoundTerm:
        """Cut the words that a term begins or ends in."""
        edges = sorted({edge for begin, end, _ in taken for edge in (begin, end)})
        result: list[str] = []
        moved: list[int] = []
        first_at: dict[int, int] = {}
        end_at: dict[int, int] = {}
        for word, start in zip(words, begins, strict=True):
            moved.append(len(result))
            stop = start + len(word)
            inner = [edge for edge in edges if start < edge < stop]
            for begin, end in itertools.pairwise([start, *inner, stop]):
                first_at[begin] = len(result)
                piece = word[begin - start : end - start]
                in_term = any(first <= begin and end <= last for first, last, _ in taken)
                if not inner or in_term:
                    result.append(piece)
                else:  # what is left of a word that a term was cut from
                    result += split(self._source.tokenizer.tokenize([piece], engine=1)[0])
                end_at[end] = len(result)
        matches = [Match(first_at[begin], end_at[end], term) for begin, end, term in taken]
        return FoundTerm(result, moved, matches)


def target_words(
    texts: list[str], units: Sequence[Units] | None, target: Preprocessor
) -> list[tuple[list[str], list[str]]]:
    """Pieces of target text in the words of a model, and the same words as they are written."""
    found = []
    for line in target.read(texts, units, known=False, inside=True):
        written = [
            line.raw[unit.begin : unit.end]
            if number >= 0 and (unit := line.units[number])
            else word
            for word, number in zip(line.surfaces, line.unit_of, strict=True)
        ]
        found.append((line.words, written))
    return found


def shown_words(line: Line) -> list[str]:
    """The words of a line, of units with what they are: only the same unit is the same word."""
    words, texts = line.words, line.unit_texts()
    for place, token in enumerate(line.owners):
        if (unit := line.unit_of[token]) >= 0:
            words[place] += texts[unit]
    return words


def _row(words: Sequence[str]) -> str:
    """Words in a row."""
    pieces = list(words[:1])
    for before, word in itertools.pairwise(words):
        pieces += [word] if _is_run(before[-1:] + word[:1]) else [" ", word]
    return "".join(pieces)


def _begins(words: Sequence[str]) -> list[int]:
    """Where each word begins in the row."""
    begins, at = [], 0
    for place, word in enumerate(words):
        if place:
            at += not _is_run(words[place - 1][-1:] + word[:1])
        begins.append(at)
        at += len(word)
    return begins


def _is_run(text: str) -> bool:
    """Whether these are letters of scripts without spaces."""
    return not text.isascii() and pattern("[{run}]+").fullmatch(text) is not None


def _is_inside_run(row: str, at: int) -> bool:
    return 0 < at < len(row) and _is_run(row[at - 1 : at + 1])


def _goes_on(term: ModelTerm, row: str, end: int) -> bool:
    """Whether a word of pieces goes on behind a term, as ``▁hou se`` behind ``▁hou``."""
    rest = row[end : end + 2]
    return term.key.startswith("▁") and rest[:1] == " " and rest[1:].isalnum()


def _cuts(words: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words, and where they have no spaces all other ways to cut them."""
    yield words
    whole = "".join(words)
    if not 1 < len(whole) <= _MOST_CUT or not _is_run(whole):
        return
    for size in range(len(whole)):
        for cuts in itertools.combinations(range(1, len(whole)), size):
            yield tuple(whole[a:b] for a, b in itertools.pairwise((0, *cuts, len(whole))))
