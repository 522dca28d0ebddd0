"""`mbr`: what a translation is worth on average if any of its list may be right."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import parameter
from tunesmith.metrics import parse_metric
from tunesmith.metrics.preprocess import TOKENIZERS
from tunesmith.rescore.base import ListFeature, Lists, Values

UNIFORM = "uniform"
TOTAL = "total"


@dataclass
class MinimumBayesRisk(ListFeature):
    """The expected score Σ_j p(j) score(entry, entry j) (Kumar & Byrne 2004, Eikema & Aziz 2020).

    The score is sacreBLEU's of a sentence (BLEU with effective order); error rates are negated, so
    that more is always better. The highest value is the choice of MBR decoding. All pairs of a list
    are compared, which is exact; with `aggregate` each entry is compared once, with the list's
    average n-gram counts and length (Vamvas & Sennrich 2024).
    """

    kind: ClassVar[str] = "mbr"
    title: ClassVar[str] = "expected score against the entries of the list"

    metric: str = parameter(
        "bleu", "the score", choices=("bleu", "chrf", "chrf++", "ter", "wer", "cer")
    )
    tokenize: str = parameter("none", "sacreBLEU's tokeniser, for BLEU", choices=TOKENIZERS)
    lowercase: bool = parameter(False, "ignore case")
    weights: str = parameter(
        UNIFORM,
        "probabilities of the entries: uniform, or the softmax of this feature ('total': the "
        "system's own total)",
    )
    scale: float = parameter(1.0, "what the feature is multiplied by before the softmax", above=0)
    aggregate: bool = parameter(False, "compare with the average of the list: linear time")

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """One column."""
        nbest = lists.nbest
        metric = parse_metric(self.metric, tokenize=self.tokenize, lowercase=self.lowercase)
        gains = metric.expected_gains(
            nbest.texts.data, nbest.texts.offsets, nbest.offsets, self.probabilities(lists),
            aggregate=self.aggregate, engine=lists.engine,
        )  # fmt: skip
        return {self.column_name: 100.0 * gains}

    def probabilities(self, lists: Lists) -> Values:
        """[rows] of the entries, each in its list."""
        nbest = lists.nbest
        sizes = np.diff(nbest.offsets)
        if self.weights == UNIFORM:
            return np.repeat(1.0 / np.maximum(sizes, 1), sizes)
        if self.weights == TOTAL and TOTAL not in nbest.names:
            if nbest.totals is None or np.isnan(nbest.totals).any():
                raise OptionError("mbr: weights=total, but not all entries have a total score")
            values = nbest.totals
        else:
            values = nbest.column(self.weights).astype(np.float64)
        filled = nbest.offsets[:-1][sizes > 0]
        spread = sizes[sizes > 0]
        values = self.scale * values
        odds: Values = np.exp(values - np.repeat(np.maximum.reduceat(values, filled), spread))
        odds /= np.repeat(np.add.reduceat(odds, filled), spread)
        return odds
