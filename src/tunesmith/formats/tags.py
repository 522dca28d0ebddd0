"""Text with parts of speech: which tag a word has most often.

Two formats, told apart by their first line that is not empty:

- ``word/TAG word/TAG …``, a sentence a line; the tag is what stands behind the last slash;
- CoNLL: a word a line, columns between tabs, an empty line between sentences. Of ten columns
  (CoNLL-X, CoNLL-U) the second is the word and the fourth its tag; of fewer the first two are.
  Lines that begin with ``#`` are comments, and so are words with a range or a point for a number.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.formats.text import iter_lines


def read_tags(path: str | Path) -> dict[str, str]:
    """Word → its most frequent tag; of equally frequent ones the first in the alphabet."""
    counts: dict[str, Counter[str]] = {}
    for word, tag in _pairs(path):
        counts.setdefault(word, Counter())[tag] += 1
    if not counts:
        raise InputError(path, 0, "no words", "word/TAG or CoNLL lines")
    return {word: min(tags, key=lambda tag: (-tags[tag], tag)) for word, tags in counts.items()}


def _pairs(path: str | Path) -> Iterator[tuple[str, str]]:
    conll: bool | None = None
    for number, line in enumerate(iter_lines(path), start=1):
        if not line.strip() or (conll is not False and line.startswith("#")):
            continue
        if conll is None:
            conll = "\t" in line
        if conll:
            yield from _conll(path, number, line)
            continue
        for item in line.split():
            word, slash, tag = item.rpartition("/")
            if not (word and slash and tag):
                raise InputError(path, number, f"'{item}'", "word/TAG", "tag every word")
            yield word, tag


def _conll(path: str | Path, number: int, line: str) -> Iterator[tuple[str, str]]:
    columns = line.split("\t")
    if len(columns) >= 10:
        if columns[0].isdecimal():
            yield columns[1], columns[3]
    elif len(columns) >= 2:
        yield columns[0], columns[1]
    else:
        raise InputError(path, number, "1 column", "2 or 10, between tabs", "the format is CoNLL")
