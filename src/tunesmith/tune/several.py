"""Several pools as one: weights that are good for all of several sets of sentences."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.pool import KBestPool
from tunesmith.metrics.base import Metric
from tunesmith.metrics.combined import Combined


def join_pools(
    pools: Sequence[KBestPool], metric: Metric, weights: Sequence[float] | None = None
) -> tuple[KBestPool, Combined]:
    """A pool of all sentences, and a metric that scores each pool by itself.

    The metric is the weighted mean of the pools' own corpus scores (of gains, so that higher is
    better whatever the metric), so a large set does not drown a small one, as it would if the
    lists were simply read together. Every tuner takes the two as any pool and any metric.

    Parameters
    ----------
    pools
        With the same dense features, in any order, and the statistics of `metric`.
    metric
        What each pool is scored by.
    weights
        What each pool counts; equal by default.
    """
    if not pools:
        raise OptionError("no pools to join")
    shares = np.ones(len(pools)) if weights is None else np.asarray(weights, dtype=np.float64)
    if len(shares) != len(pools):
        raise OptionError(f"{len(pools)} pools, but {len(shares)} weights")
    names = pools[0].dense_names
    for number, pool in enumerate(pools):
        if set(pool.dense_names) != set(names):
            odd = sorted(set(pool.dense_names) ^ set(names))[0]
            raise OptionError(f"pools 0 and {number} differ in dense features: '{odd}'")
        if pool.stats.shape[1] != metric.size:
            raise OptionError(f"pool {number} has statistics of another metric than {metric.name}")
    combined = Combined([metric] * len(pools), list(shares / shares.sum()))
    sparse_names = tuple(dict.fromkeys(name for pool in pools for name in pool.sparse_names))
    sparse_ids, sparse_values = _sparse_entries(pools, sparse_names)
    return (
        KBestPool(
            offsets=_joined([pool.offsets for pool in pools]),
            dense=np.concatenate([_reordered(pool, names) for pool in pools]),
            dense_names=names,
            sparse_offsets=_joined([pool.sparse_offsets for pool in pools]),
            sparse_ids=sparse_ids,
            sparse_values=sparse_values,
            sparse_names=sparse_names,
            stats=_side_by_side(pools, metric.size),
            keys=np.concatenate([pool.keys for pool in pools]),
        ),
        combined,
    )


def _joined(starts: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    lengths = np.concatenate([np.diff(part) for part in starts])
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])


def _reordered(pool: KBestPool, names: tuple[str, ...]) -> npt.NDArray[np.float32]:
    place = {name: i for i, name in enumerate(pool.dense_names)}
    return pool.dense[:, [place[name] for name in names]]


def _sparse_entries(
    pools: Sequence[KBestPool], names: tuple[str, ...]
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
    """Ids over all names, ascending within each row again, and their values."""
    place = {name: i for i, name in enumerate(names)}
    ids, values = [], []
    for pool in pools:
        new = np.array([place[name] for name in pool.sparse_names], dtype=np.uint32)
        renamed = new[pool.sparse_ids] if len(new) else pool.sparse_ids
        rows = np.repeat(np.arange(pool.rows), np.diff(pool.sparse_offsets))
        order = np.lexsort((renamed, rows))
        ids.append(renamed[order])
        values.append(pool.sparse_values[order])
    return np.concatenate(ids), np.concatenate(values)


def _side_by_side(pools: Sequence[KBestPool], size: int) -> npt.NDArray[np.int32]:
    """Each pool's statistics in its own columns, zeros in those of the others."""
    rows = np.cumsum([0, *(pool.rows for pool in pools)])
    stats = np.zeros((rows[-1], size * len(pools)), dtype=np.int32)
    for number, (pool, (begin, end)) in enumerate(zip(pools, pairwise(rows), strict=True)):
        stats[begin:end, number * size : (number + 1) * size] = pool.stats
    return stats
