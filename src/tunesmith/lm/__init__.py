"""N-gram language models: estimated from text, read from ARPA files, queried fast."""

from tunesmith.lm.classes import read_classes
from tunesmith.lm.interpolation import MixtureWeights, interpolate, tune_weights
from tunesmith.lm.ngram import NgramLM, Perplexity, WordScore, WordScores
from tunesmith.lm.training import Discounts, Estimate, KneserNey

__all__ = [
    "Discounts",
    "Estimate",
    "KneserNey",
    "MixtureWeights",
    "NgramLM",
    "Perplexity",
    "WordScore",
    "WordScores",
    "interpolate",
    "read_classes",
    "tune_weights",
]
