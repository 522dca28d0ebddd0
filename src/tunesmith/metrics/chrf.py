"""chrF (Popović 2015) and chrF++ (Popović 2017), counted natively and equal to sacreBLEU's."""

from collections.abc import Sequence
from functools import cached_property

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.metrics.base import Gain, Metric, Scorer, sacrebleu_version
from tunesmith.metrics.bleu import MAX_ORDER
from tunesmith.metrics.preprocess import native_preprocess


class ChrF(Metric):
    """The F-score of character n-grams, and of word n-grams if `word_order` is above 0.

    Statistics: n-grams of the hypothesis, of the reference and in both, for each order of
    characters and then of words. Of several references the one with the best F-score counts.

    Parameters
    ----------
    char_order, word_order
        The longest n-grams; ``word_order=2`` makes it chrF++.
    beta
        How many times as important recall is as precision.
    lowercase
        Ignore case.
    whitespace
        Count white space as characters.
    eps_smoothing
        Average the F-scores of all orders with a small constant for empty ones (as chrF++.py, NLTK
        and Moses do) instead of leaving out orders that are longer than the text.

    Examples
    --------
    >>> print(f"{ChrF().corpus_score(['The cat sat down.'], [['The cat sat on it.']]):.2f}")
    59.10
    """

    def __init__(
        self,
        *,
        char_order: int = 6,
        word_order: int = 0,
        beta: int = 2,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
    ) -> None:
        if not 1 <= char_order <= MAX_ORDER:
            raise OptionError(f"the character order is {char_order}, expected 1 to {MAX_ORDER}")
        if not 0 <= word_order <= MAX_ORDER:
            raise OptionError(f"the word order is {word_order}, expected 0 to {MAX_ORDER}")
        if beta < 1:
            raise OptionError(f"beta is {beta}, expected 1 or more")
        self.name = "chrf++" if word_order == 2 else "chrf"
        self.char_order = char_order
        self.word_order = word_order
        self.beta = beta
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing

    @cached_property
    def gain(self) -> Gain:
        """ChrF / 100."""
        orders = self.char_order + self.word_order
        return _core.ChrfGain(orders, float(self.beta), self.eps_smoothing)

    def prepare(self, references: Sequence[Sequence[str]]) -> Scorer:
        """Count the n-grams of the references once."""
        return _core.ChrfScorer(
            references,
            self.char_order,
            self.word_order,
            float(self.beta),
            self.whitespace,
            self.eps_smoothing,
            native_preprocess(lowercase=self.lowercase),
        )

    def _overlap(self) -> tuple[_core.OverlapMetric | None, Gain]:
        """Characters and words."""
        preprocess = native_preprocess(lowercase=self.lowercase)
        overlap = _core.ChrfOverlap(self.char_order, self.word_order, self.whitespace, preprocess)
        return overlap, self.gain

    def signature(self, references: int = 1) -> str:
        """SacreBLEU's signature; what it cannot say (beta) is added."""
        parts = [
            f"nrefs:{references}",
            f"case:{'lc' if self.lowercase else 'mixed'}",
            f"eff:{'no' if self.eps_smoothing else 'yes'}",
            f"nc:{self.char_order}",
            f"nw:{self.word_order}",
            f"space:{'yes' if self.whitespace else 'no'}",
        ]
        if self.beta != 2:
            parts.append(f"beta:{self.beta}")
        return "|".join([*parts, f"version:{sacrebleu_version()}"])
