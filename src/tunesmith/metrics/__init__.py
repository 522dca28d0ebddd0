"""Metrics: hypotheses and references → sufficient statistics → scores."""

from tunesmith.metrics.base import Gain, Metric, Scorer, Stats
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.column import Column
from tunesmith.metrics.combined import Combined
from tunesmith.metrics.parse import parse_metric

__all__ = [
    "Bleu",
    "Column",
    "Combined",
    "Gain",
    "Metric",
    "Scorer",
    "Stats",
    "parse_metric",
]
