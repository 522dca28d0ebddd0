"""Lists of several systems as one: who has an entry is a feature, and so is every system's score.

An entry that several systems have is one row with the scores of all of them. Features are renamed
``SYSTEM.feature``; ``system:SYSTEM`` is 1 where the system has the entry, ``first:SYSTEM`` where it
is the system's own choice (left out where a system has one entry per sentence: it would be the
same). A score of a system that does not have the entry is imputed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.ragged import ranges, starts
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.feature_info import FeatureInfo
from tunesmith.formats.nbest import NbestList, Texts
from tunesmith.formats.text import read_lines

SYSTEM, FIRST = "system:", "first:"
#: What stands for a missing score: of the same feature, over the entries of the sentence that have
#: it (over all entries where none has), the mean, the lowest value or the highest; or 0.
MISSING = ("mean", "lowest", "highest", "zero")

Rows = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def merge_systems(
    systems: Mapping[str, NbestList], *, missing: str = "mean", engine: EngineLike = ALL_CORES
) -> NbestList:
    """One list of the lists of several systems, which are of the same sentences.

    The entries of a sentence are in the order of the systems, then in that of their lists.
    """
    if missing not in MISSING:
        raise OptionError(f"missing is '{missing}', expected one of: {', '.join(MISSING)}")
    _check(systems)
    merged = _Merged.of(list(systems.values()), engine)
    values = [*_scores(systems, merged, missing)]
    dense = np.column_stack([column for _, column in values]).astype(np.float32)
    sparse_offsets, sparse_ids, sparse_values = _sparse(list(systems.values()), merged)
    return NbestList(
        offsets=merged.offsets,
        texts=merged.texts,
        dense=dense,
        dense_names=tuple(name for name, _ in values),
        sparse_offsets=sparse_offsets,
        sparse_ids=sparse_ids,
        sparse_values=sparse_values,
        sparse_names=tuple(
            f"{system}.{name}" for system, lists in systems.items() for name in lists.sparse_names
        ),
        features=_infos(systems),
        sources=next((one.sources for one in systems.values() if one.sources is not None), None),
        references=next(
            (one.references for one in systems.values() if one.references is not None), None
        ),
    )


def _check(systems: Mapping[str, NbestList]) -> None:
    if len(systems) < 2:
        count = "1 system" if systems else "no systems"
        raise OptionError(f"{count}, expected two or more to merge")
    sizes = {name: lists.sentences for name, lists in systems.items()}
    if len(set(sizes.values())) > 1:
        shown = ", ".join(f"{name} {size:,}" for name, size in sizes.items())
        raise OptionError(f"lists of different numbers of sentences: {shown}")
    for name in systems:
        if not name or any(c.isspace() or c in "=:" for c in name):
            raise OptionError(f"system '{name}', expected a name without spaces, '=' and ':'")


@dataclass(frozen=True)
class _Merged:
    """Where the rows of all systems are in the merged list."""

    offsets: Rows
    texts: Texts
    places: list[Rows]
    """Of each system, the merged row of each of its rows."""

    @classmethod
    def of(cls, lists: Sequence[NbestList], engine: EngineLike) -> "_Merged":
        sentences = np.concatenate([one.sentence_ids() for one in lists]).astype(np.int64)
        order = np.argsort(sentences, kind="stable")
        every = [text for one in lists for text in one.texts]
        texts = Texts.of([every[row] for row in order.tolist()])
        offsets = starts(np.bincount(sentences, minlength=lists[0].sentences))
        first = _core.first_equal_texts(
            texts.data, texts.offsets, offsets, as_engine(engine).threads
        )
        kept = first == np.arange(len(first))
        # [rows in order] the merged row of each; back in the order of the systems.
        place = (np.cumsum(kept) - 1)[first]
        of_row = np.empty(len(order), dtype=np.int64)
        of_row[order] = place
        cuts = np.cumsum([one.rows for one in lists])[:-1]
        return cls(
            offsets=starts(np.bincount(sentences[order][kept], minlength=lists[0].sentences)),
            texts=Texts.of([texts[int(row)] for row in np.flatnonzero(kept)]),
            places=np.split(of_row, cuts),
        )

    @property
    def rows(self) -> int:
        return int(self.offsets[-1])


def _scores(
    systems: Mapping[str, NbestList], merged: _Merged, missing: str
) -> list[tuple[str, Floats]]:
    """Names and values of the dense features: indicators first."""
    found: list[tuple[str, Floats]] = []
    for (name, lists), places in zip(systems.items(), merged.places, strict=True):
        has = np.zeros(merged.rows)
        has[places] = 1.0
        found.append((f"{SYSTEM}{name}", has))
        if lists.rows > lists.sentences:
            own = np.zeros(merged.rows)
            own[places[lists.offsets[:-1][np.diff(lists.offsets) > 0]]] = 1.0
            found.append((f"{FIRST}{name}", own))
    for (name, lists), places in zip(systems.items(), merged.places, strict=True):
        columns = [(feature, lists.dense[:, i]) for i, feature in enumerate(lists.dense_names)]
        for feature, column in columns:
            values = np.full(merged.rows, np.nan)
            # Backwards: of equal texts of a system the first counts.
            values[places[::-1]] = column[::-1]
            found.append((f"{name}.{feature}", _imputed(values, merged.offsets, missing)))
    return found


def _imputed(values: Floats, offsets: Rows, missing: str) -> Floats:
    """The values with something in the place of NaN."""
    gaps = np.isnan(values)
    if not gaps.any():
        return values
    if missing == "zero":
        return np.where(gaps, 0.0, values)
    known = values[~gaps]
    sizes = np.diff(offsets)
    filled = offsets[:-1][sizes > 0]
    counts = np.add.reduceat((~gaps).astype(np.float64), filled)
    if missing == "mean":
        sums = np.add.reduceat(np.where(gaps, 0.0, values), filled)
        of_list = np.divide(sums, counts, out=np.full(len(sums), known.mean()), where=counts > 0)
    else:
        lowest = missing == "lowest"
        extreme = np.minimum if lowest else np.maximum
        blank = np.inf if lowest else -np.inf
        of_list = extreme.reduceat(np.where(gaps, blank, values), filled)
        of_list = np.where(counts > 0, of_list, extreme.reduce(known))
    return np.where(gaps, np.repeat(of_list, sizes[sizes > 0]), values)


def _sparse(
    lists: Sequence[NbestList], merged: _Merged
) -> tuple[Rows, npt.NDArray[np.uint32], npt.NDArray[np.float32]]:
    """Sparse features of all systems, by merged row; ids of a system follow those before it."""
    rows, ids, values = [], [], []
    before = 0
    for one, places in zip(lists, merged.places, strict=True):
        # Of equal texts of a system the first counts.
        kept = np.sort(np.unique(places, return_index=True)[1])
        entries = ranges(one.sparse_offsets, kept)
        rows.append(np.repeat(places[kept], np.diff(one.sparse_offsets)[kept]))
        ids.append(one.sparse_ids[entries].astype(np.int64) + before)
        values.append(one.sparse_values[entries])
        before += len(one.sparse_names)
    row, id_ = np.concatenate(rows), np.concatenate(ids)
    order = np.lexsort((id_, row))
    return (
        starts(np.bincount(row, minlength=merged.rows)),
        id_[order].astype(np.uint32),
        np.concatenate(values)[order].astype(np.float32),
    )


def _infos(systems: Mapping[str, NbestList]) -> dict[str, FeatureInfo]:
    return {
        f"{name}.{feature}": info
        for name, lists in systems.items()
        for feature, info in lists.features.items()
    }


def read_outputs(path: str | Path) -> NbestList:
    """A system's plain output, one translation per line, as lists of one entry each."""
    lines = read_lines(path)
    if not lines:
        raise InputError(path, 0, "an empty file", "one translation per line")
    return one_best(lines)


