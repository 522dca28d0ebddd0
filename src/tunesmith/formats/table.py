"""Tables of hypotheses, whatever they came from: which column is what, and rows by sentence.

`delimited` (CSV, TSV), `frames` (DataFrames, Parquet, rows in memory) and `llm_lines` (answers of
language models) make a `Table`; `grouped` makes an `NbestList` of it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import InputError, named
from tunesmith.base.log import log
from tunesmith.base.numbers import parse_number
from tunesmith.base.ragged import starts
from tunesmith.base.texts import Texts
from tunesmith.formats.nbest_list import NbestList

#: The column of the system's own total score.
TOTAL = "total"
#: Whether cells in quotes are read without them.
QUOTES = ("auto", "yes", "no")
#: Rows that are looked at to see which columns are numbers.
LOOKED_AT = 100
# A larger hole in the ids is a broken id, whatever else may be skipped; as in nbest_reader.cc.
_MAX_HOLE = 1_000_000
# Columns that nobody named: pandas calls the numbers of rows so, which it writes beside them.
_NAMELESS = re.compile(r"|Unnamed: \d+|__index_level_\d+__")

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class TableOptions:
    """Which column is what; other numbers are features."""

    id_column: str = "id"
    text_column: str = "text"
    source_column: str = ""
    reference_column: str = ""
    columns: tuple[str, ...] = ()
    """The features to take; all if there are none."""
    drop: tuple[str, ...] = ()
    """Features to leave out."""
    quotes: str = "auto"


#: What columns are called if nobody says otherwise.
AS_NAMED = TableOptions()


@dataclass(frozen=True)
class Roles:
    """The columns of a table by what they are for."""

    id: str
    text: str
    source: str
    reference: str
    total: str
    features: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """Those that are text beside the hypothesis, in this order."""
        return tuple(name for name in (self.source, self.reference) if name)


def roles_of(
    path: object,
    names: Sequence[str],
    options: TableOptions,
    is_number: Callable[[str], bool],
    *,
    keep: Sequence[str] = (),
) -> Roles:
    """What each column is for; a column that is asked for and not there is refused.

    `keep` are columns that a metric reads: they stay, whatever the features are.
    """
    there = f"there are: {named(names, 20)}"

    def column(name: str, what: str, option: str) -> str:
        if name and name not in names:
            raise InputError(
                path, 1, f"no column '{name}'", f"one for {what}; {there}", f"name it with {option}"
            )
        return name

    found = (
        column(options.id_column, "the id of the sentence", "--id-column"),
        column(options.text_column, "the text of the hypothesis", "--text-column"),
        column(options.source_column, "the source sentence", "--source-column"),
        column(options.reference_column, "the reference", "--ref-column"),
    )
    for name in keep:
        if name not in names:
            raise InputError(path, 1, f"no column '{name}'", f"the scores of the metric; {there}")
    for name in options.columns:
        column(name, "a feature", "--columns")
    for name in options.drop:
        if name not in names:
            raise InputError(path, 1, f"no column '{name}' to leave out", f"one of it; {there}")
    taken = {name for name in found if name} | {*options.drop, TOTAL}
    rest = [name for name in names if name not in taken]
    if options.columns:
        features = [name for name in names if name in options.columns or name in keep]
    else:
        nameless = [name for name in rest if name not in keep and _NAMELESS.fullmatch(name)]
        features = [
            name for name in rest if name in keep or (name not in nameless and is_number(name))
        ]
        if nameless:
            shown = named([f"'{name}'" for name in nameless])
            log.info(f"{path}: columns without a name of their own are left out: {shown}")
        if texts := [name for name in rest if name not in (*features, *nameless)]:
            log.info(f"{path}: columns that are no numbers are left out: {named(texts)}")
    total = TOTAL if TOTAL in names and TOTAL not in (*found, *options.drop) else ""
    return Roles(*found, total, tuple(features))


def mostly_numbers(cells: Sequence[str]) -> bool:
    """Whether a column is one of numbers, by its cells that are not empty.

    One bad cell does not make a text of it, nor one sentence that is a number (a year, say) a
    number of a text.

    >>> mostly_numbers(["1", "nan", "x"]), mostly_numbers(["a", "2016", "b"]), mostly_numbers([])
    (True, False, True)
    """
    return 2 * sum(map(_is_number, cells)) >= len(cells)


def _is_number(cell: str) -> bool:
    try:
        parse_number(cell)
    except ValueError:
        return cell.lower() in ("nan", "-nan")
    return True


@dataclass(frozen=True, eq=False)
class Table:
    """Rows as they came."""

    path: str
    """For messages."""
    dialect: str
    ids: Integers
    """[rows] numbers of sentences as they stand, or places in `id_names`."""
    id_names: Sequence[str] | None
    """Ids that are no numbers, in the order of their first rows."""
    texts: Texts
    numbers: npt.NDArray[np.float32]
    """[rows, features]"""
    totals: npt.NDArray[np.float64] | None
    """[rows] the system's total score."""
    roles: Roles
    lines: Integers
    """[rows] where each stands, for messages."""
    more: Sequence[Texts] = ()
    """[rows] of each of `roles.texts`."""
    skipped: int = 0


