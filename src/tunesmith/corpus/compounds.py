"""Splitting compounds: words that are written as one but translated in parts (Koehn & Knight 2003).

A word is cut where the geometric mean of its parts' frequencies is higher than its own frequency.
Most words that a corpus of German, Dutch or Swedish has not seen are made of words that it has.
"""

from collections.abc import Container, Iterable, Mapping
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from tunesmith import _core
from tunesmith.base.errors import ConfigError, TunesmithError
from tunesmith.base.json_text import checked
from tunesmith.base.log import log
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.corpus.lines import split
from tunesmith.corpus.sentences import Sentences, blocks
from tunesmith.engine import ALL_CORES, EngineLike, as_engine

# Letters that may stand between two parts; those of the Germanic languages.
FILLERS = ("s", "es", "n", "en", "e", "er", "ens")
MIN_LENGTH = 3

# Languages that write compounds as one word: Germanic ones but English, and Uralic ones.
COMPOUNDING = {
    *("af", "da", "de", "fo", "fy", "is", "lb", "nb", "nds", "nl", "nn", "no", "sv"),
    *("et", "fi", "hu", "se"),
}
# Others, or text of an unknown language, are judged by their words: long ones that are made of
# long parts that occur twice are 4 to 24 of 100 distinct words in German text from 5,000 sentences
# on, and up to 2 in English, French and Spanish text of up to 600,000.
LONG_WORD, LONG_PART, LONG_PART_COUNT, COMPOUND_SHARE = 12, 5, 2, 0.03

# Text that has been split has 3 compounds in 10,000 words that would be split again, text that has
# not been 370 (Multi30k).
WHOLE_SHARE = 0.005

# Lower-cased word → how often it occurs, and its most frequent form.
Parts = dict[str, tuple[int, str]]


