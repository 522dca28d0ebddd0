"""`SearchOutput`: what the core's searches give back; the core keeps how it came about."""

from functools import cached_property
from typing import Self

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.derivation import Derivation, DerivationStep
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.decode.output import DecoderOutput, SparseArrays
from tunesmith.decode.output_arrays import OutputArrays
from tunesmith.model import TranslationModel

NativeOutput = _core.Translations | OutputArrays


class SearchOutput(DecoderOutput):
    """Translations, their steps and all features; `columns` are the dense ones that are used."""

    def __init__(
        self,
        native: NativeOutput,
        names: tuple[str, ...],
        columns: npt.NDArray[np.intp] | None = None,
        sparse_names: Vocabulary | None = None,
    ) -> None:
        features = native.features()
        if columns is not None:
            features = np.ascontiguousarray(features[:, columns])
        super().__init__(native.offsets(), native.texts(), native.scores(), features, names)
        self.native = native
        self.sparse_names = sparse_names
        work = native.work()
        self.pops: npt.NDArray[np.int64] = work[:, 0]
        self.discarded: npt.NDArray[np.int64] = work[:, 4]
        self.timed_out: npt.NDArray[np.bool_] = work[:, 3].astype(bool)

    @classmethod
    def of_model(cls, native: NativeOutput, model: TranslationModel) -> Self:
        """What a search with `model` found; `native` is the core's, or `OutputArrays`."""
        sparse = model.sparse_names if model.rule_features is not None else None
        if native.sparse_names is not None:
            sparse = Vocabulary.of_native(native.sparse_names)
        return cls(native, model.feature_names, model.used_columns, sparse)

    @cached_property
    def sparse(self) -> SparseArrays:
        """Sparse features: offsets [rows + 1], ids (of `sparse_names`, ascending), values."""
        return self.native.sparse()

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

    @cached_property
    def _steps(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        return self.native.steps()

    def _steps_of(self, row: int) -> npt.NDArray[np.int64]:
        offsets, steps = self._steps
        return steps[offsets[row] : offsets[row + 1]]

    def steps(self, row: int) -> tuple[DerivationStep, ...]:
        """The rules that made the translation in `row`, each behind those in its gaps."""
        return tuple(DerivationStep(*step) for step in self._steps_of(row).tolist())

    def has_copies(self, row: int) -> bool:
        """Whether words of the translation in `row` are copied or prescribed."""
        return bool((self._steps_of(row)[:, 5] < 0).any())

    def derivation(self, row: int) -> Derivation:
        """How the translation in `row` was made."""
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
            self.steps(row),
        )
