"""Learning from the training set itself: lexical features by the million."""

from tunesmith.learn.maxforce import Epoch, Maxforce, MaxforceResult
from tunesmith.learn.reestimate import Reestimated, reestimate

__all__ = ["Epoch", "Maxforce", "MaxforceResult", "Reestimated", "reestimate"]
