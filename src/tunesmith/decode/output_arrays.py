"""`OutputArrays`: what phrase-based search found, as arrays that can travel and be joined."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.ragged import joined_offsets
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.decode.output import SparseArrays

StepArrays = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]


@dataclass(frozen=True)
class OutputArrays:
    """All that the core's output tells, with the names of its methods."""

    _offsets: npt.NDArray[np.int64]
    _texts: list[str]
    _scores: npt.NDArray[np.float64]
    _features: npt.NDArray[np.float64]
    _work: npt.NDArray[np.int64]
    _sparse: SparseArrays
    _steps: StepArrays
    _paths: StepArrays
    _sparse_names: tuple[str, ...] | None = None
    """Of the sparse features, where the model does not know them."""

    @classmethod
    def of(cls, native: "_core.Translations | OutputArrays") -> "OutputArrays":
        """Everything that a search found."""
        names = native.sparse_names
        return cls(
            native.offsets(),
            native.texts(),
            native.scores(),
            native.features(),
            native.work(),
            native.sparse(),
            native.steps(),
            native.paths(),
            None if names is None else tuple(Vocabulary.of_native(names)),
        )

    @classmethod
    def joined(cls, parts: Sequence["OutputArrays"]) -> "OutputArrays":
        """The sentences of the first, then those of the second, and so on."""
        names, sparse = _joined_sparse(parts)
        return cls(
            joined_offsets([part._offsets for part in parts]),
            [text for part in parts for text in part._texts],
            np.concatenate([part._scores for part in parts]),
            np.concatenate([part._features for part in parts]),
            np.concatenate([part._work for part in parts]),
            sparse,
            _joined_rows([part._steps for part in parts]),
            _joined_rows([part._paths for part in parts]),
            names,
        )

    @property
    def sparse_names(self) -> _core.StringIndex | None:
        """Of the ids of `sparse`; None where the model knows them."""
        return None if self._sparse_names is None else Vocabulary(self._sparse_names).native

    def offsets(self) -> npt.NDArray[np.int64]:
        """[sentences + 1] where the translations of each begin."""
        return self._offsets

    def texts(self) -> list[str]:
        """All translations."""
        return self._texts

    def scores(self) -> npt.NDArray[np.float64]:
        """Of each translation."""
        return self._scores

    def features(self) -> npt.NDArray[np.float64]:
        """[translations, dense features]"""
        return self._features

    def work(self) -> npt.NDArray[np.int64]:
        """[sentences, …] what the search did."""
        return self._work

    def sparse(self) -> SparseArrays:
        """Offsets [translations + 1], ids, values."""
        return self._sparse

    def steps(self) -> StepArrays:
        """Offsets [translations + 1], phrases."""
        return self._steps

    def paths(self) -> StepArrays:
        """Offsets [translations + 1], arcs of lattices."""
        return self._paths


def _joined_rows(parts: Sequence[StepArrays]) -> StepArrays:
    offsets, rows = zip(*parts, strict=True)
    return joined_offsets(offsets), np.concatenate(rows)


def _joined_sparse(
    parts: Sequence[OutputArrays],
) -> tuple[tuple[str, ...] | None, SparseArrays]:
    """The sparse features of all parts; their names in the order of their first appearance."""
    offsets = joined_offsets([part._sparse[0] for part in parts])
    values = np.concatenate([part._sparse[2] for part in parts])
    if any(part._sparse_names is None for part in parts):
        return None, (offsets, np.concatenate([part._sparse[1] for part in parts]), values)
    places: dict[str, int] = {}
    renamed = []
    for part in parts:
        new = [places.setdefault(name, len(places)) for name in part._sparse_names or ()]
        renamed.append(np.array(new, np.uint32)[part._sparse[1]])
    ids = np.concatenate(renamed)
    order = np.lexsort((ids, np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))))
    return tuple(places), (offsets, ids[order], values[order])
