"""What a decoder gives back: translations of all sentences as arrays, derivations on demand."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.base.weights import Weights

SparseArrays = tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32], npt.NDArray[np.float32]]


@dataclass(frozen=True)
class Step:
    """A phrase of a derivation: source words [begin, end) became target words."""

    begin: int
    end: int
    target_begin: int
    target_end: int
    table: int
    rule: int
    """The rule's number in its table; -1 for copied or prescribed words."""


@dataclass(frozen=True)
class Derivation:
    """One translation and how it came about."""

    text: str
    score: float
    features: dict[str, float]
    """All dense features, then the sparse ones that are not 0."""
    steps: tuple[Step, ...]

    def contributions(self, weights: Weights) -> dict[str, float]:
        """What each feature adds to the score."""
        return {name: weights.get(name, 0.0) * value for name, value in self.features.items()}


class DecoderOutput:
    """Translations, best first, of every sentence.

    Sentence s owns the rows ``offsets[s]`` to ``offsets[s + 1]`` of `texts`, `scores` and
    `features` (the dense ones, in the order of `names`); every sentence has at least one, unless
    its translation was prescribed.
    """

    def __init__(
        self,
        native: Any,
        names: tuple[str, ...],
        columns: npt.NDArray[np.intp] | None = None,
        sparse_names: Vocabulary | None = None,
    ) -> None:
        self._native = native
        self.names = names
        self.sparse_names = sparse_names
        self.offsets: npt.NDArray[np.int64] = native.offsets()
        self.texts: list[str] = native.texts()
        self.scores: npt.NDArray[np.float64] = native.scores()
        self.features: npt.NDArray[np.float64] = native.features()
        if columns is not None:
            self.features = np.ascontiguousarray(self.features[:, columns])
        work = native.work()
        self.pops: npt.NDArray[np.int64] = work[:, 0]
        self.discarded: npt.NDArray[np.int64] = work[:, 4]
        self.timed_out: npt.NDArray[np.bool_] = work[:, 3].astype(bool)
        self._steps: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None
        self.graphs: GraphPool | None = None
        """The search graphs, where they were asked for."""

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    def native_graphs(self) -> Any:
        """What the core made of the search graphs; can be had once."""
        return self._native.graphs()

    @cached_property
    def sparse(self) -> SparseArrays:
        """Sparse features: offsets [rows + 1], ids (of `sparse_names`, ascending), values."""
        offsets, ids, values = self._native.sparse()
        return offsets, ids, values

    def used_sparse(self) -> tuple[SparseArrays, list[str]]:
        """The same with ids of those features alone that occur here, and their names."""
        offsets, ids, values = self.sparse
        if self.sparse_names is None:
            return (offsets, ids, values), []
        occurs = np.zeros(len(self.sparse_names), dtype=bool)
        occurs[ids] = True
        places = np.cumsum(occurs, dtype=np.uint32) - np.uint32(1)
        names = [self.sparse_names.text(i) for i in np.flatnonzero(occurs).tolist()]
        return (offsets, places[ids], values), names

    def best(self) -> list[str]:
        """The best translation of every sentence."""
        return [self.texts[row] for row in self.offsets[:-1]]

    def derivation(self, row: int) -> Derivation:
        """How the translation in `row` was made."""
        if self._steps is None:
            self._steps = self._native.steps()
        offsets, steps = self._steps
        features = dict(zip(self.names, self.features[row].tolist(), strict=True))
        if self.sparse_names is not None:
            begin, end = self.sparse[0][row : row + 2]
            for i, value in zip(
                self.sparse[1][begin:end].tolist(), self.sparse[2][begin:end].tolist(), strict=True
            ):
                features[self.sparse_names.text(i)] = value
        return Derivation(
            self.texts[row],
            float(self.scores[row]),
            features,
            tuple(Step(*step) for step in steps[offsets[row] : offsets[row + 1]].tolist()),
        )

    def derivations(self, sentence: int) -> Iterator[Derivation]:
        """All derivations of a sentence, best first."""
        return map(self.derivation, range(self.offsets[sentence], self.offsets[sentence + 1]))
