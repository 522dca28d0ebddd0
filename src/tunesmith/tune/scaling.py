"""The natural size of every feature, so that one step size and one regulariser fit all."""

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.pool import KBestPool


def feature_scale(pool: KBestPool, *, threads: int = 1) -> npt.NDArray[np.float64]:
    """[features] a size for each feature; dividing by it standardises the feature.

    A dense feature is measured by its pooled standard deviation within the sentences: only
    differences within a list can change a choice. Sparse features share one size, the root mean
    square of all their values, so that rare ones are not blown up. A feature that never varies
    keeps size 1.
    """
    dense = _core.dense_spread(pool.native, threads)
    # Rounding leaves specks of variance in constant features; they count as none.
    dense[dense <= 1e-6 * np.abs(pool.dense).max(axis=0, initial=0.0)] = 1.0
    sparse = _core.sparse_size(pool.native, threads) or 1.0
    return np.concatenate([dense, np.full(len(pool.sparse_names), sparse)])
