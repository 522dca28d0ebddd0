"""Reading the lexicon's data files: lines of text with comments and sections."""

from collections.abc import Iterator
from pathlib import Path

_DATA = Path(__file__).parent / "data"


def rows(name: str) -> Iterator[str]:
    """The lines of a data file without comments and empty lines."""
    for line in (_DATA / name).read_text("utf-8").splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            yield line


def sections(name: str) -> Iterator[tuple[str, str, str]]:
    """Every line with its section and what follows the section's name: ``[name] options``."""
    section = options = ""
    for line in rows(name):
        if line.startswith("["):
            section, _, options = line[1:].partition("]")
            options = options.strip()
        else:
            yield section, options, line
