"""Use weights on n-best lists."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from tunesmith.base.errors import InputError
from tunesmith.base.log import log
from tunesmith.base.weights import Weights
from tunesmith.formats.nbest import NbestList, Texts


def check_weights(nbest: NbestList, weights: Weights, path: str | Path) -> None:
    """Refuse weights that name no feature of the list; say which names do not match."""
    names = set(nbest.names)
    missing = [name for name in weights if name not in names]
    if len(missing) == len(weights):
        raise InputError(
            path, 0, f"weights of {', '.join(missing[:5])}",
            f"names of the list's features ({', '.join(nbest.names[:5])})",
        )  # fmt: skip
    if not any(weights[name] for name in weights if name in names):
        raise InputError(path, 0, "all weights are 0", "a weight that says something")
    if missing:
        log.warning("weights of features that the list does not have: %s", ", ".join(missing[:5]))
    unweighted = [name for name in nbest.dense_names if name not in weights]
    if unweighted:
        log.warning("features without a weight count nothing: %s", ", ".join(unweighted[:5]))


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
