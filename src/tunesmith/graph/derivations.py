"""`Derivations`: some derivations of every sentence of a pool, as their edges."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.graph_pool import GraphPool
from tunesmith.formats.nbest import NbestList, Texts


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

    def best_texts(self) -> list[str]:
        """The first derivation's words of every sentence; empty where there is none."""
        texts = self.texts
        return [texts[int(a)] if b > a else "" for a, b in pairwise(self.offsets)]

    def nbest(self) -> NbestList:
        """The derivations as an n-best list; features of templates (``template:what``) sparse."""
        _, _, offsets, ids, values = self._values
        names = np.array(self.pool.names, dtype=object)
        is_sparse = np.array([":" in name for name in self.pool.names], dtype=bool)
        place = np.where(is_sparse, np.cumsum(is_sparse) - 1, np.cumsum(~is_sparse) - 1)
        rows = np.repeat(np.arange(len(self)), np.diff(offsets))
        sparse = is_sparse[ids] if len(ids) else np.zeros(0, dtype=bool)
        dense = np.zeros((len(self), int((~is_sparse).sum())), dtype=np.float32)
        dense[rows[~sparse], place[ids[~sparse]]] = values[~sparse]
        counts = np.bincount(rows[sparse], minlength=len(self))
        return NbestList(
            offsets=self.offsets,
            texts=self.texts,
            dense=dense,
            dense_names=tuple(names[~is_sparse]),
            sparse_offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            sparse_ids=place[ids[sparse]].astype(np.uint32),
            sparse_values=values[sparse].astype(np.float32),
            sparse_names=tuple(names[is_sparse]),
            totals=self.scores,
        )

    @cached_property
    def _values(self) -> Any:
        return _core.graph_derivation_values(
            self.pool.native,
            self.pool.vocabulary.native,
            self.offsets,
            self.edge_offsets,
            self.edges,
            0,
        )
