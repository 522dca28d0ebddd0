"""`Detector`: which of a few languages a text is in, by the words and letters of the models.

The probability of a text is that of its words; of a word, the mean of its share among the words
that a model was trained on and of a model of letters, each given the two before it. All languages
are equally likely at first.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from tunesmith.model import TranslationModel

# What is looked at: the most frequent words of a model, phrases of its table, letters of a text.
MOST_WORDS = 20_000
MOST_PHRASES = 500_000
MOST_CHARACTERS = 2_000
# What every possible letter counts beside those that were seen.
ADDED = 0.01
LETTERS = 10_000
_WORD = re.compile(r"[^\W\d_]+")


class Language:
    """What words, and what letters, a language has."""

    def __init__(self, counts: Mapping[str, float]) -> None:
        words: dict[str, float] = {}
        for text, count in counts.items():
            for word in _WORD.findall(text.lower()):
                words[word] = words.get(word, 0.0) + count
        frequent = sorted(words, key=lambda word: -words[word])[:MOST_WORDS]
        self._words = {word: words[word] for word in frequent}
        self._total = sum(self._words.values()) or 1.0
        self._threes: Counter[str] = Counter()
        self._twos: Counter[str] = Counter()
        for word in self._words:
            for before, letter in _letters(word):
                self._threes[before + letter] += 1
                self._twos[before] += 1

    def log_probability(self, word: str) -> float:
        """Of a word in small letters."""
        letters = sum(
            math.log(self._threes[before + letter] + ADDED)
            - math.log(self._twos[before] + ADDED * LETTERS)
            for before, letter in _letters(word)
        )
        return math.log(
            0.5 * self._words.get(word, 0.0) / self._total + 0.5 * math.exp(letters) + 1e-300
        )


class Detector:
    """Chooses among languages.

    >>> words = {"de": {"der": 9, "hund": 3, "schläft": 1}, "en": {"the": 9, "dog": 3, "sleeps": 1}}
    >>> [(code, round(p)) for code, p in Detector(words).detect("Der Hund")]
    [('de', 1), ('en', 0)]
    """

    def __init__(self, counts: Mapping[str, Mapping[str, float]]) -> None:
        self.languages = {code: Language(words) for code, words in counts.items()}

    def detect(self, text: str) -> list[tuple[str, float]]:
        """Languages and their probabilities, the likeliest first; all 0 for a text without words.

        That the text is in one of them is taken for granted.
        """
        words = _WORD.findall(text[:MOST_CHARACTERS].lower())
        if not words:
            return [(code, 0.0) for code in self.languages]
        logs = {
            code: sum(map(language.log_probability, words))
            for code, language in self.languages.items()
        }
        best = max(logs.values())
        total = sum(math.exp(value - best) for value in logs.values())
        shares = [(code, math.exp(value - best) / total) for code, value in logs.items()]
        return sorted(shares, key=lambda share: (-share[1], share[0]))


def words_of(models: Iterable[tuple[str, str, TranslationModel]]) -> dict[str, dict[str, float]]:
    """The words of all languages, from models with the codes of their source and target."""
    counts: dict[str, dict[str, float]] = {}
    for source, target, model in models:
        for code, words in ((source, source_words(model)), (target, target_words(model))):
            own = counts.setdefault(code, {})
            for word, count in words.items():
                own[word] = own.get(word, 0.0) + count
    return counts


def source_words(model: TranslationModel) -> dict[str, float]:
    """Source words of a model and how often each was seen, as far as its files tell."""
    source = model.preprocessors[0]
    if source.known is not None:
        return {word: float(count) for word, count in source.known.counts.items()}
    words: dict[str, float] = {}
    for table in model.tables:
        native = table.native
        for number in range(0, native.sources, 1 + native.sources // MOST_PHRASES):
            text = native.source(number)
            if " " not in text:
                words[text] = native.counts(native.rules_of(number)[0])[1] or 1.0
    if not words:
        forms: Mapping[str, list[str]] | None = getattr(source.casing, "forms", None)
        words = dict.fromkeys(forms or {}, 1.0)
    return words


def target_words(model: TranslationModel) -> dict[str, float]:
    """Target words, by the shares that the first language model gives them."""
    if not model.language_models:
        return {}
    native = model.language_models[0].native
    state = native.null_state()
    return {
        native.spelling(word): 10.0 ** native.score_word(state, word)[0]
        for word in range(3, native.vocabulary_size)  # behind <unk>, <s> and </s>
    }


def _letters(word: str) -> Iterable[tuple[str, str]]:
    """Each letter of a word, and its end, with the two before it."""
    padded = f"  {word} "
    return ((padded[i - 2 : i], padded[i]) for i in range(2, len(padded)))
