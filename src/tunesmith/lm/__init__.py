"""N-gram language models: estimated from text, read from ARPA files, queried fast."""

from tunesmith.lm.ngram import NgramLM, Perplexity, WordScore, WordScores
from tunesmith.lm.training import Discounts, Estimate, KneserNey

__all__ = [
    "Discounts",
    "Estimate",
    "KneserNey",
    "NgramLM",
    "Perplexity",
    "WordScore",
    "WordScores",
]
