"""Cluster files: which word is of which class, for class-based models.

Two formats, told apart by their first line:

- ``word class`` (between tabs or spaces), as mkcls and word2vec write it;
- ``path word count`` with a path of 0s and 1s, as Brown clustering (wcluster) writes it; the
  path is the class.
"""

from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.formats.text import read_lines


def read_classes(path: str | Path) -> dict[str, str]:
    """Word → class."""
    classes: dict[str, str] = {}
    brown: bool | None = None
    for number, line in enumerate(read_lines(path), start=1):
        fields = line.split()
        if not fields:
            continue
        if brown is None:
            brown = len(fields) == 3 and not fields[0].strip("01")
        if len(fields) != (3 if brown else 2):
            raise InputError(
                path,
                number,
                f"{len(fields)} fields",
                "path, word and count" if brown else "word and class",
                "the format is that of the first line",
            )
        word, name = (fields[1], fields[0]) if brown else (fields[0], fields[1])
        if classes.setdefault(word, name) != name:
            raise InputError(path, number, f"a second class for '{word}'", "one class for a word")
    if not classes:
        raise InputError(path, 0, "no words", "lines with word and class")
    return classes
