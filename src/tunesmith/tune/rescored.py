"""A pool of lists that are in memory with their texts, as those with computed features are."""

from collections.abc import Sequence

import numpy as np

from tunesmith.base.errors import OptionError
from tunesmith.base.pool import KBestPool
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.nbest import NbestList
from tunesmith.metrics.base import Metric
from tunesmith.tune.pool import PoolBuilder


def pool_of(
    nbest: NbestList,
    references: Sequence[Sequence[str]],
    metric: Metric,
    *,
    drop_sparse: bool = False,
    engine: EngineLike = ALL_CORES,
) -> KBestPool:
    """The pool of a list: `read_pool` of one that has been read already."""
    if references and len(references[0]) != nbest.sentences:
        raise OptionError(
            f"lists of {nbest.sentences:,} sentences, but references of {len(references[0]):,}"
        )
    builder = PoolBuilder(metric, references, engine=engine, drop_sparse=drop_sparse)
    builder.add(
        nbest.sentence_ids(),
        list(nbest.texts),
        nbest.dense,
        nbest.dense_names,
        (
            np.zeros(nbest.rows + 1) if drop_sparse else nbest.sparse_offsets,
            () if drop_sparse else nbest.sparse_ids,
            () if drop_sparse else nbest.sparse_values,
        ),
        () if drop_sparse else nbest.sparse_names,
    )
    return builder.finish()
