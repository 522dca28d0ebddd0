"""Learning from the training set itself: lexical features by the million."""

from tunesmith.learn.epochs import Epoch, LearnResult, MaxforceResult
from tunesmith.learn.folds import LmEstimation, fold_models
from tunesmith.learn.maxforce import Maxforce
from tunesmith.learn.reestimate import Reestimated, reestimate

__all__ = [
    "Epoch",
    "LearnResult",
    "LmEstimation",
    "Maxforce",
    "MaxforceResult",
    "Reestimated",
    "fold_models",
    "reestimate",
]
