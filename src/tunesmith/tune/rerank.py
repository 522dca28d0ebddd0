"""Use weights on n-best lists."""

from dataclasses import replace

import numpy as np

from tunesmith.base.weights import Weights
from tunesmith.formats.nbest import NbestList, Texts


def sorted_by(nbest: NbestList, weights: Weights) -> NbestList:
    """The list with every sentence's hypotheses best first; totals become the new scores."""
    scores = nbest.scores(weights)
    # Stable: of equals the first stays first.
    order = np.lexsort((-scores, nbest.sentence_ids()))
    lengths = np.diff(nbest.sparse_offsets)
    entries = np.concatenate(
        [np.arange(nbest.sparse_offsets[r], nbest.sparse_offsets[r + 1]) for r in order]
        or [np.empty(0, np.int64)]
    ).astype(np.int64)
    return replace(
        nbest,
        texts=Texts.of([nbest.texts[int(row)] for row in order]),
        dense=np.ascontiguousarray(nbest.dense[order]),
        sparse_offsets=np.concatenate([[0], np.cumsum(lengths[order])]).astype(np.int64),
        sparse_ids=nbest.sparse_ids[entries],
        sparse_values=nbest.sparse_values[entries],
        totals=scores[order],
        extras=None
        if nbest.extras is None
        else Texts.of([nbest.extras[int(row)] for row in order]),
    )
