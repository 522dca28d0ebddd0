"""Metrics: hypotheses and references → sufficient statistics → scores."""

from tunesmith.metrics.base import Gain, Metric, Scorer, Stats
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.chrf import ChrF
from tunesmith.metrics.column import Column
from tunesmith.metrics.combined import Combined
from tunesmith.metrics.error_rate import Cer, Wer
from tunesmith.metrics.own import OwnMetric
from tunesmith.metrics.parse import parse_metric
from tunesmith.metrics.ter import Ter

__all__ = [
    "Bleu",
    "Cer",
    "ChrF",
    "Column",
    "Combined",
    "Gain",
    "Metric",
    "OwnMetric",
    "Scorer",
    "Stats",
    "Ter",
    "Wer",
    "parse_metric",
]
