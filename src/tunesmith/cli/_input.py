"""What `translate` reads: files, standard input, or text of the command line."""

import argparse
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from tunesmith.base.atomic import check_writable_folder
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.languages import known_locale
from tunesmith.formats.documents import has_known_suffix
from tunesmith.formats.text import iter_line_blocks


@dataclass(eq=False)
class Input:
    """Lines of a file, of standard input (``-``), or of `text`."""

    path: str = "-"
    text: str | None = None
    line_end: str = "\n"
    """What ends the first line, as soon as that has been read."""

    def blocks(self) -> Iterator[list[str]]:
        """The lines without their ends, as many at a time as there are."""
        if self.text is not None:
            yield self.text.removesuffix("\n").split("\n")
            return
        is_first = True
        for lines in iter_line_blocks(self.path, keep_returns=True):
            if is_first and lines:
                self.line_end = "\r\n" if lines[0].endswith("\r") else "\n"
                is_first = False
            yield [line.removesuffix("\r") for line in lines]

    def lines(self) -> Iterator[str]:
        """The lines one by one."""
        return chain.from_iterable(self.blocks())

    def count(self) -> int | None:
        """The number of lines, if they can be read twice."""
        is_twice = self.text is not None or Path(self.path).is_file()
        return sum(1 for _ in self.lines()) if is_twice else None


def given_inputs(arguments: argparse.Namespace) -> list[Input]:
    """The inputs on the command line, or else standard input."""
    words: list[str] = arguments.inputs
    if arguments.input is not None:
        if words:
            raise OptionError(
                f"--input {arguments.input} and '{words[0]}', expected one of the two"
            )
        return [Input(arguments.input)]
    if len(words) == 1 and not _is_file_name(words[0]):
        return [Input("TEXT", words[0])]
    for word in words:
        if word != "-" and not os.path.exists(word):
            remedy = "quote a sentence as one argument" if len(words) > 1 else ""
            raise InputError(word, 0, "no such file", "the name of a file", remedy)
    return list(map(Input, words)) or [Input()]


def _is_file_name(word: str) -> bool:
    """Return whether an argument names a file, even one that does not exist."""
    if word == "-" or os.path.exists(word) or has_known_suffix(word):
        return True
    is_one_word = len(word.split()) == 1
    if is_one_word and known_locale(Path(word).suffix[1:]):  # test.de
        return True
    return "/" in word and (is_one_word or Path(word).parent.is_dir())


def targets_in(folder: str | None, sources: Sequence[Input]) -> list[str]:
    """The files in `folder`, which is made, that the translations of `sources` are written to."""
    if folder is None or os.path.isfile(folder):
        raise OptionError(f"{len(sources):,} inputs, expected --out FOLDER")
    check_writable_folder(folder, replaced=False)
    targets: dict[str, str] = {}
    for source in sources:
        path = os.path.join(folder, os.path.basename(source.path))
        if source.path == "-" or source.text is not None:
            raise InputError(folder, 0, "a folder", "the name of a file, or files as inputs")
        if other := targets.get(path):
            raise InputError(path, 0, f"the translation of both {other} and {source.path}")
        if os.path.realpath(path) == os.path.realpath(source.path):
            raise InputError(path, 0, "the file to translate", "another folder")
        targets[path] = source.path
    os.makedirs(folder, exist_ok=True)
    return list(targets)
