"""Weights as flat arrays that travel between machines, and what shards make of them together."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.ragged import packed_names, unpacked_names
from tunesmith.engine.reduction import reduced
from tunesmith.learn.epochs import BatchReport

Keys = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]
Singles = npt.NDArray[np.float32]
Names = npt.NDArray[np.object_]

#: Sparse features are known by so many bits: of 5 million features about ten share a weight, and a
#: key travels in three bytes.
KEY_BITS = 40


@dataclass(frozen=True)
class FlatWeights:
    """Dense weights in a fixed order, and sparse ones by key."""

    dense: Floats
    keys: Keys
    """Ascending."""
    values: Singles
    text: Floats = field(default_factory=lambda: np.zeros(0))
    """Mean statistics of the translations before, in whose text new ones are judged."""
    reports: tuple[BatchReport, ...] = ()
    """What became of the sentences in the pass that gave these weights."""
    names: Names = field(default_factory=lambda: np.empty(0, dtype=object))
    """Of the sparse features, where they have any."""

    @classmethod
    def of_dense(cls, dense: npt.ArrayLike) -> "FlatWeights":
        """Dense weights alone."""
        return cls(np.asarray(dense, np.float64), np.empty(0, np.uint64), np.empty(0, np.float32))

    def __reduce__(self) -> tuple[Any, ...]:
        """Differences of neighbouring keys travel, which are small; a byte's place compresses."""
        steps = np.diff(self.keys, prepend=np.uint64(0)).view(np.uint8).reshape(-1, 8)
        keys = zlib.compress(np.ascontiguousarray(steps.T).tobytes(), 1)
        names = zlib.compress(packed_names(self.names.tolist()).tobytes(), 1)
        return _received, (keys, names, self.dense, self.values, self.text, self.reports)


def _received(
    packed: bytes,
    names: bytes,
    dense: Floats,
    values: Singles,
    text: Floats,
    reports: tuple[BatchReport, ...],
) -> FlatWeights:
    steps = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(8, -1).T
    keys = np.cumsum(np.ascontiguousarray(steps).view(np.uint64).ravel(), dtype=np.uint64)
    unpacked = unpacked_names(np.frombuffer(zlib.decompress(names), np.uint8))
    return FlatWeights(dense, keys, values, text, reports, np.array(unpacked, dtype=object))


@dataclass(frozen=True)
class ColumnSums:
    """The columns of the matrix W = [w_1 | … | w_Z]ᵀ of the shards' weights, summed up.

    Its size grows with the features that any shard has, not with the number of shards.
    """

    rows: int
    dense: Floats
    keys: Keys
    sums: Floats
    squares: Floats
    """Of sparse features: the squared ℓ2 norms of their columns."""
    texts: int
    """Rows that have a text."""
    text: Floats
    reports: tuple[BatchReport, ...]
    names: Names

    @classmethod
    def of(cls, weights: FlatWeights) -> "ColumnSums":
        """One row."""
        values = weights.values.astype(np.float64)
        return cls(
            rows=1,
            dense=weights.dense,
            keys=weights.keys,
            sums=values,
            squares=values * values,
            texts=int(len(weights.text) > 0),
            text=weights.text,
            reports=weights.reports,
            names=weights.names,
        )

    def __add__(self, other: "ColumnSums") -> "ColumnSums":
        """The rows of both."""
        places = np.searchsorted(self.keys, other.keys)
        shared = np.zeros(len(other.keys), bool)
        inside = places < len(self.keys)
        shared[inside] = self.keys[places[inside]] == other.keys[inside]

        def joined(own: Floats, others: Floats) -> Floats:
            both = own.copy()
            both[places[shared]] += others[shared]
            return np.insert(both, places[~shared], others[~shared])

        return ColumnSums(
            rows=self.rows + other.rows,
            dense=self.dense + other.dense,
            keys=np.insert(self.keys, places[~shared], other.keys[~shared]),
            sums=joined(self.sums, other.sums),
            squares=joined(self.squares, other.squares),
            texts=self.texts + other.texts,
            text=_sum_of_texts(self.text, other.text),
            reports=self.reports + other.reports,
            names=np.insert(self.names, places[~shared], other.names[~shared])
            if len(other.names)
            else self.names,
        )

    def average(self) -> FlatWeights:
        """1/Z Σ_z w_z."""
        return self._averaged(np.flatnonzero(self.sums))

    def selected(self, count: int) -> FlatWeights:
        """The same for the `count` sparse features of the largest ℓ2 norm; of equals, lower keys.

        Dense features always stay.
        """
        best = np.lexsort((self.keys, -self.squares))[:count]
        best.sort()
        return self._averaged(best[self.sums[best] != 0.0])

    def _averaged(self, kept: npt.NDArray[np.intp]) -> FlatWeights:
        values = (self.sums[kept] / self.rows).astype(np.float32)
        return FlatWeights(
            self.dense / self.rows,
            self.keys[kept],
            values,
            self.text / max(self.texts, 1),
            self.reports,
            self.names[kept] if len(self.names) else self.names,
        )


def _sum_of_texts(one: Floats, other: Floats) -> Floats:
    """A shard that has learned nothing has none."""
    if not len(one) or not len(other):
        return one if len(one) else other
    return one + other


def average(rows: Iterable[FlatWeights]) -> FlatWeights:
    """The mean of some weights."""
    return reduced(map(ColumnSums.of, rows), ColumnSums.__add__).average()
