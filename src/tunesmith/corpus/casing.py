"""Casing: what is done with capitals before training and undone in translations.

A capital at a sentence start says nothing about the word where sentences start with one, so counts
and replacements depend on whether a word stands there. Replacements are made once per distinct
word.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, repeat
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import ConfigError, TunesmithError
from tunesmith.base.json_text import checked
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.corpus.protected import OPENING
from tunesmith.corpus.sentence_starts import (
    SentenceStarts,
    StartCounts,
    Starts,
    in_capitals,
)
from tunesmith.corpus.sentences import Ids, Sentences, blocks

# Turkish and Azerbaijani tell I, ı from İ, i. Text is theirs with ı in this share of its words.
_TURKIC_WORDS = 0.02
_TURKIC_SMALL, _TURKIC_CAPITAL = str.maketrans("Iİ", "ıi"), str.maketrans("ıi", "Iİ")

# Lower-cased word → its forms, the most frequent first.
CaseForms = dict[str, list[str]]
Sources = Sequence[str | None] | None


class Casing(ABC):
    """What all ways of casing can do; lines are tokenised."""

    name: ClassVar[str]
    needs_training: ClassVar[bool] = False

    @abstractmethod
    def apply(self, lines: list[str]) -> list[str]:
        """Lines for training, or to be translated."""

    @abstractmethod
    def restore(self, lines: list[str], sources: Sources = None) -> list[str]:
        """Put capitals into translations where a reader wants them.

        `sources` are the tokenised source lines before casing, as far as they are known.
        """

    def fit(self, lines: Iterable[str], sources: Iterable[str] | None = None) -> "Casing":
        """Learn from cased text, and how its sentences start given those of its `sources`."""
        return self

    def apply_inside(self, lines: list[str]) -> list[str]:
        """The same as `apply` for pieces of text that begin no sentence."""
        return [line.partition(" ")[2] for line in self.apply([f"a {line}" for line in lines])]

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to make this casing again."""
        return {"name": self.name}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Casing":
        """The inverse of `to_dict`, for any casing."""
        rest = dict(values)
        kind = CASINGS.get(rest.pop("name", None))
        if kind is None:
            raise ConfigError(f"casing {values!r}, expected one of: {', '.join(CASINGS)}")
        try:
            return kind(**rest)
        except TypeError as error:
            raise ConfigError(f"casing {kind.name}: {error}") from error


class NoCasing(Casing):
    """Capitals stay as they are."""

    name = "none"

    def apply(self, lines: list[str]) -> list[str]:
        """The lines themselves."""
        return list(lines)

    def restore(self, lines: list[str], sources: Sources = None) -> list[str]:
        """The lines themselves."""
        return list(lines)


