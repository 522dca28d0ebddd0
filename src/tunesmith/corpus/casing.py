"""Casing: what is done with capitals before training and undone in translations.

A capital at a sentence start says nothing about the word where sentences start with one, so counts
and replacements depend on whether a word stands there. Replacements are made once per distinct
word.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import ConfigError, TunesmithError
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.corpus.protected import OPENING
from tunesmith.corpus.sentence_starts import (
    SentenceStarts,
    StartCounts,
    Starts,
    in_capitals,
)
from tunesmith.corpus.sentences import Ids, Sentences, blocks

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
    ) -> None:
        if forms is not None:
            _check_forms(forms)
        self.forms, self.starts = forms, SentenceStarts(starts, exceptions)

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
        self.forms, self.starts = learn(lines, sources)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The forms of all words, and what was learned of sentence starts."""
        starts = {"starts": self.starts.counts, "exceptions": self.starts.exceptions}
        return {"name": self.name, "forms": self.forms, **starts}

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
            ids[chosen] = _mapped(text, ids[chosen], capitalised)
            if theirs is not None and self.starts.all_capitals:
                loud = np.repeat(in_capitals(theirs), text.lengths)
                ids[loud] = _mapped(text, ids[loud], _in_capitals)
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
        return [line.lower() for line in lines]

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
        for block in blocks(lines):
            text = Sentences.from_lines(block)
            ids = _mapped(
                text, text.ids, lambda word: word if word in known else best.get(word.lower(), word)
            )
            if not self.starts.have_own_case:
                starts = Starts(text).positions
                ids[starts] = _mapped(
                    text, text.ids[starts], lambda word: best.get(word.lower(), word)
                )
            result += Sentences(text.offsets, ids, text.vocabulary).lines()
        return result

    def restore(self, lines: list[str], sources: Sources = None) -> list[str]:
        """Capitals at sentence starts, if their sources say so."""
        return self._with_starts(lines, sources, lambda word: word)


CASINGS: dict[Any, type[Casing]] = {kind.name: kind for kind in (NoCasing, Lowercase, Truecase)}


def capitalised(word: str) -> str:
    """The word with a capital first letter, unless it has capitals of its own.

    >>> [capitalised(word) for word in ("house", "iPhone", "ßa", "42")]
    ['House', 'iPhone', 'ßa', '42']
    """
    first = word[:1].title()
    return first + word[1:] if len(first) == 1 and word == word.lower() else word


def learn(
    lines: Iterable[str], sources: Iterable[str] | None = None
) -> tuple[CaseForms, SentenceStarts]:
    """The forms of all words, the most frequent first, and how sentences start.

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
    forms = _ranked(words, own)
    learned = starts.learned(lambda word: forms.get(word.lower(), [word])[0][:1].islower())
    if learned.have_own_case:
        return _ranked(words, counts), learned
    if sources is not None:
        seen = dict(zip(words, own.tolist(), strict=True))
        firsts = [words[i] for i in np.flatnonzero(at_start) if words[i] not in starts.shared]
        forms |= _of_starts_alone(firsts, forms, seen)
    return forms, learned


def _ranked(words: list[str], counts: npt.NDArray[np.int64]) -> CaseForms:
    found: dict[str, list[tuple[int, bool, str]]] = {}
    for word, count in zip(words, counts.tolist(), strict=True):
        if count and _has_case(word):
            lower = word.lower()
            found.setdefault(lower, []).append((-count, word != lower, word))
    return {lower: [word for *_, word in sorted(found[lower])] for lower in sorted(found)}


def _of_starts_alone(words: list[str], forms: CaseForms, seen: Mapping[str, int]) -> CaseForms:
    """Small forms of words that were seen with capitals at sentence starts, and nowhere else.

    They have them if most of the words have that were seen elsewhere once.
    """
    alone, small, capital = {}, 0, 0
    for word in words:
        lower = word.lower()
        if word != lower and word[1:] == lower[1:]:
            if lower not in forms:
                alone[lower] = [lower]
            elif sum(seen[form] for form in forms[lower]) == 1:
                small += forms[lower] == [lower]
                capital += forms[lower] == [word]
    return alone if small > capital else {}


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


def _in_capitals(word: str) -> str:
    return word if word[:1] == OPENING else word.upper()


def _has_case(word: str) -> bool:
    return word.lower() != word.upper()


def _check_forms(forms: Any) -> None:
    ok = isinstance(forms, dict) and all(
        isinstance(lower, str)
        and isinstance(words, list)
        and words
        and all(isinstance(word, str) for word in words)
        for lower, words in forms.items()
    )
    if ok:
        words = [word for words in forms.values() for word in words]
        ok = bool(np.all(Sentences.from_lines(words).lengths == 1))
    if not ok:
        raise ConfigError("casing: forms are not lists of words")
