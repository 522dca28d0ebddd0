"""Tables in memory: DataFrames of pandas and polars, Arrow tables, Parquet files, rows and columns.

None of these libraries is imported unless a Parquet file is read: a frame brings its own.
"""

import importlib
from collections.abc import Mapping, Sequence
from decimal import Decimal
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.numbers import parse_number
from tunesmith.base.texts import Texts
from tunesmith.formats.table import (
    LOOKED_AT,
    Table,
    TableOptions,
    mostly_numbers,
    roles_of,
    warn_of_skipped,
)

#: What messages call a table that has no file.
IN_MEMORY = "table"
PARQUET = "parquet"
PARQUET_MAGIC = b"PAR1"
# Who can read Parquet: module, function, what gives its columns.
_PARQUET_READERS = ("pyarrow.parquet:read_table", "polars:read_parquet", "pandas:read_parquet")

Column = npt.NDArray[Any] | Sequence[Any]


def is_table(value: object) -> bool:
    """Whether `value` is a frame, a mapping of columns, or rows."""
    return columns_of(value) is not None


def columns_of(value: Any) -> dict[str, Column] | None:
    """The columns of a frame, of a mapping, or of rows that are mappings; None of anything else.

    >>> columns_of([{"id": 0, "text": "a"}, {"id": 1, "text": "b", "lm": 2}])
    {'id': [0, 1], 'text': ['a', 'b'], 'lm': [None, 2]}
    """
    if isinstance(value, Mapping):
        return {str(name): column for name, column in value.items()}
    if hasattr(value, "column_names") and hasattr(value, "column"):  # Arrow
        _check_once(value.column_names)
        return {
            name: value.column(name).to_numpy(zero_copy_only=False) for name in value.column_names
        }
    if hasattr(value, "collect") and hasattr(value, "__getitem__"):
        raise OptionError("a lazy frame, expected its rows: call collect() first")
    if hasattr(value, "columns") and hasattr(value, "__getitem__"):
        _check_once(list(map(str, value.columns)))
        return {str(name): value[name].to_numpy() for name in value.columns}
    if isinstance(value, Sequence) and value and all(isinstance(row, Mapping) for row in value):
        names = list(dict.fromkeys(name for row in value for name in row))
        return {str(name): [row.get(name) for row in value] for name in names}
    return None


def _check_once(names: Sequence[str]) -> None:
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise InputError(IN_MEMORY, 1, f"column '{twice}' twice", "every column once")


def read_parquet(path: str | Path, data: bytes | None = None) -> dict[str, Column]:
    """The columns of a Parquet file, or of `data` that is its content."""
    for place in _PARQUET_READERS:
        module, _, function = place.partition(":")
        try:
            read = getattr(importlib.import_module(module), function)
        except ImportError:
            continue
        try:
            columns = columns_of(read(path if data is None else BytesIO(data)))
        except Exception as error:
            raise InputError(path, 0, f"cannot be read: {error}", "a Parquet file") from error
        if columns is not None:
            return columns
    raise OptionError(
        f"{path} is a Parquet file, and nothing is installed that reads it; "
        "pip install 'tunesmith[tables]'"
    )


def table_of_columns(
    path: str,
    columns: Mapping[str, Column],
    options: TableOptions,
    *,
    keep: Sequence[str] = (),
    lines: npt.NDArray[np.int64] | None = None,
    dialect: str = "tunesmith",
    skip: bool = False,
    skipped: int = 0,
) -> Table:
    """The table of some columns; in messages a row has its line, or its number from 1."""
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        shown = ", ".join(f"{name} {length:,}" for name, length in lengths.items())
        raise InputError(path, 0, f"columns of different lengths: {shown}", "equally many rows")
    rows = next(iter(lengths.values()), 0)
    if lines is None:
        lines = np.arange(1, rows + 1, dtype=np.int64)
    arrays = {name: _array(column) for name, column in columns.items()}
    roles = roles_of(
        path, list(columns), options, lambda name: _has_numbers(arrays[name]), keep=keep
    )
    bad = np.zeros(rows, dtype=bool)
    reader = _Reader(path, lines, bad, skip=skip)
    numbers = [reader.numbers(arrays[name], name).astype(np.float32) for name in roles.features]
    totals = reader.numbers(arrays[roles.total], roles.total) if roles.total else None
    texts = reader.texts(arrays[roles.text], "text of a hypothesis", one_line=True)
    more = [reader.texts(arrays[name], f"'{name}'") for name in roles.texts]
    ids, id_names = reader.ids(arrays[roles.id])
    lost = int(bad.sum())
    warn_of_skipped(path, lost, rows, "rows")
    good = np.flatnonzero(~bad)
    return Table(
        path=path,
        dialect=dialect,
        ids=ids[good],
        id_names=id_names,
        texts=Texts.of(texts).take(good),
        numbers=np.column_stack([np.empty((rows, 0), np.float32), *numbers])[good],
        totals=None if totals is None else totals[good],
        roles=roles,
        lines=lines[good],
        more=[Texts.of(column).take(good) for column in more],
        skipped=skipped + lost,
    )


