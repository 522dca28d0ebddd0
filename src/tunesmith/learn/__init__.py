"""Learning from the training set itself: lexical features by the million."""

from tunesmith.learn.folds import LmEstimation, fold_models
from tunesmith.learn.maxforce import Epoch, Maxforce, MaxforceResult
from tunesmith.learn.reestimate import Reestimated, reestimate

__all__ = [
    "Epoch",
    "LmEstimation",
    "Maxforce",
    "MaxforceResult",
    "Reestimated",
    "fold_models",
    "reestimate",
]
