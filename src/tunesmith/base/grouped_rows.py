"""`GroupedRows`: what lists of hypotheses have in common, whatever else they hold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError, named
from tunesmith.base.ragged import starts


@dataclass(frozen=True, eq=False, repr=False)
class GroupedRows:
    """Rows of hypotheses by sentence, with dense and sparse features."""

    called: ClassVar[str]
    """What a person reads of the kind of list."""

    offsets: npt.NDArray[np.int64]
    """[sentences + 1] sentence s owns the rows offsets[s] to offsets[s + 1]."""
    dense: npt.NDArray[np.float32]
    """[rows, dense features]"""
    dense_names: tuple[str, ...]
    sparse_offsets: npt.NDArray[np.int64]
    """[rows + 1] row r owns the sparse entries sparse_offsets[r] to sparse_offsets[r + 1]."""
    sparse_ids: npt.NDArray[np.uint32]
    """Ascending within a row; positions in `sparse_names`."""
    sparse_values: npt.NDArray[np.float32]
    sparse_names: tuple[str, ...]

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    @property
    def rows(self) -> int:
        """The number of hypotheses of all sentences."""
        return int(self.offsets[-1])

    @property
    def names(self) -> tuple[str, ...]:
        """All feature names, in the order of a weight vector: the dense ones, then the sparse."""
        return self.dense_names + self.sparse_names

    def __repr__(self) -> str:
        return (
            f"<{self.called}: {self.sentences:,} sentences, {self.rows:,} hypotheses, "
            f"{len(self.names):,} features: {named(self.names) or 'none'}>"
        )

    def with_features(self, columns: Sequence[str] = (), drop: Sequence[str] = ()) -> Self:
        """The same with some of the features: `columns` (all if there are none) less `drop`."""
        if not columns and not drop:
            return self
        for name in (*columns, *drop):
            if name not in self.names:
                raise OptionError(f"no feature '{name}'; there are: {named(self.names)}")
        kept = {name for name in columns or self.names if name not in drop}
        dense = [place for place, name in enumerate(self.dense_names) if name in kept]
        sparse = [place for place, name in enumerate(self.sparse_names) if name in kept]
        ids = np.full(len(self.sparse_names), -1, dtype=np.int64)
        ids[sparse] = np.arange(len(sparse))
        taken = ids[self.sparse_ids] >= 0
        return replace(
            self,
            dense=np.ascontiguousarray(self.dense[:, dense]),
            dense_names=tuple(self.dense_names[place] for place in dense),
            sparse_offsets=starts(taken.astype(np.int64))[self.sparse_offsets],
            sparse_ids=ids[self.sparse_ids[taken]].astype(np.uint32),
            sparse_values=self.sparse_values[taken],
            sparse_names=tuple(self.sparse_names[place] for place in sparse),
        )
