"""Vectors of which most values are 0, as numbers of places and values."""

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
PackedVector: TypeAlias = tuple[int, npt.NDArray[np.uint32] | None, Floats]
"""Length, places (None: all of them) and values."""


def packed_vector(vector: Floats) -> PackedVector:
    """`vector` in as few bytes as it takes, 12 for a value that is not 0, or 8 for any.

    >>> packed_vector(np.array([0.0, 0.0, 2.5]))
    (3, array([2], dtype=uint32), array([2.5]))
    """
    vector = np.ascontiguousarray(vector, np.float64)
    # -0.0 is 0 to numpy; bit for bit it is not.
    places = np.flatnonzero(vector.view(np.uint64))
    if 3 * len(places) >= 2 * len(vector):
        return len(vector), None, vector
    return len(vector), places.astype(np.uint32), vector[places]


def unpacked_vector(size: int, places: Any, values: Floats) -> Floats:
    """The vector again, bit for bit."""
    if places is None:
        return values
    vector = np.zeros(size)
    vector[places] = values
    return vector
