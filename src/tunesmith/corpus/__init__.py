"""Text before it is learned from: tokenised, cased, cleaned, split, integer-coded."""

from tunesmith.corpus.bitext import Bitext
from tunesmith.corpus.sentences import Sentences

__all__ = ["Bitext", "Sentences"]
