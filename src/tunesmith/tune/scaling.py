"""The natural size of every feature, so that one step size and one regulariser fit all."""

import numpy as np
import numpy.typing as npt

from tunesmith.base.pool import KBestPool


def feature_scale(pool: KBestPool) -> npt.NDArray[np.float64]:
    """[features] a size for each feature; dividing by it standardises the feature.

    A dense feature is measured by its pooled standard deviation within the sentences: only
    differences within a list can change a choice. Sparse features share one size, the root mean
    square of all their values, so that rare ones are not blown up. A feature that never varies
    keeps size 1.
    """
    counts = np.diff(pool.offsets)
    values = pool.dense.astype(np.float64)
    means = np.add.reduceat(values, pool.offsets[:-1], axis=0) / counts[:, None]
    values -= np.repeat(means, counts, axis=0)
    dense = np.sqrt((values**2).mean(axis=0))
    # Rounding leaves specks of variance in constant features; they count as none.
    magnitude = np.abs(pool.dense).max(axis=0, initial=0.0)
    dense[dense <= 1e-6 * magnitude] = 1.0
    dense[dense == 0.0] = 1.0
    sparse = 1.0
    if pool.sparse_values.size:
        sparse = float(np.sqrt(np.mean(pool.sparse_values.astype(np.float64) ** 2))) or 1.0
    return np.concatenate([dense, np.full(len(pool.sparse_names), sparse)])
