"""N-gram language models: estimated from text, read from ARPA files, queried fast."""

from tunesmith.lm.ngram import NgramLM, Perplexity, WordScores

__all__ = ["NgramLM", "Perplexity", "WordScores"]
