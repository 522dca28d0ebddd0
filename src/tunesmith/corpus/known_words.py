"""`KnownWords`: known words in the place of unknown ones, before a sentence is translated.

A translator that has never seen a word can only copy it. That is right for names; for another form
of a known word, or a word that is made of known words, those translate nearly as well.
"""

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from functools import lru_cache
from math import log
from typing import Any, ClassVar, NamedTuple

from tunesmith.base.errors import ConfigError
from tunesmith.base.json_text import checked
from tunesmith.corpus.compounds import FILLERS
from tunesmith.corpus.copied_words import BEGIN, END, CopiedWords, shape_of
from tunesmith.corpus.endings import Endings, is_word
from tunesmith.corpus.marks import is_sign
from tunesmith.corpus.sentence_starts import sentence_starts

# The least length of the parts of an unknown compound, of the last one, and of one that is another
# form of a known word: shorter ones are parts by chance.
MIN_PART, MIN_LAST, MIN_LAST_FORM = 3, 4, 6
# The most letters of a compound; finding the parts takes time that grows with their square.
MAX_COMPOUND = 100
# A word that is copied this likely is copied. Compounds written as one word are copied sooner:
# translated part by part, a name is lost.
MAX_COPIED, MAX_COPIED_COMPOUND = 0.3, 0.05
# A number or sign that training text has less often is copied: its translations are chance.
MIN_SIGN = 10

CASING, INFLECTION, COMPOUND, COPIED = "casing", "inflection", "compound", "copied"


class UnknownWord(NamedTuple):
    """What becomes of an unknown word of a sentence."""

    place: int
    word: str
    words: tuple[str, ...]
    """What is translated in its place; the word itself if it is copied."""
    reason: str
    """``casing``, ``inflection``, ``compound`` or ``copied``."""


