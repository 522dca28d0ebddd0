"""Rows of different lengths in flat arrays: offsets say where each begins."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def starts(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Where each row begins, and where the last one ends.

    >>> starts(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    return np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(lengths, dtype=np.int64)])


def joined_offsets(parts: Iterable[npt.NDArray[Any]]) -> npt.NDArray[np.int64]:
    """The offsets of rows that follow one another, from the offsets of each part.

    >>> joined_offsets([np.array([0, 2]), np.array([0]), np.array([0, 0, 3])]).tolist()
    [0, 2, 2, 5]
    """
    lengths = [np.diff(part).astype(np.int64) for part in parts]
    return starts(np.concatenate([np.empty(0, np.int64), *lengths]))


def ranges(offsets: npt.NDArray[np.int64], chosen: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The indices of the items of the chosen rows, one row after the other.

    >>> ranges(np.array([0, 2, 2, 5]), np.array([2, 0])).tolist()
    [2, 3, 4, 0, 1]
    """
    lengths = offsets[chosen + 1] - offsets[chosen]
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    shifts: npt.NDArray[np.int64] = np.repeat(offsets[chosen] - (ends - lengths), lengths)
    return shifts + np.arange(total, dtype=np.int64)


def packed_names(names: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Names as one array of bytes; they hold no NUL (no reader lets one through)."""
    return np.frombuffer("".join(f"{name}\0" for name in names).encode(), dtype=np.uint8)


def unpacked_names(packed: npt.NDArray[np.uint8]) -> tuple[str, ...]:
    """The inverse of `packed_names`; a `ValueError` if they are none, or not distinct."""
    *names, rest = packed.tobytes().decode().split("\0")
    if rest or len(set(names)) != len(names):
        raise ValueError("names that are not distinct, or cut off")
    return tuple(names)
