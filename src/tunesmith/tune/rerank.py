"""Use weights on n-best lists."""

from dataclasses import replace

import numpy as np

from tunesmith.base.weights import Weights
from tunesmith.formats.nbest import NbestList


def sorted_by(nbest: NbestList, weights: Weights) -> NbestList:
    """The list with every sentence's hypotheses best first; totals become the new scores."""
    scores = nbest.scores(weights)
    # Stable: of equals the first stays first.
    order = np.lexsort((-scores, nbest.sentence_ids()))
    return replace(nbest.of_rows(order), totals=scores[order])
