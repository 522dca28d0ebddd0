"""`KnownWords`: known words in the place of unknown ones, before text is translated.

A translator that has never seen a word can only copy it. Mostly it has seen a near relation, which
translates nearly as well: another form of the word, or the words that it is made of.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from math import log
from typing import Any, ClassVar

from tunesmith.base.errors import ConfigError
from tunesmith.corpus.compounds import FILLERS
from tunesmith.corpus.endings import Endings, is_word

# Compounds are looked for in words from this length on, with parts from that length on.
MIN_COMPOUND, MIN_HEAD, MIN_LAST = 8, 3, 4
# What is left of a word whose beginning says nothing must be this long, and seen this often.
MIN_REST, MIN_REST_COUNT = 5, 2


class KnownWords:
    """Replaces the unknown words of tokenised and cased text.

    In this order: another casing; the word itself, if it is one of the target language; another
    form; the parts between hyphens; and where compounds are split, a known beginning and the form
    of a known end, or a known end alone.

    >>> known = KnownWords.of({"schwarz": 5, "grüne": 3, "wolken": 1})
    >>> known.apply(["Schwarz wolken-grüne xyz"])
    ['schwarz wolken grüne xyz']
    """

    name: ClassVar[str] = "known words"

    def __init__(
        self, endings: Endings, targets: Collection[str] = (), *, compounds: bool = False
    ) -> None:
        self.endings, self.compounds = endings, compounds
        self.counts = endings.counts
        # Names and loans: words of the target text that are no words of the source text.
        self.targets = frozenset(targets)
        self._cached = lru_cache(maxsize=100_000)(self.stand_ins)

    @classmethod
    def of(
        cls, counts: Mapping[str, int], targets: Iterable[str] = (), *, compounds: bool = False
    ) -> "KnownWords":
        """From the source words of the training text, how often each was seen, and its targets."""
        return cls(
            Endings.learned(counts),
            {word for word in targets if word not in counts},
            compounds=compounds,
        )

    def apply(self, lines: list[str]) -> list[str]:
        """The lines with known words in the place of unknown ones, where there are any."""
        return [
            line
            if all(word in self.counts for word in line.split(" "))
            else " ".join(new for word in line.split(" ") for new in self._cached(word))
            for line in lines
        ]

    def stand_ins(self, word: str) -> tuple[str, ...]:
        """What stands for a word: itself if it is known, or if nothing that is known is like it."""
        return self._found(word) or (word,)

    def _found(self, word: str) -> tuple[str, ...]:
        known = self._any_case(word)
        if known is not None:
            return (known,)
        if word in self.targets:
            return (word,)
        if not is_word(word):
            return self._between_hyphens(word)
        form = self.endings.known_form(word)
        if form is not None:
            return (form,)
        return self._of_compound(word) if self.compounds else ()

    def _any_case(self, word: str) -> str | None:
        return next(
            (one for one in (word, word.lower(), word.capitalize()) if one in self.counts), None
        )

    def _between_hyphens(self, word: str) -> tuple[str, ...]:
        parts = [part for part in word.split("-") if part]
        if len(parts) < 2 or not all(map(is_word, parts)):
            return ()
        found = [self._found(part) for part in parts]
        if not any(found):
            return ()
        return tuple(new for part, own in zip(parts, found, strict=True) for new in own or (part,))

    def _of_compound(self, word: str) -> tuple[str, ...]:
        if len(word) < MIN_COMPOUND:
            return ()
        cuts = range(MIN_HEAD, len(word) - MIN_LAST + 1)
        pairs = [pair for cut in cuts for pair in self._cut(word[:cut], word[cut:])]
        if pairs:
            return max(pairs)[1]
        for cut in range(MIN_HEAD, len(word) - MIN_REST + 1):
            rest = self._any_case(word[cut:])
            if rest is not None and self.counts[rest] >= MIN_REST_COUNT:
                return (rest,)
        return ()

    def _cut(self, head: str, last: str) -> list[tuple[float, tuple[str, ...]]]:
        """The two words of a cut by how frequent they are, in all ways to read the first."""
        end, penalty = self._any_case(last), 0.0
        if end is None:
            end, penalty = self.endings.known_form(last), 1.0
        if end is None:
            return []
        found: list[tuple[float, tuple[str, ...]]] = []
        for filler in ("", *FILLERS):
            begin = self._any_case(head.removesuffix(filler))
            if head.endswith(filler) and len(head) - len(filler) >= MIN_HEAD and begin is not None:
                frequency = 0.5 * (log(self.counts[begin]) + log(self.counts[end]))
                found.append((frequency - penalty - 0.5 * len(filler), (begin, end)))
        return found

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to make it again; plain JSON values."""
        return {
            "name": self.name,
            "words": dict(self.counts),
            "exchanges": self.endings.exchanges,
            "targets": sorted(self.targets),
            "compounds": self.compounds,
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "KnownWords":
        """The inverse of `to_dict`."""
        words, exchanges = values.get("words"), values.get("exchanges")
        if not isinstance(words, Mapping) or not isinstance(exchanges, Mapping):
            raise ConfigError("known words: expected the keys 'words' and 'exchanges'")
        targets = values.get("targets", [])
        if not isinstance(targets, list):
            raise ConfigError("known words: expected a list of targets")
        for counts in (words, *exchanges.values()):
            if not all(isinstance(count, int) and count > 0 for count in counts.values()):
                raise ConfigError("known words: expected counts from 1 on")
        return cls(
            Endings(dict(words), dict(exchanges)),
            targets,
            compounds=bool(values.get("compounds", False)),
        )
