"""The natural size of every feature, so that one step size and one regulariser fit all."""

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.pool import KBestPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine


def feature_spread(pool: KBestPool, *, engine: EngineLike = ALL_CORES) -> npt.NDArray[np.float64]:
    """[features] how much each feature varies; 0 where it never does.

    A dense feature is measured by its pooled standard deviation within the sentences: only
    differences within a list can change a choice. Sparse features share one size, the root mean
    square of all their values, so that rare ones are not blown up.
    """
    dense = _core.dense_spread(pool.native, as_engine(engine).threads)
    # Rounding leaves specks of variance in constant features; they count as none.
    dense[dense <= 1e-6 * np.abs(pool.dense).max(axis=0, initial=0.0)] = 0.0
    sparse = _core.sparse_size(pool.native, as_engine(engine).threads)
    return np.concatenate([dense, np.full(len(pool.sparse_names), sparse)])


def feature_scale(
    pool: KBestPool,
    *,
    measured_on: KBestPool | None = None,
    engine: EngineLike = ALL_CORES,
) -> npt.NDArray[np.float64]:
    """[features] a size for each feature; dividing by it standardises the feature.

    That is its spread, in `pool` or in other lists of the same decoder; a feature that never
    varies keeps size 1.
    """
    spread = feature_spread(pool if measured_on is None else measured_on, engine=engine)
    if measured_on is not None:
        sizes = dict(zip(measured_on.names, spread, strict=True))
        shared = max(spread[len(measured_on.dense_names) :], default=0.0)
        dense = [sizes.get(name, 0.0) for name in pool.dense_names]
        spread = np.array([*dense, *[shared] * len(pool.sparse_names)])
    return np.where(spread > 0.0, spread, 1.0)