class CompoundSplitter:
    """Cuts the compounds of tokenised and cased text.

    Capitals do not matter for what is a part; parts get their most frequent form. A word that has
    other characters than letters, or a capital behind its first letter, stays whole.

    >>> lines = ["der Hund vor der Hütte", "ein Hund und eine Hütte", "die Hunde"]
    >>> splitter = CompoundSplitter().fit(lines)
    >>> splitter.apply(["die Hundehütte"])
    ['die Hund Hütte']
    """

    name: ClassVar[str] = "compounds"

    def __init__(
        self,
        parts: Parts | None = None,
        *,
        fillers: Iterable[str] = FILLERS,
        min_length: int = MIN_LENGTH,
        keep_whole: bool = False,
    ) -> None:
        self.fillers, self.min_length = tuple(fillers), min_length
        # Whether translators that read lattices are given the whole word beside its parts.
        self.keep_whole = keep_whole
        self.parts = parts
        # Of the distinct words it was trained on, how many are long and made of long parts.
        self.share = 0.0
        self._native: _core.CompoundSplitter | None = None  # made from the parts when it is needed
        self._forms: list[str] = []

    def fit(self, lines: Iterable[str]) -> "CompoundSplitter":
        """Count the words of tokenised and cased lines."""
        vocabulary, counts = Vocabulary(), np.empty(0, np.int64)
        for block in blocks(lines):
            more = Sentences.from_lines(block, vocabulary=vocabulary).counts()
            more[: len(counts)] += counts
            counts = more
        found: dict[str, list[tuple[int, str]]] = {}
        for word, count in zip(vocabulary, counts.tolist(), strict=True):
            if len(word) >= self.min_length and _is_plain(word):
                found.setdefault(word.lower(), []).append((-count, word))
        # Of equally frequent forms the one without capitals is taken.
        self.parts = {
            lower: (-sum(count for count, _ in forms), _commonest(forms, lower))
            for lower, forms in sorted(found.items())
        }
        self._native = None
        long_parts = {
            word: part
            for word, part in self.parts.items()
            if len(word) >= LONG_PART and part[0] >= LONG_PART_COUNT
        }
        judge = CompoundSplitter(long_parts, fillers=self.fillers, min_length=LONG_PART)
        found_long = judge.split([word for word in self.parts if len(word) >= LONG_WORD])
        distinct = len({word.lower() for word in vocabulary})
        self.share = sum(len(parts) > 1 for parts in found_long) / max(distinct, 1)
        return self

    def is_of_use(self, language: str = "") -> bool:
        """Whether text is worth splitting: by its language, or by the words it was trained on."""
        return language in COMPOUNDING or self.share >= COMPOUND_SHARE

    def apply(
        self,
        lines: list[str],
        *,
        unknown: Container[str] | None = None,
        engine: EngineLike = ALL_CORES,
    ) -> list[str]:
        """The lines with their compounds in parts; see `split`."""
        texts = list(map(split, lines))
        words = list(dict.fromkeys(chain.from_iterable(texts)))
        found = self.split(words, unknown=unknown, engine=engine)
        parts = dict(zip(words, map(" ".join, found), strict=True))
        return [" ".join(map(parts.__getitem__, text)) for text in texts]

    def warn_of_whole(
        self,
        lines: Iterable[str],
        *,
        unknown: Container[str] | None = None,
        engine: EngineLike = ALL_CORES,
    ) -> None:
        """Say so where text whose compounds should be in parts has them whole."""
        words = [word for line in lines for word in line.split()]
        found = self.split(words, unknown=unknown, engine=engine)
        whole = [parts for parts in zip(words, found, strict=True) if len(parts[1]) > 1]
        if len(whole) > WHOLE_SHARE * len(words):
            word, parts = whole[0]
            log.warning(
                "%s of %s words of the text are compounds that the model knows in parts "
                "('%s': %s), and stay whole; text that is tokenised but not split is translated "
                "without --pretokenised",
                f"{len(whole):,}",
                f"{len(words):,}",
                word,
                " ".join(parts),
            )

    def split(
        self,
        words: list[str],
        *,
        unknown: Container[str] | None = None,
        engine: EngineLike = ALL_CORES,
    ) -> list[list[str]]:
        """The parts of each word; the word alone where it stays whole.

        With `unknown`, words that were not seen in training are split where one of these is a part.
        """
        if self._native is None:
            counts = np.array([count for count, _ in self._parts.values()], np.uint64)
            self._native = _core.CompoundSplitter(
                list(self._parts), counts, list(self.fillers), self.min_length
            )
            self._forms = [form for _, form in self._parts.values()]
        plain = [word.lower() if _is_plain(word) else "" for word in words]
        found = [
            [self._forms[part] for part in parts]
            for parts in self._native.split(plain, as_engine(engine).threads)
        ]
        if unknown is not None:
            found = [
                parts if one in self._parts or any(part in unknown for part in parts) else []
                for one, parts in zip(plain, found, strict=True)
            ]
        return [parts or [word] for word, parts in zip(words, found, strict=True)]

    @property
    def _parts(self) -> Parts:
        if self.parts is None:
            raise TunesmithError("a splitter of compounds must be trained before it can be applied")
        return self.parts

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to make this splitter again."""
        return {
            "name": self.name,
            "fillers": list(self.fillers),
            "min_length": self.min_length,
            "parts": {lower: list(part) for lower, part in self._parts.items()},
            **({"keep_whole": True} if self.keep_whole else {}),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "CompoundSplitter":
        """The inverse of `to_dict`."""
        types = {"fillers": list[str], "min_length": int, "parts": dict[str, tuple[int, str]]}
        values = checked(values, types | {"keep_whole": bool | None}, cls.name)
        parts = values["parts"]
        if values["min_length"] < 1 or not all(
            0 < count < 1 << 63 and form.isalpha() for count, form in parts.values()
        ):
            raise ConfigError(
                "compounds: expected lengths and counts above 0, and words of letters"
            )
        return cls(
            {lower: (count, form) for lower, (count, form) in parts.items()},
            fillers=values["fillers"],
            min_length=values["min_length"],
            keep_whole=bool(values.get("keep_whole")),
        )


def _is_plain(word: str) -> bool:
    return word.isalpha() and word[1:] == word[1:].lower()


def _commonest(forms: list[tuple[int, str]], lower: str) -> str:
    return min(forms, key=lambda form: (form[0], form[1] != lower, form[1]))[1]
