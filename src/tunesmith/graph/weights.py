"""Weights by name → the vector that native code takes."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.weights import Weights

#: By name, or a vector in the order of the pool's features.
GraphWeights = Mapping[str, float] | npt.NDArray[np.float64]


def weight_vector(
    pool: GraphPool, weights: GraphWeights, scale: float = 1.0
) -> npt.NDArray[np.float64]:
    """The weights of a pool's features in their order, times `scale`.

    A dense feature that has no weight is refused; most sparse ones are never seen by a tuner, and
    weigh nothing.
    """
    if isinstance(weights, np.ndarray):
        return scale * weights
    for name in pool.dense_names:
        if name not in weights:
            known = ", ".join(list(weights)[:5]) or "none"
            raise OptionError(f"the graphs' feature '{name}' has no weight (there are: {known})")
    vector = scale * Weights(weights).vector(pool.names)
    if not np.all(np.isfinite(vector)):
        raise OptionError(f"scale is {scale}: weights times it are not finite numbers")
    return vector
