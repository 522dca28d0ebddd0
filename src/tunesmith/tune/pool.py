"""Pools from n-best lists, from a decoder's output, and from other pools.

Statistics are counted natively while a list streams through memory; its text is not kept. Equal
hypotheses of a sentence (the same text and the same features) are taken once: the first stays.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import overload

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.pool import KBestPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.nbest import OnBadLine, check_on_bad_line, warn_of_skipped
from tunesmith.formats.references import read_references
from tunesmith.formats.text import unpacked_blocks
from tunesmith.metrics.base import Metric

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
    ) -> None:
        check_on_bad_line(on_bad_line)
        self.metric = metric
        self.report = PoolReport()
        self._native = _core.PoolBuilder(
            metric.prepare(references or _any_sentences(metric)),
            list(metric.columns),
            list(dense),
            total,
            drop_sparse,
            on_bad_line == "skip",
            as_engine(engine).threads,
        )

    def read(self, path: Path_, dialect: str = "auto") -> None:
        """Add the list of a file: any dialect, plain or packed."""
        name, lines, skipped = self._native.read(str(path), unpacked_blocks(path), dialect)
        warn_of_skipped(path, skipped, lines)
        self.report.dialects.append(name)
        self.report.lines += lines
        self.report.skipped += skipped

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
        self._native.add_pool(
            pool.native, pool.keys, list(pool.dense_names), list(pool.sparse_names)
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
        return pool


def read_pool(
    nbest: Path_ | Sequence[Path_],
    references: Path_ | Sequence[Path_] | Sequence[Sequence[str]],
    metric: Metric,
    *,
    dialect: str = "auto",
    on_bad_line: OnBadLine = "raise",
    engine: EngineLike = ALL_CORES,
    dense: Sequence[str] = (),
    total: str = "",
    drop_sparse: bool = False,
) -> KBestPool:
    """The pool of n-best lists: read, scored and merged in one go.

    Parameters
    ----------
    nbest
        One or many files, of any dialect, plain or packed; several lists of the same sentences
        (iterations, systems) are merged.
    references
        Reference files, or their sentences (one sequence per reference file); none for a metric
        that takes ready columns only.
    metric
        Whose statistics are counted. A `Column` metric takes its column out of the features.
    dialect, on_bad_line, engine, dense, total
        As in `read_nbest`.
    drop_sparse
        Leave sparse features out, for the tuners that take dense ones only.
    """
    files = [nbest] if isinstance(nbest, str | Path) else list(nbest)
    if not files:
        raise OptionError("no n-best lists")
    builder = PoolBuilder(
        metric,
        _reference_sentences(references),
        on_bad_line=on_bad_line,
        engine=engine,
        dense=dense,
        total=total,
        drop_sparse=drop_sparse,
    )
    for path in files:
        builder.read(path, dialect)
    return builder.finish()


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
    native = _core.PoolBuilder(None, [], [], "", False, False, 1)
    for pool in pools:
        native.add_pool(pool.native, pool.keys, list(pool.dense_names), list(pool.sparse_names))
    return KBestPool.from_native(native.finish())