def _array(column: Column) -> npt.NDArray[Any]:
    if isinstance(column, np.ndarray):
        return column
    array = np.empty(len(column), dtype=object)
    array[:] = list(column)
    return array


def _shown(value: object) -> str:
    """A number as text has it, and nothing of what is none."""
    return repr(float(value)) if isinstance(value, int | float | Decimal) else "-"


def _number(value: object) -> float:
    """A number, or text that is one; NaN of anything else."""
    if isinstance(value, int | float | Decimal):
        return float(value)
    try:
        return parse_number(value) if isinstance(value, str) else np.nan
    except ValueError:
        return np.nan


def _has_numbers(column: npt.NDArray[Any]) -> bool:
    if column.dtype.kind in "biuf":
        return True
    cells = [value for value in column[:LOOKED_AT].tolist() if value not in (None, "")]
    # What is no text is shown as one: no number is left out for being an object.
    return mostly_numbers([value if isinstance(value, str) else _shown(value) for value in cells])


def _is_digits(value: object) -> bool:
    return isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 10


class _Reader:
    """Turns columns into what a table has; the first bad row is refused, or all are marked."""

    def __init__(
        self,
        path: str,
        lines: npt.NDArray[np.int64],
        bad: npt.NDArray[np.bool_],
        *,
        skip: bool,
    ) -> None:
        self.path, self.lines, self.bad, self.skip = path, lines, bad, skip

    def refuse(self, row: int, found: str, expected: str) -> None:
        if not self.skip:
            raise InputError(self.path, int(self.lines[row]), found, expected)
        self.bad[row] = True

    def numbers(self, column: npt.NDArray[Any], name: str) -> npt.NDArray[np.float64]:
        """[rows] finite numbers."""
        if column.dtype.kind in "biuf":
            values = column.astype(np.float64)
        else:
            values = np.array([_number(value) for value in column.tolist()], dtype=np.float64)
        with np.errstate(over="ignore"):
            wrong = np.flatnonzero(~np.isfinite(values.astype(np.float32)))
        for row in wrong.tolist():
            value = column[row]
            shown = f"value '{value}' of feature '{name}'"
            if value is None:
                shown = f"no feature '{name}'"
            self.refuse(row, shown, "a finite number")
        return values + 0.0  # no negative zero

    def texts(self, column: npt.NDArray[Any], what: str, *, one_line: bool = False) -> list[str]:
        """[rows] strings; where text is wanted on one line, without line breaks."""
        texts: list[Any] = column.tolist()
        for row, text in enumerate(texts):
            if not isinstance(text, str):
                self.refuse(row, f"{text!r} as {what}", "a string")
                texts[row] = ""
            elif one_line and "\n" in text:
                self.refuse(row, f"a line break in the {what}", "text on one line")
        return texts

    def ids(self, column: npt.NDArray[Any]) -> tuple[npt.NDArray[np.int64], list[str] | None]:
        """[rows] numbers, or places in names; the first row tells which of them."""
        if column.dtype.kind in "iu" and not (len(column) and int(column.min()) < 0):
            return column.astype(np.int64), None
        values = column.tolist()
        first = values[0] if values else 0
        if isinstance(first, str) and not _is_digits(first):
            names: dict[str, int] = {}
            for row, value in enumerate(values):
                if not isinstance(value, str) or not value:
                    self.refuse(row, f"sentence id {value!r}", "a name, as in the first row")
                    values[row] = value = first
            ids = [names.setdefault(value, len(names)) for value in values]
            return np.array(ids, dtype=np.int64), list(names)
        for row, value in enumerate(values):
            if _is_digits(value) or (isinstance(value, float) and value.is_integer()):
                values[row] = int(value)
            elif isinstance(value, bool) or not isinstance(value, int):
                values[row] = -1
            if not 0 <= values[row] < 2**31:
                self.refuse(row, f"sentence id {value!r}", "a whole number from 0")
                values[row] = 0
        return np.array(values, dtype=np.int64), None
