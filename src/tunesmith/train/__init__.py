"""From parallel text to a tuned translator: the stages in their order, each resumable."""

from tunesmith.train.options import TrainOptions
from tunesmith.train.pipeline import Training, TrainReport

__all__ = ["TrainOptions", "TrainReport", "Training"]
