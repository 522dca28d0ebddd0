"""`Derivations`: some derivations of every sentence of a pool, as their edges."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.graph_pool import GraphPool
from tunesmith.formats.nbest import NbestList, Texts

DerivationValues = tuple[
    npt.NDArray[np.uint8],
    npt.NDArray[np.int64],
    npt.NDArray[np.int64],
    npt.NDArray[np.uint32],
    npt.NDArray[np.float64],
]
"""Bytes of all texts, where each begins, where the features of each begin, ids, values."""


@dataclass(frozen=True, eq=False)
class Derivations:
    """Derivations, best first; sentence s owns the rows offsets[s] to offsets[s + 1].

    A sentence without a graph has none.
    """

    pool: GraphPool
    offsets: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]
    """[rows] w · h"""
    edge_offsets: npt.NDArray[np.int64]
    """[rows + 1]"""
    edges: npt.NDArray[np.uint32]
    """Counted from the sentence's first; each after the derivations of its tails, in order."""

    def __len__(self) -> int:
        """The number of derivations."""
        return len(self.scores)

    @property
    def texts(self) -> Texts:
        """[rows] the words of each derivation, joined by blanks."""
        return Texts(*self._values[:2])

    @cached_property
    def features(self) -> list[dict[str, float]]:
        """[rows] the features of each derivation that are not 0."""
        _, _, offsets, ids, values = self._values
        names = self.pool.names
        return [
            {
                names[i]: value
                for i, value in zip(ids[a:b].tolist(), values[a:b].tolist(), strict=True)
            }
            for a, b in pairwise(offsets)
        ]

    def feature_sum(
        self, coefficients: npt.NDArray[np.float64]
    ) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.float64]]:
        """Σ_k c_k Φ_k over all rows: features of the pool, ascending, and their values."""
        _, _, offsets, ids, values = self._values
        rows = np.repeat(np.arange(len(self)), np.diff(offsets))
        met, places = np.unique(ids, return_inverse=True)
        return met, np.bincount(places, coefficients[rows] * values, len(met)).astype(np.float64)

    def best_texts(self) -> list[str]:
        """The first derivation's words of every sentence; empty where there is none."""
        texts = self.texts
        return [texts[int(a)] if b > a else "" for a, b in pairwise(self.offsets)]

    def nbest(self) -> NbestList:
        """The derivations as an n-best list."""
        _, _, offsets, ids, values = self._values
        size = self.pool.dense_size
        rows = np.repeat(np.arange(len(self)), np.diff(offsets))
        sparse = ids >= size
        dense = np.zeros((len(self), size), dtype=np.float32)
        dense[rows[~sparse], ids[~sparse]] = values[~sparse]
        counts = np.bincount(rows[sparse], minlength=len(self))
        return NbestList(
            offsets=self.offsets,
            texts=self.texts,
            dense=dense,
            dense_names=self.pool.dense_names,
            sparse_offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            sparse_ids=ids[sparse] - np.uint32(size),
            sparse_values=values[sparse].astype(np.float32),
            sparse_names=self.pool.sparse_names,
            totals=self.scores,
        )

    @cached_property
    def _values(self) -> DerivationValues:
        return _core.graph_derivation_values(
            self.pool.native,
            self.pool.vocabulary.native,
            self.offsets,
            self.edge_offsets,
            self.edges,
            0,
        )
