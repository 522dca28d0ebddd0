"""`NbestList`: the hypotheses of all sentences in arrays, with texts, features and sources."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError, named
from tunesmith.base.grouped_rows import GroupedRows
from tunesmith.base.ragged import ranges, starts
from tunesmith.base.texts import Texts
from tunesmith.formats.feature_info import FeatureInfo


@dataclass(frozen=True, eq=False)
class SentenceList:
    """The hypotheses of one sentence, all of them and in their order."""

    sentence: int
    """Its number, from 0."""
    id: str
    """What the list calls it."""
    source: str | None
    """What was translated; None if nobody said."""
    texts: list[str]
    dense: npt.NDArray[np.float32]
    """[hypotheses, dense features]"""
    dense_names: tuple[str, ...]

    def column(self, name: str) -> npt.NDArray[np.float32]:
        """[hypotheses] the values of a dense feature."""
        if name not in self.dense_names:
            raise OptionError(f"no feature '{name}'; there are: {named(self.dense_names, 20)}")
        return self.dense[:, self.dense_names.index(name)]

    def __len__(self) -> int:
        return len(self.texts)


@dataclass(frozen=True, eq=False, repr=False)
class NbestList(GroupedRows):
    """The hypotheses of all sentences of a list, in its order, with their features.

    Rows are grouped by sentence: sentence s owns the rows offsets[s] to offsets[s + 1] (none only
    if bad lines were skipped). Sparse features are in compressed rows, as in `KBestPool`.
    """

    called: ClassVar[str] = "n-best list"

    texts: Texts
    """[rows] the hypotheses themselves."""
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
    ids: Texts | None = None
    """[sentences] what the list calls them; None if that is their number, from 0."""
    sources: Texts | None = None
    """[sentences] what was translated; None if nobody said."""
    references: Texts | None = None
    """[sentences] the translations that the list itself brings; None if it has none."""

    def __getitem__(self, sentence: int) -> SentenceList:
        """The whole list of one sentence."""
        if not 0 <= sentence < self.sentences:
            raise IndexError(f"sentence {sentence} of {self.sentences}")
        begin, end = int(self.offsets[sentence]), int(self.offsets[sentence + 1])
        return SentenceList(
            sentence,
            str(sentence) if self.ids is None else self.ids[sentence],
            None if self.sources is None else self.sources[sentence],
            self.texts[begin:end],
            self.dense[begin:end],
            self.dense_names,
        )

    def __iter__(self) -> Iterator[SentenceList]:
        return (self[sentence] for sentence in range(self.sentences))

    def with_sources(self, sources: Sequence[str]) -> "NbestList":
        """The list with what was translated, a line for every sentence."""
        if len(sources) != self.sentences:
            raise OptionError(
                f"{len(sources):,} source sentences for a list of {self.sentences:,}, expected "
                "one for each"
            )
        return replace(self, sources=sources if isinstance(sources, Texts) else Texts.of(sources))

    @property
    def own_references(self) -> list[list[str]]:
        """The reference translations that it brings, as `read_references` has them; none or one."""
        return [] if self.references is None else [list(self.references)]

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

    def texts_at(self, rows: npt.NDArray[np.int64]) -> list[str]:
        """The texts of rows, one for every sentence; an empty one for −1."""
        return [self.texts[row] if row >= 0 else "" for row in rows.tolist()]

    def of_rows(self, rows: npt.NDArray[np.int64]) -> "NbestList":
        """The same sentences with their hypotheses in another order: `rows`, grouped as before."""
        entries = ranges(self.sparse_offsets, rows)
        return replace(
            self,
            texts=self.texts.take(rows),
            dense=np.ascontiguousarray(self.dense[rows]),
            sparse_offsets=starts(np.diff(self.sparse_offsets)[rows]),
            sparse_ids=self.sparse_ids[entries],
            sparse_values=self.sparse_values[entries],
            totals=None if self.totals is None else self.totals[rows],
            extras=None if self.extras is None else self.extras.take(rows),
        )