def one_best(lines: Sequence[str]) -> NbestList:
    """Translations, one of each sentence, as lists of one entry without features."""
    rows = len(lines)
    return NbestList(
        offsets=np.arange(rows + 1, dtype=np.int64),
        texts=Texts.of(lines),
        dense=np.empty((rows, 0), dtype=np.float32),
        dense_names=(),
        sparse_offsets=np.zeros(rows + 1, dtype=np.int64),
        sparse_ids=np.empty(0, dtype=np.uint32),
        sparse_values=np.empty(0, dtype=np.float32),
        sparse_names=(),
    )


def concatenated(lists: Sequence[NbestList]) -> NbestList:
    """Lists of the same sentences and features as one: iterations of a system, say."""
    if len(lists) == 1:
        return lists[0]
    first = lists[0]
    for other in lists[1:]:
        if other.sentences != first.sentences:
            raise OptionError(
                f"lists of {first.sentences:,} and of {other.sentences:,} sentences, expected "
                "equally many"
            )
        if (other.dense_names, other.sparse_names) != (first.dense_names, first.sparse_names):
            raise OptionError(
                "lists with different features: put them together with `tunesmith nbest merge`"
            )
    sentences = np.concatenate([one.sentence_ids() for one in lists])
    order = np.argsort(sentences, kind="stable")
    every = [text for one in lists for text in one.texts]
    before = np.cumsum([0, *(len(one.sparse_ids) for one in lists)])
    ends = [one.sparse_offsets[:-1] + shift for one, shift in zip(lists, before[:-1], strict=True)]
    sparse_offsets = np.append(np.concatenate(ends), before[-1])
    entries = ranges(sparse_offsets, order)
    return replace(
        first,
        offsets=starts(np.bincount(sentences, minlength=first.sentences)),
        texts=Texts.of([every[row] for row in order.tolist()]),
        dense=np.concatenate([one.dense for one in lists])[order],
        sparse_offsets=starts(np.diff(sparse_offsets)[order]),
        sparse_ids=np.concatenate([one.sparse_ids for one in lists])[entries],
        sparse_values=np.concatenate([one.sparse_values for one in lists])[entries],
        totals=None,
        extras=None,
    )