def grouped(
    table: Table, *, skip: bool = False, dense: Sequence[str] = (), total: str = ""
) -> NbestList:
    """The rows of each sentence together: in the order of numbers, or of first appearance.

    Rows that stood elsewhere are moved, which is said; if the table has a total, the highest comes
    first then, for nothing else tells which hypothesis the system prefers. `dense` are features
    that may be absent; `total` names the feature that the total is to be.
    """
    if not len(table.ids):
        raise InputError(table.path, 0, "no rows", "at least one hypothesis")
    roles, totals = table.roles, table.totals
    order = np.arange(len(table.ids), dtype=np.int64)
    shuffled = bool(np.any(np.diff(table.ids) < 0))
    if shuffled:
        keys = (table.ids,) if totals is None else (-totals, table.ids)
        order = np.lexsort(keys).astype(np.int64)
    order, sentences, skipped = _numbered(table, order, skip=skip)
    if shuffled:
        first = f"the highest {TOTAL} first"
        if totals is None:
            first = f"of each the first row is taken for its first entry, for want of a '{TOTAL}'"
        log.warning(f"{table.path}: the rows of the sentences are not in order: sorted, {first}")
    # Most tables are in order, and nothing of them is moved.
    moved = shuffled or len(order) < len(table.ids)
    features, texts = table.numbers, table.texts
    if moved:
        features, texts = features[order], texts.take(order)
        totals = None if totals is None else totals[order]
    sizes = np.bincount(sentences).astype(np.int64)
    names = list(roles.features)
    for name in dense:
        if name not in names:
            features = np.column_stack([features, np.zeros(len(order), dtype=np.float32)])
            names.append(name)
    if total:
        if totals is None:
            raise InputError(table.path, 1, f"no column '{TOTAL}'", "the total that --total takes")
        features = np.column_stack([features, totals.astype(np.float32)])
        names.append(total)
    offsets = starts(sizes)
    filled = offsets[:-1][sizes > 0]
    of_texts = {
        name: _of_sentences(column.take(order[filled]), sizes)
        for name, column in zip(roles.texts, table.more, strict=True)
    }
    return NbestList(
        offsets=offsets,
        texts=texts,
        dense=np.ascontiguousarray(features),
        dense_names=tuple(names),
        sparse_offsets=np.zeros(len(order) + 1, dtype=np.int64),
        sparse_ids=np.empty(0, dtype=np.uint32),
        sparse_values=np.empty(0, dtype=np.float32),
        sparse_names=(),
        dialect=table.dialect,
        totals=totals,
        skipped=table.skipped + skipped,
        ids=_ids(table, sizes),
        sources=of_texts.get(roles.source),
        references=of_texts.get(roles.reference),
    )


def _numbered(table: Table, order: Integers, *, skip: bool) -> tuple[Integers, Integers, int]:
    """The rows in their order, the sentence of each from 0, and how many rows were left out."""
    ids = table.ids[order]
    if table.id_names is not None:
        return order, ids, 0
    first = int(min(ids[0], 1))
    before = np.concatenate([[first - 1], ids[:-1]])
    holes = np.flatnonzero(ids - before > 1)
    if len(holes) and not skip:
        place = int(holes[0])
        line, found = int(table.lines[order[place]]), f"sentence id {ids[place]}"
        if place == 0:
            raise InputError(
                table.path, line, f"{found} first", "0 or 1",
                "the sentences of a list are counted from 0 or from 1",
            )  # fmt: skip
        raise InputError(
            table.path, line, f"{found} after {before[place]}",
            f"{before[place]} or {before[place] + 1}",
            "every sentence needs at least one hypothesis",
        )  # fmt: skip
    wild = holes[ids[holes] - before[holes] > _MAX_HOLE]
    end = int(wild[0]) if len(wild) else len(ids)
    warn_of_skipped(table.path, len(ids) - end, len(ids), "rows")
    return order[:end], ids[:end] - first, len(ids) - end


def _of_sentences(texts: Texts, sizes: Integers) -> Texts:
    """Texts of the sentences that have rows, and empty ones of the others."""
    lengths = np.zeros(len(sizes), dtype=np.int64)
    lengths[sizes > 0] = np.diff(texts.offsets)
    return Texts(texts.data, starts(lengths))


def _ids(table: Table, sizes: Integers) -> Texts | None:
    if table.id_names is not None:
        return Texts.of(table.id_names)
    return Texts.of([str(i + 1) for i in range(len(sizes))]) if table.ids.min() > 0 else None


def warn_of_skipped(path: object, skipped: int, lines: int, unit: str = "lines") -> None:
    """Say how much of a file was left out."""
    if skipped:
        log.warning("%s: %s of %s %s skipped as bad", path, f"{skipped:,}", f"{lines:,}", unit)
