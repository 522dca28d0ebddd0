"""Reference translations: one or many files, one sentence per line."""

from collections.abc import Sequence
from pathlib import Path

from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.text import read_lines


def read_references(paths: str | Path | Sequence[str | Path]) -> list[list[str]]:
    """The sentences of every reference file, plain or packed; all must have as many lines.

    An empty line is a sentence whose reference says nothing; a file without any line is refused.
    """
    files = [paths] if isinstance(paths, str | Path) else list(paths)
    if not files:
        raise OptionError("no reference files")
    references = [read_lines(path) for path in files]
    for path, lines in zip(files, references, strict=True):
        if not lines:
            raise InputError(path, 0, "an empty file", "one reference per line")
        if len(lines) != len(references[0]):
            raise InputError(
                path,
                0,
                f"{len(lines):,} lines",
                f"{len(references[0]):,}, as {files[0]} has",
                "every reference file needs one line per sentence",
            )
    return references
