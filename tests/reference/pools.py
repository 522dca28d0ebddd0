"""Random pools for property tests: small, with ties, constant features and sparse entries."""

import numpy as np

from tunesmith.base.pool import KBestPool


def random_pool(
    seed: int,
    *,
    sentences: int | None = None,
    hypotheses: int = 8,
    dense: int = 3,
    sparse: int = 4,
    order: int = 4,
    coarse: bool = False,
) -> KBestPool:
    """A pool with BLEU-like statistics: matches and totals by order, lengths.

    With `coarse` the features are small whole numbers, so that ties are common.
    """
    chance = np.random.default_rng(seed)
    count = sentences or int(chance.integers(1, 6))
    sizes = chance.integers(1, hypotheses + 1, size=count)
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    rows = int(offsets[-1])

    def draw(*shape):
        return chance.integers(-2, 3, size=shape) if coarse else chance.normal(size=shape)

    per_row = chance.integers(0, sparse + 1, size=rows) if sparse else np.zeros(rows, np.int64)
    ids = [np.sort(chance.choice(sparse, size=n, replace=False)) for n in per_row if n]
    sparse_ids = np.concatenate(ids) if ids else np.empty(0)
    lengths = chance.integers(order, 12, size=rows)
    totals = np.maximum(lengths[:, None] - np.arange(order), 0)
    matches = np.minimum.accumulate(
        np.minimum(chance.integers(0, 12, size=(rows, order)), totals), axis=1
    )
    references = np.repeat(chance.integers(order, 12, size=count), sizes)
    stats = np.column_stack([matches, totals, lengths, references])
    return KBestPool(
        offsets=offsets,
        dense=np.ascontiguousarray(draw(rows, dense), dtype=np.float32),
        dense_names=tuple(f"d{i}" for i in range(dense)),
        sparse_offsets=np.concatenate([[0], np.cumsum(per_row)]).astype(np.int64),
        sparse_ids=sparse_ids.astype(np.uint32),
        sparse_values=np.ascontiguousarray(draw(len(sparse_ids)), dtype=np.float32),
        sparse_names=tuple(f"s{i}" for i in range(sparse)),
        stats=np.ascontiguousarray(stats, dtype=np.int32),
        keys=np.arange(rows, dtype=np.uint64),
    )
