"""Cluster files: which word is of which class. Two formats, told apart by their first line.

- ``word class``, as mkcls and word2vec write it;
- ``path word count`` with a path of 0s and 1s, as Brown clustering (wcluster) writes it; the
  path is the class.

Tabs or spaces stand between the fields, and nothing else: a no-break space belongs to a word.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.numbers import parse_whole
from tunesmith.formats.text import read_lines

_BETWEEN = re.compile(r"[ \t]+")


@dataclass(frozen=True)
class WordClass:
    """What a cluster file says of a word."""

    name: str
    """The class; in a file of Brown clusters its path."""
    count: int | None
    """How often the word occurs, if the file says so."""


def read_word_classes(path: str | Path, *, paths_only: bool = False) -> dict[str, WordClass]:
    """Word → class, in the order of the file; with `paths_only` the first format is refused."""
    classes: dict[str, WordClass] = {}
    brown: bool | None = True if paths_only else None
    for number, line in enumerate(read_lines(path), start=1):
        fields = [field for field in _BETWEEN.split(line) if field]
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
                "" if paths_only else "the format is that of the first line",
            )
        word, found = _word_and_path(path, number, fields) if brown else _word_and_class(fields)
        if classes.setdefault(word, found).name != found.name:
            raise InputError(path, number, f"a second class for '{word}'", "one class for a word")
    if not classes:
        raise InputError(path, 0, "no words", "lines with word and class")
    return classes


def _word_and_class(fields: list[str]) -> tuple[str, WordClass]:
    return fields[0], WordClass(fields[1], None)


def _word_and_path(path: str | Path, number: int, fields: list[str]) -> tuple[str, WordClass]:
    bits, word, count = fields
    if bits.strip("01"):
        raise InputError(path, number, f"the path '{bits}'", "0s and 1s")
    try:
        occurrences = parse_whole(count)
    except ValueError:
        occurrences = -1
    if occurrences < 0:
        raise InputError(path, number, f"the count '{count}'", "a whole number")
    return word, WordClass(bits, occurrences)


def write_word_paths(path: str | Path | None, classes: Mapping[str, WordClass]) -> None:
    """Write ``path TAB word TAB count`` lines: by path, then by count, then by word."""
    rows = sorted(classes.items(), key=lambda row: (row[1].name, -(row[1].count or 0), row[0]))
    with atomic_text(path) as stream:
        for word, found in rows:
            stream.write(f"{found.name}\t{word}\t{found.count or 0}\n")
