"""Evaluation: scores of outputs, confidence intervals, and tests of their differences."""

from tunesmith.evaluate.compare import Comparison, SystemScore, compare_systems
from tunesmith.evaluate.two_way import (
    ScoreSample,
    TwoWayTest,
    holm,
    sample_scores,
    two_way_test,
)
from tunesmith.metrics.resample import (
    Bootstrap,
    Randomisation,
    approximate_randomisation,
    paired_bootstrap,
)

__all__ = [
    "Bootstrap",
    "Comparison",
    "Randomisation",
    "ScoreSample",
    "SystemScore",
    "TwoWayTest",
    "approximate_randomisation",
    "compare_systems",
    "holm",
    "paired_bootstrap",
    "sample_scores",
    "two_way_test",
]
