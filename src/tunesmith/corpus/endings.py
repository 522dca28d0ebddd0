"""`Endings`: which endings the words of a language exchange, learned from its words alone.

Words that begin alike and end in an exchange that many other words show too are forms of one word:
*Korbs* and *Korb* by -s/-, which *Ofens* and *Ofen*, *Sprungs* and *Sprung* have as well
(signatures, as in Goldsmith 2001, *Unsupervised Learning of the Morphology of a Natural Language*).
"""

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import permutations
from math import log

# Shortest beginning that two forms share, and the shortest that exchanges are learned from.
MIN_STEM, MIN_LEARNED_STEM = 4, 5
MAX_ENDING = 5
# What a form must be worth (`_forms`); of those below, next to none are forms (docs/corpus.md).
MIN_WORTH = 8.0
# Exchanges that fewer beginnings show are chance.
MIN_STEMS = 3
# Exchanges are learned from so many of the most frequent words.
LEARNED_WORDS = 50_000

Exchanges = dict[str, dict[str, int]]
"""Ending → other ending → how many beginnings are seen with both."""


class Endings:
    """Finds the known form of an unknown word.

    >>> words = ["ofen", "ofens", "sprung", "sprungs", "kragen", "kragens", "wagen", "wagens"]
    >>> endings = Endings.learned(dict.fromkeys([*words, "steingarten"], 1))
    >>> endings.known_form("steingartens")
    'steingarten'
    """

    def __init__(self, counts: Mapping[str, int], exchanges: Exchanges) -> None:
        self.counts, self.exchanges = counts, exchanges

    @classmethod
    def learned(cls, counts: Mapping[str, int]) -> "Endings":
        """From words and how often each was seen."""
        words = sorted(filter(is_word, counts), key=lambda word: (-counts[word], word))
        endings: dict[str, list[str]] = defaultdict(list)
        for word in words[:LEARNED_WORDS]:
            for cut in range(max(MIN_LEARNED_STEM, len(word) - MAX_ENDING), len(word) + 1):
                endings[word[:cut]].append(word[cut:])
        seen: Counter[tuple[str, str]] = Counter()
        for of_stem in endings.values():
            # A longer beginning counts where both go on with the same letter.
            seen.update((a, b) for a, b in permutations(of_stem, 2) if a[:1] != b[:1])
        exchanges: Exchanges = {}
        for (ending, other), stems in sorted(seen.items()):
            if stems >= MIN_STEMS:
                exchanges.setdefault(ending, {})[other] = stems
        return cls(counts, exchanges)

    def known_form(self, word: str) -> str | None:
        """The known word that is most likely a form of the unknown `word`."""
        best = max(self._forms(word), default=None)
        return None if best is None else best[1]

    def _forms(self, word: str) -> list[tuple[float, str]]:
        """Known words by how good they are: long beginnings, common exchanges, frequent words."""
        found = []
        for cut in range(max(MIN_STEM, len(word) - MAX_ENDING), len(word) + 1):
            stem, ending = word[:cut], word[cut:]
            for other, stems in self.exchanges.get(ending, {}).items():
                known = stem + other
                if known not in self.counts:
                    continue
                changed = len(ending) + len(other)
                worth = cut + log(stems) + 0.3 * log(self.counts[known]) - 0.5 * changed
                if worth >= MIN_WORTH:
                    found.append((worth, known))
        return found


def is_word(word: str) -> bool:
    """Whether a word is made of letters (of any script, marks included) alone.

    >>> is_word("Straße"), is_word("1st"), is_word("a-b")
    (True, False, False)
    """
    return word.isalpha() or all(unicodedata.category(letter)[0] in "LM" for letter in word)
