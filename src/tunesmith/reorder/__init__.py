"""Where phrases go: orientations as a classification problem (Alrajeh & Niranjan 2014)."""

from tunesmith.reorder.examples import OrientationExamples
from tunesmith.reorder.training import DualTraining, PrimalTraining, TrainingPass, TrainingResult

__all__ = [
    "DualTraining",
    "OrientationExamples",
    "PrimalTraining",
    "TrainingPass",
    "TrainingResult",
]
