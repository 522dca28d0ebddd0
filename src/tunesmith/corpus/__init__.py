"""Text before it is learned from: tokenised, cased, cleaned, split, integer-coded."""

from tunesmith.corpus.bitext import Bitext, write_bitext
from tunesmith.corpus.preprocess import Preprocessor
from tunesmith.corpus.sentences import Sentences

__all__ = ["Bitext", "Preprocessor", "Sentences", "write_bitext"]
