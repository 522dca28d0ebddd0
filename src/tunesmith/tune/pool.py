"""Pools from n-best lists, from a decoder's output, and from other pools.

Statistics are counted natively while a list streams through memory. Equal hypotheses of a sentence
(the same text and the same features) are taken once: the first stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.log import log
from tunesmith.base.pool import KBestPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.frames import is_table
from tunesmith.formats.nbest import (
    NbestList,
    OnBadLine,
    TableOptions,
    as_nbest,
    check_on_bad_line,
    open_list,
)
from tunesmith.formats.references import read_references
from tunesmith.formats.table import AS_NAMED, grouped, warn_of_skipped
from tunesmith.metrics.base import Metric, check_references

Path_ = str | Path


@dataclass
class PoolReport:
    """What was met while a pool was built."""

    lines: int = 0
    skipped: int = 0
    """Bad lines left out."""
    duplicates: int = 0
    """Hypotheses that their sentence already had."""
    empty_sentences: int = 0
    """Sentences left out because no hypothesis of theirs could be used."""
    dialects: list[str] = field(default_factory=list)
    """Of the files, in their order."""


class PoolBuilder:
    """Collects lists and decoder output into one pool, without duplicates.

    Lists may be read from files and added from memory in any mixture; sentences are matched by
    number and features by name. The first list decides which features are dense.

    Parameters
    ----------
    metric
        Whose statistics the pool holds.
    references
        One sequence of sentences per reference file (`read_references`); none for a metric of
        ready columns, and the first list says how many sentences there are.
    on_bad_line
        ``"raise"`` or ``"skip"``, as in `read_nbest`.
    engine
        Who works, all cores by default; the pool does not depend on it.
    dense
        Features that are dense even if the first list does not show it.
    total
        The name under which the systems' own total score is a feature, as in `read_nbest`.
    drop_sparse
        Leave sparse features out.
    table
        Which columns of tables are what, and which features to take or to leave out.
    texts
        Keep the texts in the pool.

    Examples
    --------
    >>> from tunesmith.metrics import Bleu
    >>> builder = PoolBuilder(Bleu(), [["a b c d"]])
    >>> builder.add([0, 0, 0], ["a b c d", "a b", "a b"], [[-1.0], [-2.0], [-2.0]], ["lm"])
    >>> pool = builder.finish()
    >>> pool.rows, pool.names, builder.report.duplicates
    (2, ('lm',), 1)
    """

    def __init__(
        self,
        metric: Metric,
        references: Sequence[Sequence[str]],
        *,
        on_bad_line: OnBadLine = "raise",
        engine: EngineLike = ALL_CORES,
        dense: Sequence[str] = (),
        total: str = "",
        drop_sparse: bool = False,
        table: TableOptions = AS_NAMED,
        texts: bool = False,
    ) -> None:
        check_on_bad_line(on_bad_line)
        if not isinstance(metric, Metric):
            raise OptionError(f"the metric is {metric!r}, expected a Metric; see parse_metric")
        check_references(references)
        self.metric = metric
        self.report = PoolReport()
        self._table, self._texts = table, texts
        self._skip, self._engine = on_bad_line == "skip", engine
        self._dense, self._total = tuple(dense), total
        self._sentences = len(references[0]) if references else None
        self._native = _core.PoolBuilder(
            metric.prepare(references or _any_sentences(metric)),
            list(metric.columns),
            list(dense),
            total,
            drop_sparse,
            texts or metric.reads_texts,
            self._skip,
            as_engine(engine).threads,
        )

    def read(self, path: Path_, dialect: str = "auto") -> None:
        """Add the list of a file: any dialect, plain or packed."""
        table, blocks = open_list(
            path, dialect, self._table, skip=self._skip, keep=self.metric.columns,
            engine=self._engine,
        )  # fmt: skip
        if table is not None:
            nbest = grouped(table, skip=self._skip, dense=self._dense, total=self._total)
            self.add_list(nbest, path)
            self.report.dialects.append(nbest.dialect)
            self.report.lines += nbest.rows + nbest.skipped
            self.report.skipped += nbest.skipped
            return
        name, lines, skipped = self._native.read(str(path), blocks, dialect)
        warn_of_skipped(path, skipped, lines)
        self.report.dialects.append(name)
        self.report.lines += lines
        self.report.skipped += skipped

    def add_list(self, nbest: NbestList, path: Path_ = "the list") -> None:
        """Add a list that was read; `path` is for messages."""
        fewer = self._skip and nbest.sentences <= (self._sentences or 0)
        if self._sentences not in (None, nbest.sentences) and not fewer:
            raise InputError(
                path, 0, f"{nbest.sentences:,} sentences",
                f"{self._sentences:,}, as the references have",
                "list and references must be of the same text",
            )  # fmt: skip
        self.add(
            nbest.sentence_ids(), list(nbest.texts), nbest.dense, nbest.dense_names,
            (nbest.sparse_offsets, nbest.sparse_ids, nbest.sparse_values), nbest.sparse_names,
        )  # fmt: skip
        self._sentences = nbest.sentences if self._sentences is None else self._sentences

    def add(
        self,
        sentences: npt.ArrayLike,
        texts: Sequence[str],
        dense: npt.ArrayLike,
        dense_names: Sequence[str],
        sparse: tuple[npt.ArrayLike, npt.ArrayLike, npt.ArrayLike] | None = None,
        sparse_names: Sequence[str] = (),
    ) -> None:
        """Add hypotheses from memory: a decoder's k-best lists, say.

        Parameters
        ----------
        sentences
            [rows] the sentence of each hypothesis, ascending.
        texts
            [rows] an empty one is legal.
        dense, dense_names
            [rows, names] the dense features.
        sparse, sparse_names
            Offsets [rows + 1], ids (into `sparse_names`, any order, none twice in a row) and values
            of the sparse features.
        """
        rows = len(texts)
        offsets, ids, values = sparse or (np.zeros(rows + 1), (), ())
        self._native.add(
            np.ascontiguousarray(sentences, dtype=np.uint32),
            list(texts),
            np.ascontiguousarray(dense, dtype=np.float32).reshape(rows, len(dense_names)),
            list(dense_names),
            np.ascontiguousarray(offsets, dtype=np.int64),
            np.ascontiguousarray(ids, dtype=np.uint32),
            np.ascontiguousarray(values, dtype=np.float32),
            list(sparse_names),
        )

    def add_pool(self, pool: KBestPool) -> None:
        """Add a finished pool of the same metric and sentences."""
        texts = list(pool.texts or ()) if self._texts or self.metric.reads_texts else []
        self._native.add_pool(
            pool.native, pool.keys, texts, list(pool.dense_names), list(pool.sparse_names)
        )

    def finish(self) -> KBestPool:
        """The pool of all that was added. Call once."""
        parts = self._native.finish()
        self.report.duplicates = self._native.duplicates
        self.report.empty_sentences = self._native.empty_sentences
        if self.report.empty_sentences:
            log.warning(
                "%s sentences have no usable hypothesis and are left out",
                f"{self.report.empty_sentences:,}",
            )
        pool = KBestPool.from_native(parts)
        if self.metric.columns:
            named = {name: parts.columns[:, i] for i, name in enumerate(self.metric.columns)}
            self.metric.fill_columns(pool.stats, named)
        if self.metric.reads_texts:
            sizes = np.diff(pool.offsets)
            self.metric.fill_texts(
                pool.stats, list(pool.texts or ()), np.repeat(parts.sentences, sizes)
            )
            pool = pool if self._texts else replace(pool, texts=None)
        columns, drop = (
            [name for name in names if name not in self.metric.columns]
            for names in (self._table.columns, self._table.drop)
        )
        # Tables are read without what is left out.
        return pool.with_features(columns, [name for name in drop if name in pool.names])


def read_pool(
    nbest: Any,
    references: Path_ | Sequence[Path_] | Sequence[Sequence[str]],
    metric: Metric,
    *,
    dialect: str = "auto",
    on_bad_line: OnBadLine = "raise",
    engine: EngineLike = ALL_CORES,
    dense: Sequence[str] = (),
    total: str = "",
    drop_sparse: bool = False,
    table: TableOptions = AS_NAMED,
    texts: bool = True,
) -> KBestPool:
    """The pool of n-best lists: read, scored and merged in one go.

    Parameters
    ----------
    nbest
        One or many files, of any dialect, plain or packed, or anything else that `as_nbest` takes;
        several lists of the same sentences (iterations, systems) are merged.
    references
        Reference files, or their sentences (one sequence per reference file); none for a metric
        that takes ready columns only, or if the list has a column of references.
    metric
        Whose statistics are counted. A `Column` metric takes its column out of the features.
    dialect, on_bad_line, engine, dense, total, table
        As in `read_nbest`.
    drop_sparse
        Leave sparse features out, for the tuners that take dense ones only.
    texts
        Keep the texts in the pool; without them it takes less memory.
    """
    lists = several_lists(nbest)
    reading: dict[str, Any] = {
        "on_bad_line": on_bad_line, "engine": engine, "dense": dense, "total": total, "table": table
    }  # fmt: skip
    sentences = _reference_sentences(references)
    if not sentences and table.reference_column:
        lists[0] = as_nbest(lists[0], dialect=dialect, **reading)
        sentences = lists[0].own_references
    builder = PoolBuilder(metric, sentences, drop_sparse=drop_sparse, texts=texts, **reading)
    for one in lists:
        if isinstance(one, str | Path):
            builder.read(one, dialect)
        else:
            builder.add_list(as_nbest(one, dialect=dialect, **reading))
    return builder.finish()


def several_lists(lists: Any) -> list[Any]:
    """The lists that are given, be it one or many."""
    many = isinstance(lists, list | tuple) and not is_table(lists)
    found = list(lists) if many else [lists]
    if not found:
        raise OptionError("no n-best lists")
    return found


def _reference_sentences(
    references: Path_ | Sequence[Path_] | Sequence[Sequence[str]],
) -> Sequence[Sequence[str]]:
    if isinstance(references, str | Path):
        return read_references(references)
    paths = [one for one in references if isinstance(one, str | Path)]
    if references and len(paths) == len(references):
        return read_references(paths)
    return [one for one in references if not isinstance(one, str | Path)]


class _AnyNumber(Sequence[str]):
    """As many sentences as the native builder takes for `any number`; nobody reads them."""

    def __len__(self) -> int:
        return 1 << 31

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        raise IndexError("there are no references")


def _any_sentences(metric: Metric) -> Sequence[Sequence[str]]:
    """In the place of references, for metrics that read none."""
    if metric.needs_text:
        raise OptionError(f"metric {metric.name} needs references")
    return [_AnyNumber()]


def merge_pools(pools: Sequence[KBestPool]) -> KBestPool:
    """One pool of several over the same sentences, without duplicates; dense features must agree.

    The hypotheses of a sentence are in the order of the pools; of equals the first stays.
    """
    if not pools:
        raise OptionError("no pools to merge")
    if len({pool.sentences for pool in pools}) > 1:
        counts = ", ".join(f"{pool.sentences:,}" for pool in pools)
        raise OptionError(f"pools of different numbers of sentences cannot be merged: {counts}")
    texts = all(pool.texts is not None for pool in pools)
    native = _core.PoolBuilder(None, [], [], "", False, texts, False, 1)
    for pool in pools:
        native.add_pool(
            pool.native, pool.keys, list(pool.texts or ()) if texts else [],
            list(pool.dense_names), list(pool.sparse_names),
        )  # fmt: skip
    return KBestPool.from_native(native.finish())
