"""Where sentences start, and whether their first words have a capital.

A capital at a sentence start says nothing about the word. Which starts have one is a property of
the text: sentences mostly do, entries of a glossary mostly do not, and fragments follow their
source. `SentenceStarts` learns it from training pairs.
"""

from collections.abc import Callable, Container, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import ConfigError
from tunesmith.base.json_text import checked
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.corpus.protected import MASKED_OPENINGS, OPENING
from tunesmith.corpus.sentences import Sentences

# A new sentence starts after these. Moses has the colon too, which restores a third more capitals
# wrongly (Europarl English: 2.8 instead of 1.9 words in a thousand).
SENTENCE_ENDS = frozenset(".?!。．？！؟۔։।።")
# These may stand before the first word of a sentence: brackets, quotes and dashes; an emoji.
OPENINGS = frozenset("([{'\"`„“”‚‘’«»‹›¿¡-–—「『（《") | {"''", "``", "--", *MASKED_OPENINGS}

# How a source sentence starts: the case of its first word, or nothing is known about it. Kinds of
# sentences behind the first one of a line are counted from LATER on.
UPPER, LOWER, CASELESS, UNKNOWN = range(4)
LATER = 4
_NAMES = [f"{place}{name}" for place in ("", "later ")
          for name in ("upper", "lower", "caseless", "unknown")]  # fmt: skip
# Lines in capitals throughout; a word in other letters outweighs any number of theirs.
_ALL_CAPITALS, _QUIET = "all capitals", -1_000_000
_KINDS = frozenset({*_NAMES, _ALL_CAPITALS})
# Evidence is mixed with this many sentences that start as their sources do; that of a word with as
# many that start as others of their kind.
_PRIOR, _WORD_PRIOR = 2, 4

Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int64]


def sentence_starts(words: Iterable[str], ignored: Container[str] = ()) -> set[int]:
    """Where sentences begin: the places of words that would have a capital there.

    >>> sorted(sentence_starts("Yes ! ( It works . no".split()))
    [0, 3, 6]
    """
    starts, is_start = set(), True
    for place, word in enumerate(words):
        if word in ignored or word in OPENINGS:
            continue
        if word in SENTENCE_ENDS:
            is_start = True
        elif is_start:
            starts.add(place)
            is_start = False
    return starts


class Starts:
    """All sentence starts of a text, as `sentence_starts` finds those of a line.

    Attributes
    ----------
    positions, lines, numbers
        Of each start its index into the ids of the text, its line, and its number in the line.
    per_line
        How many sentences each line has.
    """

    def __init__(self, text: Sentences) -> None:
        words, self.text = list(text.vocabulary), text
        is_opening = np.array([word in OPENINGS for word in words], bool)
        is_end = np.array([word in SENTENCE_ENDS for word in words], bool)
        places = np.flatnonzero(~is_opening[text.ids])
        lines = np.repeat(np.arange(len(text)), text.lengths)[places]
        ends = is_end[text.ids[places]]
        behind_end = np.ones(len(places), bool)
        behind_end[1:] = ends[:-1] | (lines[1:] != lines[:-1])
        chosen = behind_end & ~ends
        self.positions, self.lines = places[chosen], lines[chosen]
        self.per_line: Numbers = np.bincount(self.lines, minlength=len(text))
        first = np.cumsum(self.per_line) - self.per_line
        self.numbers = np.arange(len(self.lines)) - first[self.lines]

    def cases(self) -> Numbers:
        """The case of the first word of each sentence."""
        ids, places = np.unique(self.text.ids[self.positions], return_inverse=True)
        return np.array([case_of(self.text.vocabulary.text(i)) for i in ids], np.int64)[places]

    def kinds(self, sources: Sentences | None) -> Numbers:
        """How the source of each sentence starts, as far as that is known.

        The sentences of a line are those of its source one by one if there are as many.
        """
        later = np.where(self.numbers > 0, LATER, 0)
        kinds: Numbers = later + UNKNOWN
        if sources is not None:
            theirs = Starts(sources)
            known = (self.per_line == theirs.per_line)[self.lines]
            known |= (self.numbers == 0) & (theirs.per_line > 0)[self.lines]
            first = (np.cumsum(theirs.per_line) - theirs.per_line)[self.lines]
            kinds[known] = later[known] + theirs.cases()[(first + self.numbers)[known]]
        return kinds


def case_of(word: str) -> int:
    """The case of the first letter; what stands for a unit has none.

    >>> [_NAMES[case_of(word)] for word in ("Ab", "'ab", "3b", "日本")]
    ['upper', 'lower', 'caseless', 'caseless']
    """
    first = "" if word[:1] == OPENING else next(filter(str.isalnum, word), "")
    return UPPER if first.isupper() or first.istitle() else LOWER if first.islower() else CASELESS


def in_capitals(text: Sentences) -> Bools:
    """Which lines have two words in capitals and none in other letters."""
    loud = np.zeros(len(text.vocabulary), np.int64)
    for number, word in enumerate(text.vocabulary):
        if word[:1] != OPENING and any(map(str.isalpha, word)):
            loud[number] = (sum(map(str.isalpha, word)) > 1) if word.isupper() else _QUIET
    lines = np.repeat(np.arange(len(text)), text.lengths)
    sums: Bools = np.bincount(lines, loud[text.ids], len(text)) > 1
    return sums


