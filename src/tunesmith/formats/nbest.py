"""N-best lists of any system: read into arrays by `read_nbest`, whatever their dialect.

The dialects, and what each may hold, are in docs/formats.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Literal, overload

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.feature_info import FeatureInfo, known_features, read_header
from tunesmith.formats.text import unpacked_blocks

OnBadLine = Literal["raise", "skip"]
ON_BAD_LINE = ("raise", "skip")
#: The names that `dialect` and ``--format`` take.
DIALECTS: tuple[str, ...] = tuple(_core.nbest_dialects())


class Texts(Sequence[str]):
    """Strings kept as one block of UTF-8 and decoded when asked for.

    >>> Texts.of(["a b", "", "c"])[0]
    'a b'
    """

    def __init__(self, data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> None:
        self.data, self.offsets = data, offsets

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Texts":
        """The same as an ordinary sequence."""
        encoded = [text.encode() for text in texts]
        offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"text {index} of {len(self)}")
        index %= len(self)
        return self.data[self.offsets[index] : self.offsets[index + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        # Pieces of bytes cost a tenth of pieces of an array.
        data = self.data.tobytes()
        return (data[begin:end].decode() for begin, end in pairwise(self.offsets.tolist()))


@dataclass(frozen=True, eq=False)
class NbestList:
    """The hypotheses of all sentences of a list, in its order, with their features.

    Rows are grouped by sentence: sentence s owns the rows offsets[s] to offsets[s + 1] (none only
    if bad lines were skipped). Sparse features are in compressed rows, as in `KBestPool`.
    """

    offsets: npt.NDArray[np.int64]
    texts: Texts
    dense: npt.NDArray[np.float32]
    """[rows, dense features]"""
    dense_names: tuple[str, ...]
    sparse_offsets: npt.NDArray[np.int64]
    sparse_ids: npt.NDArray[np.uint32]
    sparse_values: npt.NDArray[np.float32]
    sparse_names: tuple[str, ...]
    dialect: str = "tunesmith"
    """The dialect that the list was read from."""
    features: Mapping[str, FeatureInfo] = field(default_factory=dict)
    """What is known of a feature: base of its logarithm, length normalisation."""
    totals: npt.NDArray[np.float64] | None = None
    """[rows] the system's own total score; NaN where a line has none."""
    extras: Texts | None = None
    """[rows] alignment fields, as they stood."""
    skipped: int = 0
    """Bad lines that were left out."""

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
        """All feature names: the dense ones, then the sparse ones."""
        return self.dense_names + self.sparse_names

    def sentence_ids(self) -> npt.NDArray[np.uint32]:
        """[rows] the sentence that each hypothesis belongs to."""
        return np.repeat(np.arange(self.sentences, dtype=np.uint32), np.diff(self.offsets))

    def column(self, name: str) -> npt.NDArray[np.float32]:
        """[rows] the values of one feature, 0 where a hypothesis does not have it."""
        if name in self.dense_names:
            return self.dense[:, self.dense_names.index(name)]
        if name not in self.sparse_names:
            raise OptionError(f"no feature '{name}'; there are: {', '.join(self.names[:20])}")
        values = np.zeros(self.rows, dtype=np.float32)
        chosen = np.flatnonzero(self.sparse_ids == self.sparse_names.index(name))
        rows = np.searchsorted(self.sparse_offsets, chosen, side="right") - 1
        values[rows] = self.sparse_values[chosen]
        return values

    def scores(self, weights: Mapping[str, float]) -> npt.NDArray[np.float64]:
        """[rows] w · h of every hypothesis; features without a weight count nothing."""
        dense = np.array([weights.get(name, 0.0) for name in self.dense_names])
        scores: npt.NDArray[np.float64] = self.dense.astype(np.float64) @ dense
        if len(self.sparse_ids):
            sparse = np.array([weights.get(name, 0.0) for name in self.sparse_names])
            rows = np.repeat(np.arange(self.rows), np.diff(self.sparse_offsets))
            products = sparse[self.sparse_ids] * self.sparse_values
            scores += np.bincount(rows, weights=products, minlength=self.rows)
        return scores

    def best(self, weights: Mapping[str, float]) -> npt.NDArray[np.int64]:
        """[sentences] the row of the highest score, of equals the first; −1 for an empty list."""
        scores = self.scores(weights)
        best = np.full(self.sentences, -1, dtype=np.int64)
        for s, (begin, end) in enumerate(zip(self.offsets, self.offsets[1:], strict=False)):
            if end > begin:
                best[s] = begin + int(np.argmax(scores[begin:end]))
        return best


def read_nbest(
    path: str | Path,
    dialect: str = "auto",
    on_bad_line: OnBadLine = "raise",
    *,
    engine: EngineLike = ALL_CORES,
    dense: Sequence[str] = (),
    total: str = "",
) -> NbestList:
    """Read an n-best list: any dialect, plain or packed (gzip, xz), ``-`` for standard input.

    Parameters
    ----------
    path
        The file.
    dialect
        One of `DIALECTS`; ``"auto"`` looks at the first lines.
    on_bad_line
        ``"raise"`` refuses the file at its first bad line; ``"skip"`` leaves bad lines out, counts
        them in `NbestList.skipped` and says so.
    engine
        Who works, all cores by default; the result does not depend on it.
    dense
        Names of features that are dense even if the first lines do not show it; a hypothesis
        without one of them has 0.
    total
        The name under which the system's own total score becomes a feature (NMT systems' is
        divided by the length, so it is more than the sum of the others); by default it is none.
    """
    check_on_bad_line(on_bad_line)
    read = _core.read_nbest(
        str(path),
        unpacked_blocks(path),
        dialect,
        on_bad_line == "skip",
        as_engine(engine).threads,
        list(dense),
        total,
    )
    warn_of_skipped(path, read.skipped, read.lines)
    extras = None
    if read.extra_bytes is not None and read.extra_offsets is not None:
        extras = Texts(read.extra_bytes.view(np.uint8), read.extra_offsets)
    names = (*read.dense_names, *read.sparse_names)
    return NbestList(
        dialect=read.dialect,
        offsets=read.offsets,
        texts=Texts(read.text_bytes.view(np.uint8), read.text_offsets),
        dense=read.dense,
        dense_names=tuple(read.dense_names),
        sparse_offsets=read.sparse_offsets,
        sparse_ids=read.sparse_ids,
        sparse_values=read.sparse_values,
        sparse_names=tuple(read.sparse_names),
        features=known_features(read.dialect, names) | read_header(path, read.header),
        totals=read.totals,
        extras=extras,
        skipped=read.skipped,
    )


def check_on_bad_line(policy: str) -> None:
    """Refuse a policy that does not exist."""
    if policy not in ON_BAD_LINE:
        raise OptionError(f"on_bad_line is {policy!r}, expected one of: {', '.join(ON_BAD_LINE)}")


def warn_of_skipped(path: str | Path, skipped: int, lines: int) -> None:
    """Say how much of a file was left out."""
    if skipped:
        log.warning("%s: %s of %s lines skipped as bad", path, f"{skipped:,}", f"{lines:,}")