class KnownWords:
    """Replaces the unknown words of tokenised and cased sentences where there is evidence.

    An unknown word becomes a known one with other capitals, a known form of the same word, or the
    known words it is made of. It is copied where it looks like a name: by its letters and its
    neighbours (`CopiedWords`), or because an unknown word with a capital stands beside it.

    >>> known = KnownWords.of({"schwarz": 5, "grüne": 3, "wolken": 1}, compounds=True)
    >>> known.apply(["schwarzgrüne wolken-grüne Grüne xyz"])
    ['schwarz grüne wolken grüne grüne xyz']
    """

    name: ClassVar[str] = "known words"

    def __init__(
        self,
        endings: Endings,
        targets: Collection[str] = (),
        copied: CopiedWords | None = None,
        *,
        compounds: bool = False,
    ) -> None:
        self.endings, self.copied, self.compounds = endings, copied, compounds
        self.counts = endings.counts
        # Loans: words of the target text that are no words of the source text.
        self.targets = frozenset(targets)
        self._cached = lru_cache(maxsize=100_000)(self._replacement)

    @classmethod
    def of(
        cls,
        counts: Mapping[str, int],
        targets: Iterable[str] = (),
        copied: CopiedWords | None = None,
        *,
        compounds: bool = False,
    ) -> "KnownWords":
        """From the source words of the training text, how often each was seen, and its targets."""
        return cls(
            Endings.learned(counts),
            {word for word in targets if word not in counts},
            copied,
            compounds=compounds,
        )

    def apply(self, lines: list[str]) -> list[str]:
        """The lines with known words in the place of unknown ones, where there is evidence."""
        result = []
        for line in lines:
            words = line.split(" ")
            for unknown in reversed(self.unknown_words(words)):
                words[unknown.place : unknown.place + 1] = unknown.words
            result.append(" ".join(words))
        return result

    def unknown_words(self, words: Sequence[str], kept: Container[int] = ()) -> list[UnknownWord]:
        """The unknown words of a sentence, but for those at `kept`, and what becomes of each."""
        places = [
            place
            for place, word in enumerate(words)
            if word and word not in self.counts and place not in kept
        ]
        if not places:
            return []
        starts = sentence_starts(words)
        capitals = {place for place in places if shape_of(words[place])[0] == "X"}
        found = []
        for place in places:
            word = words[place]
            is_beside_another = place in capitals and not capitals.isdisjoint(
                {place - 1, place + 1}
            )
            new, reason = self._cached(word, place in starts)
            before = words[place - 1] if place > 0 else BEGIN
            behind = words[place + 1] if place + 1 < len(words) else END
            is_whole_compound = reason == COMPOUND and "-" not in word
            limit = MAX_COPIED_COMPOUND if is_whole_compound else MAX_COPIED
            if new and (is_beside_another or self._copy_probability(word, before, behind) > limit):
                new = ()
            found.append(UnknownWord(place, word, new or (word,), reason if new else COPIED))
        return found

    def rare_signs(self, words: Sequence[str]) -> list[tuple[int, int]]:
        """Runs of numbers and signs that hold one too rare for its translations to be known.

        >>> KnownWords.of({"bei": 20, ",": 99, "5": 20}).rare_signs("bei ~ 5 km / h , 5 ,".split())
        [(1, 3), (4, 5)]
        """
        rare = [is_sign(word) and self.counts.get(word, 0) < MIN_SIGN for word in words]
        if not any(rare):
            return []
        runs, begin = [], 0
        for place, word in enumerate([*words, "x"]):
            if place < len(words) and (rare[place] or (is_sign(word) and word[0].isdigit())):
                continue
            if any(rare[begin:place]):
                runs.append((begin, place))
            begin = place + 1
        return runs

    def _copy_probability(self, word: str, before: str, behind: str) -> float:
        return 0.0 if self.copied is None else self.copied.probability(word, before, behind)

    def _replacement(self, word: str, is_start: bool) -> tuple[tuple[str, ...], str]:
        """What may stand for a word, and why; nothing if there is no evidence."""
        if word in self.targets:
            return (), COPIED
        known = self._other_case(word)
        if known is not None:
            return (known,), CASING
        if not is_word(word):
            parts = self._between_hyphens(word)
            return parts, COMPOUND
        # The capital of a sentence start says nothing.
        for one in (word, word.lower()) if is_start else (word,):
            form = self.endings.known_form(one)
            if form is not None and shape_of(form) == shape_of(one):
                return (form,), INFLECTION
        is_divided = self.compounds and len(word) <= MAX_COMPOUND
        return (self._parts(word) if is_divided else ()), COMPOUND

    def _other_case(self, word: str) -> str | None:
        """A known word with other capitals; those of an abbreviation mean something."""
        if shape_of(word) not in ("x", "Xx"):
            return None
        return next((w for w in (word.lower(), word.capitalize()) if w in self.counts), None)

    def _between_hyphens(self, word: str) -> tuple[str, ...]:
        """The parts between hyphens or known words for them, if there is one for each."""
        parts = [part for part in word.split("-") if part]
        if len(parts) < 2 or not all(map(is_word, parts)):
            return ()
        found = [
            (part,) if part in self.counts else self._replacement(part, False)[0] for part in parts
        ]
        return tuple(new for part in found for new in part) if all(found) else ()

    def _parts(self, word: str) -> tuple[str, ...]:
        """The known words of a compound.

        Those with the highest geometric mean of frequencies. The last one is written as the
        compound is, so that the parts of a noun end in a noun; it may be another form.
        """
        lower, shape = word.lower(), shape_of(word)
        # From each letter on: by the number of parts, the sum of their logs and the parts.
        behind: list[dict[int, tuple[float, tuple[str, ...]]]] = [{} for _ in lower]
        for at in range(len(lower) - MIN_LAST, -1, -1):
            if at > 0:
                behind[at] = self._last_part(lower[at:], shape)
            for cut in range(at + MIN_PART, len(lower) - MIN_LAST + 1):
                for filler in ("", *FILLERS) if behind[cut] else ():
                    begin = self._begin(lower[at:cut], filler)
                    if begin is None:
                        continue
                    for size, (worth, parts) in behind[cut].items():
                        whole = log(self.counts[begin]) + worth, (begin, *parts)
                        behind[at][size + 1] = max(whole, behind[at].get(size + 1, whole))
        found = [(worth / size, parts) for size, (worth, parts) in behind[0].items()]
        return max(found, default=(0.0, ()))[1]

    def _begin(self, head: str, filler: str) -> str | None:
        stem = head.removesuffix(filler)
        if not head.endswith(filler) or len(stem) < MIN_PART:
            return None
        known = [one for one in (stem, stem.capitalize()) if one in self.counts]
        return max(known, key=lambda one: self.counts[one], default=None)

    def _last_part(self, last: str, shape: str) -> dict[int, tuple[float, tuple[str, ...]]]:
        last = last.capitalize() if shape == "Xx" else last
        if last in self.counts:
            return {1: (log(self.counts[last]), (last,))}
        form = self.endings.known_form(last) if len(last) >= MIN_LAST_FORM else None
        if form is None or shape_of(form) != shape_of(last):
            return {}
        return {1: (log(self.counts[form]) - 1.0, (form,))}

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to make it again; plain JSON values."""
        return {
            "name": self.name,
            "words": dict(self.counts),
            "exchanges": self.endings.exchanges,
            "targets": sorted(self.targets),
            "compounds": self.compounds,
            **({} if self.copied is None else {"copied": self.copied.to_dict()}),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "KnownWords":
        """The inverse of `to_dict`."""
        counts = dict[str, int]
        types = {"words": counts, "exchanges": dict[str, counts], "targets": list[str] | None}
        found = checked(values, types, cls.name)
        words, exchanges, copied = found["words"], found["exchanges"], found.get("copied")
        if any(count < 1 for own in (words, *exchanges.values()) for count in own.values()):
            raise ConfigError("known words: expected counts above 0")
        return cls(
            Endings(words, exchanges),
            found.get("targets") or [],
            None if copied is None else CopiedWords.from_dict(copied),
            compounds=bool(found.get("compounds")),
        )
