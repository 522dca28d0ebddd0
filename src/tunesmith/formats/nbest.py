"""N-best lists of any system: read into arrays by `read_nbest`, whatever their dialect.

The dialects, and what each may hold, are in docs/formats.md.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Literal

import numpy as np

from tunesmith import _core
from tunesmith.base.errors import OptionError, kind_of
from tunesmith.base.texts import Texts
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats import frames, llm_lines
from tunesmith.formats.delimited import read_delimited, separator_of
from tunesmith.formats.feature_info import known_features, read_header
from tunesmith.formats.nbest_list import NbestList, SentenceList
from tunesmith.formats.table import AS_NAMED, Table, TableOptions, grouped, warn_of_skipped
from tunesmith.formats.text import BLOCK_BYTES, UTF8_BOM, unpacked_blocks

__all__ = [
    "DIALECTS",
    "ON_BAD_LINE",
    "READ_ONLY",
    "WRITTEN",
    "NbestList",
    "OnBadLine",
    "SentenceList",
    "TableOptions",
    "Texts",
    "as_nbest",
    "read_nbest",
]

OnBadLine = Literal["raise", "skip"]
ON_BAD_LINE = ("raise", "skip")
#: The dialects that can be written.
WRITTEN: tuple[str, ...] = tuple(name for name in _core.nbest_dialects() if name != "auto")
READ_ONLY = (llm_lines.DIALECT, frames.PARQUET)
#: The names that `dialect` and ``--format`` take.
DIALECTS: tuple[str, ...] = ("auto", *WRITTEN, *READ_ONLY)


def read_nbest(
    path: str | Path,
    dialect: str = "auto",
    on_bad_line: OnBadLine = "raise",
    *,
    engine: EngineLike = ALL_CORES,
    dense: Sequence[str] = (),
    total: str = "",
    table: TableOptions = AS_NAMED,
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
    table
        Which column of a table is what, and which features to take or to leave out (of any list).
    """
    check_on_bad_line(on_bad_line)
    found, blocks = open_list(path, dialect, table, skip=on_bad_line == "skip", engine=engine)
    if found is not None:
        return grouped(found, skip=on_bad_line == "skip", dense=dense, total=total)
    read = _core.read_nbest(
        str(path),
        blocks,
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
    ).with_features(table.columns, table.drop)


def open_list(
    path: str | Path,
    dialect: str,
    options: TableOptions,
    *,
    skip: bool = False,
    keep: Sequence[str] = (),
    engine: EngineLike = ALL_CORES,
) -> tuple[Table | None, Iterator[bytes] | None]:
    """The rows of a table; or None and the blocks that a native reader takes (None: the file).

    `keep` are columns that a metric reads.
    """
    if not isinstance(path, str | Path):
        raise OptionError(f"a list is {kind_of(path)}, expected the name of a file")
    if dialect not in DIALECTS:
        raise OptionError(
            f"unknown n-best format '{dialect}', expected one of: {', '.join(DIALECTS)}"
        )
    blocks = unpacked_blocks(path)
    if blocks is None:
        with Path(path).open("rb") as stream:
            head = stream.read(BLOCK_BYTES)
    else:
        head = next(blocks, b"")
        blocks = chain([head], blocks)
    head = head.removeprefix(UTF8_BOM)

    def whole() -> bytes:
        data = Path(path).read_bytes() if blocks is None else b"".join(blocks)
        return data.removeprefix(UTF8_BOM)

    if dialect == frames.PARQUET or (dialect == "auto" and head.startswith(frames.PARQUET_MAGIC)):
        columns = frames.read_parquet(path, None if blocks is None else whole())
        return frames.table_of_columns(str(path), columns, options, keep=keep, skip=skip), None
    if dialect == llm_lines.DIALECT or (dialect == "auto" and llm_lines.is_answer(head)):
        return llm_lines.read_llm_lines(path, whole(), options, keep=keep, skip=skip), None
    if separator := separator_of(head, path, dialect, options):
        found = read_delimited(
            path, whole(), separator, options, skip=skip, keep=keep, engine=engine
        )
        return found, None
    return None, blocks


def as_nbest(
    lists: Any,
    *,
    dialect: str = "auto",
    on_bad_line: OnBadLine = "raise",
    engine: EngineLike = ALL_CORES,
    dense: Sequence[str] = (),
    total: str = "",
    table: TableOptions = AS_NAMED,
) -> NbestList:
    """A list of anything that holds one: a file, a DataFrame, columns, rows, or a list of ours.

    >>> as_nbest([{"id": "a", "text": "one", "lm": -1.5}, {"id": "a", "text": "two", "lm": -2}])
    <n-best list: 1 sentences, 2 hypotheses, 1 features: lm>
    """
    if isinstance(lists, NbestList):
        return lists.with_features(table.columns, table.drop)
    if isinstance(lists, str | Path):
        return read_nbest(
            lists, dialect, on_bad_line, engine=engine, dense=dense, total=total, table=table
        )
    columns = frames.columns_of(lists)
    if columns is None:
        raise OptionError(
            f"a list is {kind_of(lists)}, expected the name of a file, a DataFrame, a mapping of "
            "columns, rows that are mappings, or what read_nbest gives"
        )
    skip = on_bad_line == "skip"
    rows = frames.table_of_columns(frames.IN_MEMORY, columns, table, skip=skip)
    return grouped(rows, skip=skip, dense=dense, total=total)


def check_on_bad_line(policy: str) -> None:
    """Refuse a policy that does not exist."""
    if policy not in ON_BAD_LINE:
        raise OptionError(f"on_bad_line is {policy!r}, expected one of: {', '.join(ON_BAD_LINE)}")