class _Trained(Casing):
    """A casing that knows the forms of words, and how sentences start."""

    def __init__(
        self,
        forms: CaseForms | None = None,
        starts: Mapping[str, Sequence[int]] | None = None,
        exceptions: Mapping[str, Sequence[str]] | None = None,
        turkic: bool = False,
    ) -> None:
        if forms is not None:
            _check_forms(forms)
        self.forms, self.starts = forms, SentenceStarts(starts, exceptions)
        self.turkic = bool(turkic)
        """Whether the capital of i is İ."""

    @property
    def forms(self) -> CaseForms | None:
        """The forms of every word, if trained."""
        return self._forms

    @forms.setter
    def forms(self, forms: CaseForms | None) -> None:
        self._forms = forms
        # Looked up for every line that is translated, so made once.
        self._best = {lower: own[0] for lower, own in (forms or {}).items()}
        self._known = {form for own in (forms or {}).values() for form in own}

    def fit(self, lines: Iterable[str], sources: Iterable[str] | None = None) -> "Casing":
        """Count the forms of words inside sentences, and capitals at sentence starts."""
        self.forms, self.starts, self.turkic = learn(lines, sources)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The forms of all words, and what was learned of sentence starts."""
        starts = {"starts": self.starts.counts, "exceptions": self.starts.exceptions}
        return {"name": self.name, "forms": self.forms, **starts, "turkic": self.turkic}

    def _small(self, word: str) -> str:
        return lowered(word, self.turkic)

    def _in_capitals(self, word: str) -> str:
        if word[:1] == OPENING:
            return word
        return (word.translate(_TURKIC_CAPITAL) if self.turkic else word).upper()

    def _with_starts(
        self, lines: list[str], sources: Sources, inside: Callable[[str], str]
    ) -> list[str]:
        """Sentence starts with capitals, if their sources say so, and all words as `inside`."""
        result = []
        for block, theirs in _pairs_of_blocks(lines, sources):
            text = Sentences.from_lines(block)
            starts = Starts(text)
            ids = _mapped(text, text.ids, inside)
            firsts = map(text.vocabulary.text, ids[starts.positions].tolist())
            large = list(map(self.starts.has_capital, starts.kinds(theirs).tolist(), firsts))
            chosen = starts.positions[np.array(large, bool)]
            ids[chosen] = _mapped(
                text, ids[chosen], lambda word: capitalised(word, turkic=self.turkic)
            )
            if theirs is not None and self.starts.all_capitals:
                loud = np.repeat(in_capitals(theirs), text.lengths)
                ids[loud] = _mapped(text, ids[loud], self._in_capitals)
            result += Sentences(text.offsets, ids, text.vocabulary).lines()
        return result


class Lowercase(_Trained):
    """Small letters only. The way back gives words their most frequent form, if trained.

    >>> small = Lowercase().fit(["We saw Rome and Paris .", "In Rome it rains ."])
    >>> small.apply(["Rome is Fine ."])
    ['rome is fine .']
    >>> small.restore(["it rains in rome ."])
    ['It rains in Rome .']
    """

    name = "lowercase"

    def apply(self, lines: list[str]) -> list[str]:
        """``str.lower`` of every line."""
        return list(map(self._small, lines))

    def restore(self, lines: list[str], sources: Sources = None) -> list[str]:
        """Most frequent forms, capitals at sentence starts; unchanged without training."""
        if self.forms is None:
            return list(lines)
        return self._with_starts(lines, sources, lambda word: self._best.get(word, word))


class Truecase(_Trained):
    """Words at sentence starts get their most frequent form elsewhere (Moses' truecase.perl).

    A word inside a sentence changes only if its form was never seen and another one was. The way
    back writes sentence starts with a capital.

    >>> true = Truecase().fit(["Then the house of Rome fell .", "And the end came ."])
    >>> true.apply(["The end of Rome", "THE END"])
    ['the end of Rome', 'the end']
    >>> true.restore(["the end of Rome"])
    ['The end of Rome']
    """

    name = "truecase"
    needs_training = True

    def apply(self, lines: list[str]) -> list[str]:
        """Most frequent forms at sentence starts and for unseen forms."""
        if self.forms is None:
            raise TunesmithError("a truecaser must be trained before it can be applied")
        best, known, result = self._best, self._known, []

        def frequent(word: str) -> str:
            return best.get(self._small(word), word)

        for block in blocks(lines):
            text = Sentences.from_lines(block)
            ids = _mapped(text, text.ids, lambda word: word if word in known else frequent(word))
            if not self.starts.have_own_case:
                starts = Starts(text).positions
                ids[starts] = _mapped(text, text.ids[starts], frequent)
            result += Sentences(text.offsets, ids, text.vocabulary).lines()
        return result

    def restore(self, lines: list[str], sources: Sources = None) -> list[str]:
        """Capitals at sentence starts, if their sources say so."""
        return self._with_starts(lines, sources, lambda word: word)


CASINGS: dict[Any, type[Casing]] = {kind.name: kind for kind in (NoCasing, Lowercase, Truecase)}


def lowered(text: str, turkic: bool) -> str:
    """The text in small letters.

    >>> lowered("IŞIK", False), lowered("IŞIK", True)
    ('işik', 'ışık')
    """
    return (text.translate(_TURKIC_SMALL) if turkic else text).lower()


def capitalised(word: str, *, turkic: bool = False) -> str:
    """The word with a capital first letter, unless it has capitals of its own.

    >>> [capitalised(word) for word in ("house", "iPhone", "ßa", "42")]
    ['House', 'iPhone', 'ßa', '42']
    """
    first = (word[:1].translate(_TURKIC_CAPITAL) if turkic else word[:1]).title()
    return first + word[1:] if len(first) == 1 and word == lowered(word, turkic) else word


def learn(
    lines: Iterable[str], sources: Iterable[str] | None = None
) -> tuple[CaseForms, SentenceStarts, bool]:
    """The forms of all words, the most frequent first; how sentences start; whether İ becomes i.

    A form counts inside sentences, and at their start if it has no capital; everywhere if sentences
    start with words in their own case. Of equally frequent forms the one without capitals comes
    first, then the alphabet decides.
    """
    vocabulary = Vocabulary()
    counts, starts = np.empty(0, np.int64), StartCounts(vocabulary)
    for block, theirs in _pairs_of_blocks(lines, sources):
        text = Sentences.from_lines(block, vocabulary=vocabulary)
        starts.add(text, theirs)
        more = text.counts()
        more[: len(counts)] += counts
        counts = more
    words, at_start = list(vocabulary), starts.by_word
    own = counts - np.where([word[:1].islower() for word in words], 0, at_start)
    dotless = np.array(["ı" in word for word in words], bool)
    turkic = bool(counts[dotless].sum() > _TURKIC_WORDS * counts.sum())
    small = partial(lowered, turkic=turkic)
    forms = _ranked(words, own, small)
    learned = starts.learned(small, lambda word: forms.get(small(word), [word])[0][:1].islower())
    if learned.have_own_case:
        return _ranked(words, counts, small), learned, turkic
    if sources is not None:
        seen = dict(zip(words, own.tolist(), strict=True))
        firsts = [words[i] for i in np.flatnonzero(at_start) if words[i] not in starts.shared]
        forms |= _of_starts_alone(firsts, forms, seen, small)
    return forms, learned, turkic


def _ranked(
    words: list[str], counts: npt.NDArray[np.int64], small: Callable[[str], str]
) -> CaseForms:
    found: dict[str, list[tuple[int, bool, str]]] = {}
    for word, count in zip(words, counts.tolist(), strict=True):
        if count and _has_case(word):
            lower = small(word)
            found.setdefault(lower, []).append((-count, word != lower, word))
    return {lower: [word for *_, word in sorted(found[lower])] for lower in sorted(found)}


def _of_starts_alone(
    words: list[str], forms: CaseForms, seen: Mapping[str, int], small: Callable[[str], str]
) -> CaseForms:
    """Small forms of words that were seen with capitals at sentence starts, and nowhere else.

    They have them if most of the words have that were seen elsewhere once.
    """
    alone, rare, capital = {}, 0, 0
    for word in words:
        lower = small(word)
        if word != lower and word[1:] == lower[1:]:
            if lower not in forms:
                alone[lower] = [lower]
            elif sum(seen[form] for form in forms[lower]) == 1:
                rare += forms[lower] == [lower]
                capital += forms[lower] == [word]
    return alone if rare > capital else {}


def _pairs_of_blocks(
    lines: Iterable[str], sources: Iterable[str | None] | None
) -> Iterator[tuple[list[str], Sentences | None]]:
    if sources is None:
        return zip(blocks(lines), repeat(None))
    texts = ([line or "" for line in block] for block in blocks(sources))
    return zip(blocks(lines), map(Sentences.from_lines, texts), strict=True)


def _mapped(text: Sentences, ids: Ids, form: Callable[[str], str]) -> Ids:
    """Other forms of words; they become words of the text's vocabulary."""
    distinct, forms = np.flatnonzero(np.bincount(ids)), np.zeros(len(text.vocabulary), np.uint32)
    words = map(text.vocabulary.text, distinct.tolist())
    forms[distinct] = [text.vocabulary.add(form(word)) for word in words]
    return forms[ids]


def _has_case(word: str) -> bool:
    return word.lower() != word.upper()


def _check_forms(forms: Any) -> None:
    words = checked({"forms": forms}, {"forms": dict[str, list[str]]}, "casing")["forms"].values()
    one_each = Sentences.from_lines(chain.from_iterable(words)).lengths == 1
    if not (all(words) and one_each.all()):
        raise ConfigError("casing: forms are not lists of words")
