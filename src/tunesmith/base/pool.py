"""`KBestPool`: what a tuner sees of k-best lists, as plain arrays over all sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import contents_of, read_arrays, write_arrays
from tunesmith.base.errors import OptionError, kind_of
from tunesmith.base.grouped_rows import GroupedRows
from tunesmith.base.ragged import packed_names, ranges, starts, unpacked_names
from tunesmith.base.texts import Texts

FILE_KIND, FILE_VERSION = "pool", 1


@dataclass(frozen=True, eq=False, repr=False)
class KBestPool(GroupedRows):
    """Hypotheses of all sentences: features, metric statistics, and where each sentence begins.

    A weight vector over the pool has the weights of `dense_names` first, then of `sparse_names`
    (`names`). Every sentence has at least one hypothesis.
    """

    called: ClassVar[str] = "pool"

    stats: npt.NDArray[np.int32]
    """[rows, statistics of the metric]"""
    keys: npt.NDArray[np.uint64]
    """[rows] what makes a hypothesis distinct within its sentence: a hash of text and features."""
    texts: Texts | None = None
    """[rows] the hypotheses themselves; None if they were not kept."""

    @cached_property
    def native(self) -> _core.PoolArrays:
        """The checked native view that the tuners' inner loops take."""
        return _core.PoolArrays(
            np.ascontiguousarray(self.offsets, np.int64),
            np.ascontiguousarray(self.dense, np.float32),
            np.ascontiguousarray(self.sparse_offsets, np.int64),
            np.ascontiguousarray(self.sparse_ids, np.uint32),
            np.ascontiguousarray(self.sparse_values, np.float32),
            len(self.sparse_names),
            np.ascontiguousarray(self.stats, np.int32),
        )

    def scores(self, weights: npt.ArrayLike, *, threads: int = 0) -> npt.NDArray[np.float64]:
        """[rows] w · h of every hypothesis."""
        return self.native.scores(self._vector(weights), threads)

    def best(self, weights: npt.ArrayLike, *, threads: int = 0) -> npt.NDArray[np.int64]:
        """[sentences] the row of each sentence's highest score; of equals the first."""
        return self.native.best(self._vector(weights), threads)

    def _vector(self, weights: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Numbers in the order of `names`; anything else is refused."""
        try:
            vector = np.ascontiguousarray(weights, dtype=np.float64)
        except (TypeError, ValueError):
            raise OptionError(f"weights are {kind_of(weights)}, expected numbers") from None
        if vector.shape != (len(self.names),):
            raise OptionError(
                f"weights of shape {vector.shape}, expected one for each of the "
                f"{len(self.names):,} features"
            )
        return vector

    def stats_of(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The summed statistics of chosen rows."""
        sums: npt.NDArray[np.int64] = self.stats[rows].sum(axis=0, dtype=np.int64)
        return sums

    def select(self, sentences: Sequence[int] | npt.NDArray[np.integer[Any]]) -> "KBestPool":
        """The pool of some of the sentences (a split for held-out estimates, say)."""
        chosen = np.asarray(sentences, dtype=np.int64)
        return self._of_rows(ranges(self.offsets, chosen), np.diff(self.offsets)[chosen])

    def without(self, rows: npt.NDArray[np.int64]) -> "KBestPool":
        """The pool without some hypotheses; a sentence that would lose all keeps all."""
        kept = np.ones(self.rows, dtype=np.int64)
        kept[rows] = 0
        sizes = np.diff(self.offsets)
        kept[np.repeat(np.add.reduceat(kept, self.offsets[:-1]) == 0, sizes)] = 1
        return self._of_rows(np.flatnonzero(kept), np.add.reduceat(kept, self.offsets[:-1]))

    def _of_rows(self, rows: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64]) -> "KBestPool":
        """The pool of chosen rows; `sizes` are those of its sentences."""
        entries = ranges(self.sparse_offsets, rows)
        return KBestPool(
            offsets=starts(sizes),
            dense=np.ascontiguousarray(self.dense[rows]),
            dense_names=self.dense_names,
            sparse_offsets=starts(np.diff(self.sparse_offsets)[rows]),
            sparse_ids=self.sparse_ids[entries],
            sparse_values=self.sparse_values[entries],
            sparse_names=self.sparse_names,
            stats=np.ascontiguousarray(self.stats[rows]),
            keys=self.keys[rows],
            texts=None if self.texts is None else self.texts.take(rows),
        )

    def dense_only(self) -> "KBestPool":
        """The same hypotheses without their sparse features (no copy of the dense ones)."""
        return replace(
            self,
            sparse_offsets=np.zeros(self.rows + 1, dtype=np.int64),
            sparse_ids=np.empty(0, dtype=np.uint32),
            sparse_values=np.empty(0, dtype=np.float32),
            sparse_names=(),
        )

    def scaled(self, factors: npt.NDArray[np.float64]) -> "KBestPool":
        """The pool with every feature multiplied by its factor (in the order of `names`)."""
        dense_factors = factors[: len(self.dense_names)].astype(np.float32)
        sparse_factors = factors[len(self.dense_names) :].astype(np.float32)
        return replace(
            self,
            dense=self.dense * dense_factors,
            sparse_values=self.sparse_values * sparse_factors[self.sparse_ids],
        )

    @classmethod
    def from_native(cls, parts: _core.PoolParts) -> "KBestPool":
        """A pool of what the core made."""
        return cls(
            offsets=parts.offsets,
            dense=parts.dense,
            dense_names=tuple(parts.dense_names),
            sparse_offsets=parts.sparse_offsets,
            sparse_ids=parts.sparse_ids,
            sparse_values=parts.sparse_values,
            sparse_names=tuple(parts.sparse_names),
            stats=parts.stats,
            keys=parts.keys,
            texts=None
            if parts.text_bytes is None or parts.text_offsets is None
            else Texts(parts.text_bytes.view(np.uint8), parts.text_offsets),
        )

    def save(self, path: str | Path) -> None:
        """Write the pool to one file, without its texts."""
        write_arrays(path, FILE_KIND, FILE_VERSION, self._arrays())

    def _arrays(self) -> Mapping[str, npt.NDArray[Any]]:
        return {
            "offsets": self.offsets,
            "dense": self.dense,
            "dense_names": packed_names(self.dense_names),
            "sparse_offsets": self.sparse_offsets,
            "sparse_ids": self.sparse_ids,
            "sparse_values": self.sparse_values,
            "sparse_names": packed_names(self.sparse_names),
            "stats": self.stats,
            "keys": self.keys,
        }

    @classmethod
    def load(cls, path: str | Path) -> "KBestPool":
        """Map a saved pool into memory; what it holds is checked."""
        arrays = read_arrays(path, FILE_KIND, FILE_VERSION, ARRAYS)
        parts: dict[str, Any] = {name: arrays[name] for name in ARRAYS}
        with contents_of(path, "a whole pool"):
            for key in ("dense_names", "sparse_names"):
                parts[key] = unpacked_names(parts[key])
            pool = cls(**parts)
            pool.native  # noqa: B018 - the check
            if pool.dense.shape[1] != len(pool.dense_names) or len(pool.keys) != pool.rows:
                raise ValueError("names or keys of other hypotheses")
            if not all(map(_is_finite, (pool.dense, pool.sparse_values))):
                raise ValueError("a feature that is not a finite number")
        return pool


ARRAYS: dict[str, tuple[type, int]] = {
    "offsets": (np.int64, 1),
    "dense": (np.float32, 2),
    "dense_names": (np.uint8, 1),
    "sparse_offsets": (np.int64, 1),
    "sparse_ids": (np.uint32, 1),
    "sparse_values": (np.float32, 1),
    "sparse_names": (np.uint8, 1),
    "stats": (np.int32, 2),
    "keys": (np.uint64, 1),
}
"""The arrays of a file: types of their elements and numbers of dimensions."""


def _is_finite(values: npt.NDArray[np.float32]) -> bool:
    """Whether all are; without an array of answers, for pools are large."""
    with np.errstate(invalid="ignore"):
        return bool(np.isfinite(values.sum(dtype=np.float64)))
