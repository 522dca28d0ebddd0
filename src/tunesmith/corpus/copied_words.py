"""`CopiedWords`: how likely a rare word is the same in the other language, learned from pairs.

Names and loans stand in both sentences of a pair. What the rare words of the training text that do
have in common, an unknown word shows too: capitals, beginning and ending, length, the words beside
it (*Herr*, *in*, another name), and whether it has other forms (naive Bayes).
"""

from collections.abc import Iterator
from math import exp, log
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import ConfigError
from tunesmith.base.json_text import checked
from tunesmith.corpus.bitext import Bitext
from tunesmith.corpus.sentences import BLOCK_LINES, Sentences

# Words that are seen so rarely are what an unknown word is compared with.
RARE = 2
# A feature is as likely as without evidence until it was seen more often than this.
PRIOR = 4.0
# Capitalised words that are copied at least this often are names.
NAME_SHARE = 0.5
BEGIN, END = "<s>", "</s>"

# Feature → how many rare words that have it were not copied, and how many were.
Counts = dict[str, list[int]]


class CopiedWords:
    """The probability that an unknown word is copied into the translation.

    >>> source, target = ["Herr Ba", "Herr Be", "der Bach"], ["Mr. Ba", "Mr. Be", "the brook"]
    >>> copied = CopiedWords.learned(Bitext.from_lines(source, target))
    >>> copied.probability("Bo", "Herr", "</s>") > copied.probability("Bo", "der", "</s>")
    True
    """

    def __init__(self, counts: Counts, names: frozenset[str] = frozenset()) -> None:
        self.counts, self.names = counts, names

    @classmethod
    def learned(cls, bitext: Bitext) -> "CopiedWords":
        """From the words of tokenised and cased pairs."""
        source = bitext.source
        words, seen = list(source.vocabulary), source.counts()
        copied = _is_copied(bitext)
        often = np.bincount(source.ids, copied, len(words)) >= NAME_SHARE * seen
        names = frozenset(
            word for word, is_name in zip(words, often, strict=True) if is_name and _is_name(word)
        )
        found = cls({}, names)
        is_rare = (seen <= RARE) & np.fromiter(map(_has_letters, words), bool, len(words))
        for place in np.flatnonzero(is_rare[source.ids]).tolist():
            line = int(np.searchsorted(source.offsets, place, "right")) - 1
            begin, end = (int(edge) for edge in source.offsets[line : line + 2])
            before = words[source.ids[place - 1]] if place > begin else BEGIN
            behind = words[source.ids[place + 1]] if place + 1 < end else END
            for feature in found._features(words[source.ids[place]], before, behind):
                found.counts.setdefault(feature, [0, 0])[int(copied[place])] += 1
        found.counts = {name: n for name, n in sorted(found.counts.items()) if sum(n) > 1}
        return found

    def probability(self, word: str, before: str, behind: str) -> float:
        """How likely a word between these two is copied."""
        shape, *others = self._features(word, before, behind)
        translated, copied = self.counts.get(shape, (0, 0))
        share = (copied + 0.5) / (translated + copied + 1)
        odds = log(share / (1 - share))
        total = odds
        for feature in others:
            translated, copied = self.counts.get(feature, (0, 0))
            odds_here = log((copied + PRIOR * share) / (translated + PRIOR * (1 - share)))
            total += odds_here - odds
        return 1 / (1 + exp(-total))

    def _features(self, word: str, before: str, behind: str) -> Iterator[str]:
        shape = shape_of(word)
        yield shape
        lower = word.lower()
        yield f"{shape} {lower[:3]}-"
        yield f"{shape} -{lower[-3:]}"
        yield f"{shape} {min(len(word) // 4, 4)}"
        yield f"{shape} behind {before}"
        yield f"{shape} before {behind}"
        if before in self.names or behind in self.names:
            yield f"{shape} beside a name"

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {"counts": self.counts, "names": sorted(self.names)}

    @classmethod
    def from_dict(cls, values: Any) -> "CopiedWords":
        """The inverse of `to_dict`."""
        types = {"counts": dict[str, tuple[int, int]], "names": list[str]}
        found = checked(values, types, "copied words")
        if any(min(pair) < 0 for pair in found["counts"].values()):
            raise ConfigError("copied words: expected counts from 0 on")
        return cls(found["counts"], frozenset(found["names"]))


def shape_of(word: str) -> str:
    """What a word looks like: its letters' case, of each part between hyphens.

    >>> [shape_of(word) for word in ("Haus", "haus", "NATO", "McX", "CD-ROM", "字", "H2")]
    ['Xx', 'x', 'X', '*', 'X-X', 'o', '*']
    """
    if "-" in word.strip("-"):
        return "-".join(map(shape_of, word.split("-")))
    if not word.isalpha():
        return "*"
    lower, upper = word.lower(), word.upper()
    if lower == upper:
        return "o"
    if word == lower:
        return "x"
    if word[1:] == lower[1:]:
        return "Xx"
    return "X" if word == upper else "*"


def _is_copied(bitext: Bitext) -> npt.NDArray[np.bool_]:
    """Of every source word whether its target sentence has it too, in whatever case."""
    source, target = bitext.source, bitext.target
    lower: dict[str, int] = {}
    of_target = [lower.setdefault(word.lower(), len(lower)) for word in target.vocabulary]
    of_source = [lower.get(word.lower(), len(lower)) for word in source.vocabulary]
    width = len(lower) + 1
    found = []
    for begin in range(0, len(bitext), BLOCK_LINES):
        words, others = (
            _keys(side, np.array(numbers, np.int64), begin, width)
            for side, numbers in ((source, of_source), (target, of_target))
        )
        found.append(np.isin(words, others))
    return np.concatenate([np.empty(0, bool), *found])


def _keys(
    side: Sentences, numbers: npt.NDArray[np.int64], begin: int, width: int
) -> npt.NDArray[np.int64]:
    """A number for each word and its sentence."""
    offsets = side.offsets[begin : begin + BLOCK_LINES + 1].astype(np.int64)
    lines = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    return lines * width + numbers[side.ids[offsets[0] : offsets[-1]]]


def _is_name(word: str) -> bool:
    return shape_of(word)[:1] == "X"


def _has_letters(word: str) -> bool:
    return any(map(str.isalpha, word))
