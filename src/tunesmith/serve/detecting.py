"""`Detector`: which of the served languages a text is in, if it is in one of them."""

from collections.abc import Iterable

from tunesmith.corpus.identification import (
    identifiable_languages,
    probability_of,
    text_probabilities,
)

# Share of texts in a served language, before one is looked at: clients mostly send what can be
# translated, so that two words of it are enough, but no text is taken for one of them for sure.
SERVED = 0.5
# Longer texts are identified by their beginning.
MOST_CHARACTERS = 2_000


class Detector:
    """Identifies texts; what it needs is loaded when it is made.

    >>> detector = Detector(["de", "en"])
    >>> detector.detect("Das Haus ist klein.")[0][0], detector.likeliest("Où est la gare ?")[0]
    ('de', 'fr')
    """

    def __init__(self, languages: Iterable[str]) -> None:
        self.languages = list(dict.fromkeys(languages))
        known = identifiable_languages()
        self._known = [code for code in self.languages if code in known]
        self._others = len(known) - len(self._known)

    def detect(self, text: str) -> list[tuple[str, float]]:
        """Return the served languages and their probabilities, the likeliest first.

        What they lack to 1 is the probability of all other languages. All are 0 for a text without
        letters, and so are languages that cannot be identified.
        """
        found = text_probabilities(text[:MOST_CHARACTERS])
        own = {code: probability_of(code, found) for code in self._known}
        others = max(0.0, 1.0 - sum(own.values())) * (1 - SERVED) / max(1, self._others)
        shares = {code: share * SERVED / len(own) for code, share in own.items()}
        total = sum(shares.values()) + others
        ranked = [(code, shares.get(code, 0.0) / total) for code in self.languages]
        return sorted(ranked, key=lambda item: -item[1])

    def likeliest(self, text: str) -> tuple[str, float]:
        """Return the likeliest of all languages, served or not; an empty code without letters."""
        found = text_probabilities(text[:MOST_CHARACTERS])
        return max(found.items(), key=lambda item: item[1], default=("", 0.0))
