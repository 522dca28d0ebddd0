"""Casing: what is done with capitals before training and undone in translations.

A capital at a sentence start says nothing about the word, so counts and replacements depend on
whether a word stands there. The kinds of words are looked up once per distinct word.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import ConfigError, TunesmithError
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.corpus.protected import MASKED_OPENINGS
from tunesmith.corpus.sentences import Sentences, blocks

# A new sentence starts after these. Moses has the colon too, which restores a third more capitals
# wrongly (Europarl English: 2.8 instead of 1.9 words in a thousand).
SENTENCE_ENDS = frozenset(".?!")
# These may stand before the first word of a sentence: brackets, quotes and dashes; an emoji.
OPENINGS = frozenset("([{'\"`„“”‚‘’«»‹›¿¡-–—") | {"''", "``", "--", *MASKED_OPENINGS}

# As WordKind in core/corpus/casing.hh.
_LETTERS, _OTHER, _END, _OPENING = range(4)

# Lower-cased word → its forms, the most frequent first.
CaseForms = dict[str, list[str]]


class Casing(ABC):
    """What all ways of casing can do; lines are tokenised."""

    name: ClassVar[str]
    needs_training: ClassVar[bool] = False

    @abstractmethod
    def apply(self, lines: list[str]) -> list[str]:
        """Lines for training, or to be translated."""

    @abstractmethod
    def restore(self, lines: list[str]) -> list[str]:
        """Translations with capitals where a reader wants them."""

    def fit(self, lines: Iterable[str]) -> "Casing":
        """Learn from cased text what there is to learn."""
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

    def restore(self, lines: list[str]) -> list[str]:
        """The lines themselves."""
        return list(lines)


class _Trained(Casing):
    """A casing that knows the forms of words."""

    def __init__(self, forms: CaseForms | None = None) -> None:
        if forms is not None:
            _check_forms(forms)
        self.forms = forms

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

    def fit(self, lines: Iterable[str]) -> "Casing":
        """Count the forms of words inside sentences."""
        self.forms = learn_forms(lines)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The forms of all words."""
        return {"name": self.name, "forms": self.forms}


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

    def restore(self, lines: list[str]) -> list[str]:
        """Most frequent forms, capitals at sentence starts; unchanged without training."""
        if self.forms is None:
            return list(lines)
        best = self._best

        def inside(word: str) -> str:
            return best.get(word, word)

        return _replace(lines, lambda word: capitalised(inside(word)), inside)


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
        best, known = self._best, self._known
        return _replace(
            lines,
            lambda word: best.get(word.lower(), word),
            lambda word: word if word in known else best.get(word.lower(), word),
        )

    def restore(self, lines: list[str]) -> list[str]:
        """Capitals at sentence starts."""
        return _replace(lines, capitalised, lambda word: word)


CASINGS: dict[Any, type[Casing]] = {kind.name: kind for kind in (NoCasing, Lowercase, Truecase)}


def capitalised(word: str) -> str:
    """The word with a capital first letter, unless it has capitals of its own.

    >>> [capitalised(word) for word in ("house", "iPhone", "ßa", "42")]
    ['House', 'iPhone', 'ßa', '42']
    """
    first = word[:1].title()
    return first + word[1:] if len(first) == 1 and word == word.lower() else word


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


def learn_forms(lines: Iterable[str]) -> CaseForms:
    """The forms of all words that occur inside sentences, the most frequent first.

    Of equally frequent forms the one without capitals comes first, then the alphabet decides.
    """
    vocabulary, counts = Vocabulary(), np.empty(0, np.uint64)
    for block in blocks(lines):
        text = Sentences.from_lines(block, vocabulary=vocabulary)
        more = _core.count_inside(text.offsets, text.ids, _kinds(vocabulary))
        more[: len(counts)] += counts
        counts = more
    found: dict[str, list[tuple[int, bool, str]]] = {}
    for word, count in zip(vocabulary, counts.tolist(), strict=True):
        if count and _has_case(word):
            lower = word.lower()
            found.setdefault(lower, []).append((-count, word != lower, word))
    return {lower: [word for *_, word in sorted(found[lower])] for lower in sorted(found)}


def _replace(
    lines: list[str], at_start: Callable[[str], str], inside: Callable[[str], str]
) -> list[str]:
    result = []
    for block in blocks(lines):
        text = Sentences.from_lines(block)
        words, kinds = list(text.vocabulary), _kinds(text.vocabulary)
        ids = _core.replace_words(
            text.offsets,
            text.ids,
            kinds,
            np.array([text.vocabulary.add(at_start(word)) for word in words], np.uint32),
            np.array([text.vocabulary.add(inside(word)) for word in words], np.uint32),
        )
        result += Sentences(text.offsets, ids, text.vocabulary).lines()
    return result


def _kinds(vocabulary: Vocabulary) -> npt.NDArray[np.uint8]:
    return np.array([_kind(word) for word in vocabulary], np.uint8)


def _kind(word: str) -> int:
    if word in SENTENCE_ENDS:
        return _END
    if word in OPENINGS:
        return _OPENING
    return _LETTERS if _has_case(word) else _OTHER


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
