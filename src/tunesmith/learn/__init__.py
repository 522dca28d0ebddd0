"""Learning from the training set itself: lexical features by the million."""

from tunesmith.learn.maxforce import Epoch, Maxforce, MaxforceResult

__all__ = ["Epoch", "Maxforce", "MaxforceResult"]
