"""CSV and TSV with a header: separators, quotes, and which columns are numbers."""

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.texts import Texts
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.table import (
    AS_NAMED,
    LOOKED_AT,
    QUOTES,
    Table,
    TableOptions,
    mostly_numbers,
    roles_of,
    warn_of_skipped,
)

#: The dialects, with the separators that each may have.
SEPARATORS = {"tsv": "\t", "csv": ",;"}


def separator_of(head: bytes, path: str | Path, dialect: str, options: TableOptions) -> str:
    """What separates the cells of a file that begins with `head`; empty if it is no such table.

    Its header says it: it has the columns of id and text. Otherwise the dialect does, or the end of
    the file's name.
    """
    line = head.split(b"\n", 1)[0].decode("utf-8", "replace").removesuffix("\r")
    tried = SEPARATORS.get(dialect, "" if dialect != "auto" else "".join(SEPARATORS.values()))
    for separator in tried:
        names = _header(line, separator)
        if options.id_column in names and options.text_column in names:
            return separator
    if dialect != "auto":
        return tried[:1]
    named = AS_NAMED.id_column, AS_NAMED.text_column
    renamed = (options.id_column, options.text_column) != named
    if renamed and not line.startswith(("{", "[")) and "|||" not in line:
        return max(tried, key=line.count) if any(map(line.count, tried)) else ""
    ending = Path(str(path).removesuffix(".gz").removesuffix(".xz")).suffix.removeprefix(".")
    return max(SEPARATORS[ending], key=line.count) if ending in SEPARATORS else ""


def _header(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator), [])
    except csv.Error:  # line ends of old, or endless names: the reader says what is wrong
        return []


def read_delimited(
    path: str | Path,
    data: bytes,
    separator: str,
    options: TableOptions,
    *,
    skip: bool = False,
    keep: Sequence[str] = (),
    engine: EngineLike = ALL_CORES,
) -> Table:
    """The rows of a file whose content is `data`."""
    dialect = next(name for name, known in SEPARATORS.items() if separator in known)
    native = _core.DelimitedTable(
        str(path), data, separator, _is_quoted(path, data, separator, dialect, options.quotes)
    )
    names = native.names
    sample = [native.cells(row) for row in range(min(native.rows, LOOKED_AT))]
    places = {name: place for place, name in enumerate(names)}

    def is_number(name: str) -> bool:
        place = places[name]
        cells = [row[place].decode("utf-8", "replace") for row in sample if place < len(row)]
        return mostly_numbers([cell for cell in cells if cell])

    roles = roles_of(path, names, options, is_number, keep=keep)
    # Native code goes through a row once, so columns are asked for in their order.
    more = sorted(roles.texts, key=places.__getitem__)
    read = native.read(
        places[roles.id],
        places[roles.text],
        places[roles.total] if roles.total else None,
        [places[name] for name in more],
        [places[name] for name in roles.features],
        skip,
        as_engine(engine).threads,
    )
    warn_of_skipped(path, read.skipped, native.rows + 1)
    texts = {name: _texts(part) for name, part in zip(more, read.more, strict=True)}
    return Table(
        path=str(path),
        dialect=dialect,
        ids=read.ids,
        id_names=read.id_names,
        texts=_texts(read.texts),
        numbers=read.numbers,
        totals=read.totals,
        roles=roles,
        lines=read.lines,
        more=[texts[name] for name in roles.texts],
        skipped=read.skipped,
    )


def _texts(part: _core.StringParts) -> Texts:
    return Texts(part.data.view(np.uint8), part.offsets)


def _is_quoted(path: str | Path, data: bytes, separator: str, dialect: str, quotes: str) -> bool:
    """Whether quotes around cells are no part of them.

    In CSV they never are. TSV is written with quotes by some (pandas) and without by others: then a
    text may begin with a quote, but not all that do so look like cells in quotes.
    """
    if quotes not in QUOTES:
        raise OptionError(f"quotes is '{quotes}', expected one of: {', '.join(QUOTES)}")
    if quotes != "auto":
        return quotes == "yes"
    if b'"' not in data:
        return False
    if dialect == "csv":
        return True
    found = _core.quoting_of(data, separator)
    if found.broken and not found.header:
        return False
    if found.quoted and not found.header and not found.special:
        log.warning(f"{path}: cells in quotes are read without them; --quotes no keeps the quotes")
    return bool(found.quoted)
