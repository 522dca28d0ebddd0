"""`SourceSentence`: the words to translate, and what the user prescribes about them."""

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise

from tunesmith.base.errors import OptionError

_ASCII_BLANKS = dict.fromkeys(map(ord, "\t\n\v\f\r"), " ")


def split(text: str) -> list[str]:
    """The words of a tokenised line: between ASCII white space, as everywhere in Tunesmith."""
    return [word for word in text.translate(_ASCII_BLANKS).split(" ") if word]


NativeSentence = tuple[
    list[str],
    list[str],
    list[tuple[int, int, list[str]]],
    list[int],
    list[tuple[int, int]],
    list[tuple[int, int, list[float]]],
]
"""Words, what each is copied as if not itself, the constraints of a sentence; arcs of a lattice."""


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

    @classmethod
    def from_text(cls, text: str) -> "SourceSentence":
        """A sentence without constraints."""
        return cls(split(text))

    def encoded(
        self,
        source: Callable[[str], list[str]],
        target: Callable[[str], list[str]],
    ) -> "SourceSentence":
        """The sentence with its words tokenised piece by piece, constraints where they belong.

        Pieces are what lies between the borders of constraints, so that a border stays one.
        """
        inner = {edge for begin, end, _ in self.forced for edge in (begin, end)}
        inner |= {*self.walls, *(edge for zone in self.zones for edge in zone)}
        borders = sorted({0, len(self.words)} | inner)
        words: list[str] = []
        place = {0: 0}
        for begin, end in pairwise(borders):
            words += source(" ".join(self.words[begin:end]))
            place[end] = len(words)
        return SourceSentence(
            words,
            [
                (place[begin], place[end], target(" ".join(translation)))
                for begin, end, translation in self.forced
            ],
            [place[wall] for wall in self.walls],
            [(place[begin], place[end]) for begin, end in self.zones],
        )

    def with_walls_at_punctuation(self) -> "SourceSentence":
        """A wall behind every punctuation mark inside the sentence."""
        walls = {i + 1 for i, word in enumerate(self.words[:-1]) if is_punctuation(word)}
        return replace(self, walls=sorted(walls.union(self.walls)))

    def native(self, unknown: str) -> NativeSentence:
        """The core's form; `unknown` as in `SearchOptions`."""
        return (
            self.words,
            copies(self.words, unknown),
            self.forced,
            self.walls,
            self.zones,
            [],
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