class StartCounts:
    """Counts how the sentences of a text start: kinds by words."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._counts = np.zeros((2 * LATER, 0), np.int64)
        self.shared: set[str] = set()
        """Words that start a line and stand in its source too."""
        self._in_capitals = np.zeros(2, np.int64)

    @property
    def by_word(self) -> Numbers:
        """How often each word of the vocabulary starts a sentence."""
        total: Numbers = self._counts.sum(axis=0)
        return total

    def add(self, text: Sentences, sources: Sentences | None) -> None:
        """Count a text over the vocabulary, which may have grown."""
        starts, size = Starts(text), len(self._vocabulary)
        starting = starts.kinds(sources) * size + text.ids[starts.positions]
        counts = np.bincount(starting, minlength=2 * LATER * size).reshape(2 * LATER, size)
        counts[:, : self._counts.shape[1]] += self._counts
        self._counts = counts
        if sources is not None:
            self.shared |= _shared(text, starts, sources)
        if sources is not None and (loud := in_capitals(sources)).any():
            self._in_capitals += [np.sum(in_capitals(text) & loud), np.sum(loud)]

    def learned(
        self, small: Callable[[str], str], is_small: Callable[[str], bool]
    ) -> "SentenceStarts":
        """What follows from the starts with words that have no capital for themselves."""
        words = Vocabulary()
        capitals, both = np.zeros((2, 2 * LATER, len(self._vocabulary)), np.int64)
        for number in np.flatnonzero(self.by_word).tolist():
            word = self._vocabulary.text(number)
            if (case := case_of(word)) != CASELESS and is_small(word):
                both[:, at := words.add(small(word))] += self._counts[:, number]
                capitals[:, at] += self._counts[:, number] * (case == UPPER)
        seen = np.stack([capitals.sum(axis=1), both.sum(axis=1)], axis=1).tolist()
        counts = {name: own for name, own in zip(_NAMES, seen, strict=True) if own[1]}
        exceptions = {}
        for kind, share in enumerate(SentenceStarts(counts).shares):
            own = (capitals[kind] + _WORD_PRIOR * share) / (both[kind] + _WORD_PRIOR)
            others = np.flatnonzero((own >= 0.5) != (share >= 0.5)).tolist()
            if others:
                exceptions[_NAMES[kind]] = sorted(map(words.text, others))
        if self._in_capitals[1]:
            counts[_ALL_CAPITALS] = self._in_capitals.tolist()
        return SentenceStarts(counts, exceptions)


def _shared(text: Sentences, starts: Starts, sources: Sentences) -> set[str]:
    """First words of lines that stand in the source of such a line too."""
    firsts, none = np.full(len(text), -1), len(text.vocabulary)
    of_line = starts.numbers == 0
    firsts[starts.lines[of_line]] = text.ids[starts.positions[of_line]]
    known = map(text.vocabulary.get, sources.vocabulary)
    ids = np.array([none if one is None else one for one in known], np.int64)[sources.ids]
    found = ids[ids == np.repeat(firsts, sources.lengths)]
    return set(map(text.vocabulary.text, np.unique(found).tolist()))


class SentenceStarts:
    """How target sentences start, given how their sources do.

    Parameters
    ----------
    counts
        Kind of start → how many were seen with a capital, and how many in all. Only starts whose
        word is known not to have a capital for itself count.
    exceptions
        Kind of start → words in small letters that mostly start otherwise than their kind.
    """

    def __init__(
        self,
        counts: Mapping[str, Sequence[int]] | None = None,
        exceptions: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        found = checked(
            {"starts": dict(counts or {}), "exceptions": dict(exceptions or {})},
            {"starts": dict[str, tuple[int, int]], "exceptions": dict[str, list[str]]},
            "casing",
        )
        self.counts: dict[str, list[int]] = found["starts"]
        self.exceptions: dict[str, list[str]] = found["exceptions"]
        if not self.counts.keys() | self.exceptions.keys() <= _KINDS or not all(
            0 <= capitals <= count for capitals, count in self.counts.values()
        ):
            raise ConfigError("casing: sentence starts are not counts and words by kind")
        self.shares = [self._share(kind) for kind in range(2 * LATER)]
        """The share of sentences with a capital, by kind."""
        self._others = [frozenset(self.exceptions.get(name, ())) for name in _NAMES]

    def has_capital(self, kind: int, word: str) -> bool:
        """Whether a sentence that starts with this word, in small letters, gets a capital."""
        return (self.shares[kind] >= 0.5) != (word in self._others[kind])

    @property
    def have_own_case(self) -> bool:
        """Whether sentences mostly start with words in their own case."""
        return self.shares[UNKNOWN] < 0.5

    @property
    def all_capitals(self) -> bool:
        """Whether lines in capitals have translations in capitals."""
        capitals, count = self.counts.get(_ALL_CAPITALS, (0, 0))
        return 2 * (capitals + _PRIOR) >= count + _PRIOR

    def _share(self, kind: int) -> float:
        """By evidence and by the source's own case."""
        place = kind - kind % LATER
        seen = [self.counts.get(_NAMES[one], (0, 0)) for one in range(place, place + LATER)]
        capitals, count = map(sum, zip(*seen, strict=True))
        prior = (capitals + _PRIOR) / (count + _PRIOR)
        if kind % LATER == UNKNOWN:
            return prior
        prior = {UPPER: 1.0, LOWER: 0.0}.get(kind % LATER, prior)
        capitals, count = seen[kind % LATER]
        return float((capitals + _PRIOR * prior) / (count + _PRIOR))
