"""The embedded phrasebook: a German–English synchronous grammar that writes parallel corpora.

>>> from tunesmith.corpus.phrasebook import generate
>>> len(generate(10, seed=1))
10
"""

from tunesmith.corpus.phrasebook.generator import generate, pairs, write
from tunesmith.corpus.phrasebook.pair import Pair, detokenise

__all__ = ["Pair", "detokenise", "generate", "pairs", "write"]
