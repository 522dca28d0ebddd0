"""Where phrases go: orientations as a classification problem (Alrajeh & Niranjan 2014)."""

from tunesmith.reorder.example_set import ExampleExtraction, ExampleSet
from tunesmith.reorder.examples import OrientationExamples
from tunesmith.reorder.maxent import MaxentModel, MaxentReordering, SideReport
from tunesmith.reorder.training import DualTraining, PrimalTraining, TrainingPass, TrainingResult

__all__ = [
    "DualTraining",
    "ExampleExtraction",
    "ExampleSet",
    "MaxentModel",
    "MaxentReordering",
    "OrientationExamples",
    "PrimalTraining",
    "SideReport",
    "TrainingPass",
    "TrainingResult",
]
