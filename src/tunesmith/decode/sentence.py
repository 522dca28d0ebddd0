"""`SourceSentence`: the words to translate, and what the user prescribes about them."""

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.corpus.known_words import UnknownWord
from tunesmith.corpus.lines import Line, split

if TYPE_CHECKING:
    from tunesmith.decode.model_terms import Match


@dataclass(frozen=True)
class SourceSentence:
    """Words with constraints; positions count words from 0, spans are half-open.

    >>> SourceSentence.from_text("das ist gut").words
    ['das', 'ist', 'gut']
    """

    words: list[str]
    forced: list[tuple[int, int, list[str]]] = field(default_factory=list)
    """Spans whose translation is prescribed: (begin, end, target words)."""
    walls: list[int] = field(default_factory=list)
    """All words before a wall are translated before any word behind it."""
    zones: list[tuple[int, int]] = field(default_factory=list)
    """Spans that are translated without interruption."""
    enclosures: list[tuple[int, int]] = field(default_factory=list)
    """Zones whose first and last words, brackets or quotes, enclose the translation of the rest."""
    forbidden: list[list[str]] = field(default_factory=list)
    """Target words, and phrases, that no translation has; prescribed words may have them."""
    unknown: list[UnknownWord] = field(default_factory=list)
    """Unknown words and what is translated for them; each stands for so many of `words`."""
    line: Line | None = None
    """The running text that the words are from."""
    owners: list[int] = field(default_factory=list)
    """The token of the line that each word is of."""
    written: dict[int, str] = field(default_factory=dict)
    """The units of the line that are words here, and what each is in the translation."""
    terms: "list[Match]" = field(default_factory=list)
    """Words whose translation was given, and comes out as it was written."""

    @property
    def places(self) -> dict[int, int]:
        """Where among the words each unit is."""
        if self.line is None or not self.written:
            return {}
        units = ((self.line.unit_of[token], place) for place, token in enumerate(self.owners))
        return {unit: place for unit, place in units if unit in self.written}

    @classmethod
    def from_text(cls, text: str) -> "SourceSentence":
        """A sentence without constraints."""
        return cls(split(text))

    def encoded(
        self,
        source: Callable[[str], list[str]],
        target: Callable[[str], list[str]],
    ) -> "SourceSentence":
        """Tokenise words piece by piece: what lies between the borders of constraints."""
        words: list[str] = []
        place = {0: 0}
        for begin, end in pairwise(sorted({0, len(self.words), *self.borders})):
            words += source(" ".join(self.words[begin:end]))
            place[end] = len(words)
        forced = [(begin, end, target(" ".join(made))) for begin, end, made in self.forced]
        return replace(self, forced=forced).moved(words, place)

    def moved(self, words: list[str], place: Mapping[int, int]) -> "SourceSentence":
        """Return other words with the same constraints; `place` is where each border is in them."""
        return replace(
            self,
            words=words,
            forced=[(place[begin], place[end], made) for begin, end, made in self.forced],
            walls=[place[wall] for wall in self.walls],
            zones=[(place[begin], place[end]) for begin, end in self.zones],
        )

    @property
    def borders(self) -> list[int]:
        """Where constraints begin and end."""
        edges = {edge for begin, end, _ in self.forced for edge in (begin, end)}
        return sorted(edges | {*self.walls, *(edge for zone in self.zones for edge in zone)})

    def prescribes(self, begin: int, end: int) -> bool:
        """Whether a translation of some of these words is prescribed."""
        return any(first < end and begin < last for first, last, _ in self.forced)

    def with_walls_at_punctuation(self) -> "SourceSentence":
        """A wall behind every punctuation mark inside the sentence."""
        walls = {i + 1 for i, word in enumerate(self.words[:-1]) if is_punctuation(word)}
        return replace(self, walls=sorted(walls.union(self.walls)))

    def native(self, unknown: str) -> _core.SourceSentence:
        """The core's form; `unknown` as in `SearchOptions`."""
        return _core.SourceSentence(
            self.words,
            copies=copies(self.words, unknown),
            forced=self.forced,
            walls=self.walls,
            zones=self.zones,
            enclosures=self.enclosures,
            forbidden=self.forbidden,
        )


def is_punctuation(word: str) -> bool:
    """Whether all characters of a word are punctuation marks."""
    return all(unicodedata.category(c).startswith("P") for c in word)


def copies(words: list[str], unknown: str) -> list[str]:
    """What the core copies for each word; nothing if they are copied as they are."""
    return [_transliterated(word) for word in words] if unknown == "transliterate" else []


def _transliterated(word: str) -> str:
    try:
        from anyascii import anyascii
    except ImportError as error:
        raise OptionError(
            "transliteration needs the package anyascii; pip install 'tunesmith[transliterate]'"
        ) from error
    return str(anyascii(word)).replace(" ", "") or word
