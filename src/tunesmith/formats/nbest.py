"""N-best lists of any system: read into arrays by `read_nbest`, whatever their dialect.

The dialects, and what each may hold, are in docs/formats.md.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

import numpy as np

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.texts import Texts
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.feature_info import known_features, read_header
from tunesmith.formats.nbest_list import NbestList, SentenceList
from tunesmith.formats.text import unpacked_blocks

__all__ = [
    "DIALECTS",
    "ON_BAD_LINE",
    "NbestList",
    "OnBadLine",
    "SentenceList",
    "Texts",
    "read_nbest",
]

OnBadLine = Literal["raise", "skip"]
ON_BAD_LINE = ("raise", "skip")
#: The names that `dialect` and ``--format`` take.
DIALECTS: tuple[str, ...] = tuple(_core.nbest_dialects())


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
