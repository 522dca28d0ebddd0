"""Word links of a correction, by what the model itself knows of words.

A model directory has no aligner. Its rules of single words say how probable words are as each
other's translations; equal words, and words without any rule, get what is left. With these as its
lexicon an HMM (Vogel et al. 1996) of fixed jumps finds the links in both directions.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from tunesmith.align.model import AlignmentModel, Direction, LinkOptions, TranslationLexicon
from tunesmith.corpus import Bitext

Link = tuple[int, int]

# Probabilities: of words that no rule joins, of equal words (numbers, names) that none does, and of
# a word without a counterpart where the model knows words for it, or none.
UNJOINED = 1e-6
EQUAL = 0.5
NOTHING, NOTHING_NEW = 0.02, 1e-4
# A jump by d words weighs DECAY^|d − 1| + FAR; longer ones than REACH as those.
REACH, DECAY, FAR = 30, 0.55, 0.003
MOST_WORDS = 200


class WordLexicon(Protocol):
    """What a model knows of word pairs."""

    def pair(self, source: str, target: str) -> tuple[float, float]:
        """p(e | f) and p(f | e); 0 where no rule joins the words."""


def link_words(source: Sequence[str], target: Sequence[str], lexicon: WordLexicon) -> list[Link]:
    """The links of a sentence pair; positions count from 0."""
    text = Bitext.from_lines([" ".join(source)], [" ".join(target)], engine=1)
    words = [list(side.vocabulary) for side in (text.source, text.target)]
    both = np.array([lexicon.pair(f, e) for f in words[0] for e in words[1]], dtype=np.float64)
    forward, reverse = both.T.reshape(2, len(words[0]), len(words[1])).copy()
    new_source = ~(forward > 0).any(axis=1)
    new_target = ~(reverse > 0).any(axis=0)
    # A word that the model does not know may become any of those that it does not expect here.
    forward[new_source] = np.where(new_target, 1.0, 0.05) / max(1.0, new_target.sum())
    reverse[:, new_target] = (np.where(new_source, 1.0, 0.05) / max(1.0, new_source.sum()))[:, None]
    equal = np.array([[f == e for e in words[1]] for f in words[0]]).reshape(forward.shape)
    for side in (forward, reverse):
        side[equal] = np.maximum(side[equal], EQUAL)
        np.clip(side, UNJOINED, 1.0, out=side)
    rows, columns = forward.shape
    lexicon_arrays = TranslationLexicon(
        np.arange(rows + 1, dtype=np.uint64) * np.uint64(columns),
        np.tile(np.arange(columns, dtype=np.uint32), rows),
        forward.astype(np.float32).ravel(),
        reverse.astype(np.float32).ravel(),
        np.where(new_target, NOTHING_NEW, NOTHING).astype(np.float32),
        np.where(new_source, NOTHING_NEW, NOTHING).astype(np.float32),
    )
    model = AlignmentModel(
        text.source.vocabulary,
        text.target.vocabulary,
        lexicon_arrays,
        _direction(),
        _direction(),
        LinkOptions("grow-diag-final-and", 0.5, MOST_WORDS),
    )
    return model.align(text, engine=1)[0]


def _direction() -> Direction:
    jumps = DECAY ** np.abs(np.arange(-REACH - 1, REACH + 2) - 1) + FAR
    first = DECAY ** np.arange(REACH + 2) + FAR
    jumps, first = (one / one.sum() for one in (jumps, first))
    return Direction("hmm", 0.2, 4.0, jumps.astype(np.float32), first.astype(np.float32), 0.05)
