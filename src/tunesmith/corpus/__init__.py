"""Text before it is learned from: tokenised, cased, cleaned, split, integer-coded."""

from tunesmith.corpus.bitext import Bitext, write_bitext
from tunesmith.corpus.clusters import WordClusters
from tunesmith.corpus.preparation import PreparedCorpus, PrepareOptions, prepare
from tunesmith.corpus.preprocess import Preprocessor
from tunesmith.corpus.sentences import Sentences

__all__ = [
    "Bitext",
    "PrepareOptions",
    "PreparedCorpus",
    "Preprocessor",
    "Sentences",
    "WordClusters",
    "prepare",
    "write_bitext",
]
