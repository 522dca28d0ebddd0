"""Evaluation: scores of outputs, confidence intervals, and tests of their differences."""

from tunesmith.evaluate.compare import Comparison, SystemScore, compare_systems
from tunesmith.evaluate.resample import (
    Bootstrap,
    Randomisation,
    approximate_randomisation,
    paired_bootstrap,
)

__all__ = [
    "Bootstrap",
    "Comparison",
    "Randomisation",
    "SystemScore",
    "approximate_randomisation",
    "compare_systems",
    "paired_bootstrap",
]
