"""`Journal`: what a long command has done so far, line by line, so that a kill costs nothing.

The file ``OUT.partial`` stands beside the output while it is being made. Its first line is the
settings of the run; then comes a line for each block: a digest of the input lines and what they
became. A run that finds it with the same settings goes on behind the last block whose input is the
same; a last line that was cut off is dropped.
"""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import IO, Any

from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.log import log

SUFFIX = ".partial"


class Journal:
    """The lines done so far. `lines` is how many the run before has left."""

    def __init__(self, file: IO[bytes], settings: Mapping[str, Any]) -> None:
        self._file = file
        self._head = json.dumps(settings, sort_keys=True).encode() + b"\n"
        self.lines = 0
        self._restart()

    def _restart(self) -> None:
        self._file.seek(0)
        if self._file.readline() != self._head:
            self._file.seek(0)
            self._file.truncate()
            self._file.write(self._head)
            self._file.flush()

    def missing(self, lines: Iterable[str], size: int) -> Iterator[list[str]]:
        """Blocks of `size` lines at most that are still to be done; `add` each before the next."""
        rest = iter(lines)
        place = self._file.seek(len(self._head))
        for record in self._records():
            block = list(islice(rest, record["lines"]))
            if _digest(block) != record["input"]:
                rest = chain(block, rest)
                log.warning("the input is not what it was: line %d and on anew", self.lines + 1)
                break
            place += len(record["bytes"])
            self.lines += len(block)
        self._file.seek(place)
        self._file.truncate()
        while block := list(islice(rest, size)):
            yield block

    def add(self, block: list[str], results: list[Any]) -> None:
        """Keep what a block has become: whatever JSON can hold."""
        record = {"lines": len(block), "input": _digest(block), "results": results}
        self._file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        self._file.flush()

    def results(self) -> Iterator[Any]:
        """All that has been done, in order."""
        self._file.seek(len(self._head))
        for record in self._records():
            yield from record["results"]

    def _records(self) -> Iterator[dict[str, Any]]:
        for line in self._file:
            try:
                record = json.loads(line) if line.endswith(b"\n") else None
            except ValueError:
                record = None
            if not isinstance(record, dict) or set(record) != {"lines", "input", "results"}:
                return
            yield {**record, "bytes": line}


def journal_path(out: str | Path) -> Path:
    """Where the journal of an output stands."""
    path = Path(out)
    return path.with_name(path.name + SUFFIX)


@contextmanager
def journal(out: str | Path, settings: Mapping[str, Any]) -> Iterator[Journal]:
    """The journal of the output `out`; it goes when the block ends, and when it is refused.

    It stays where the block is killed or interrupted.
    """
    path = journal_path(out)
    try:
        with open(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise OptionError(f"{out} is being written by another process") from None
            try:
                yield Journal(file, settings)
            except TunesmithError:
                path.unlink(missing_ok=True)
                raise
            path.unlink(missing_ok=True)
    except OSError as error:
        if error.filename is None or Path(os.fsdecode(error.filename)) != path:
            raise
        raise InputError(path, 0, error.strerror or str(error), "a writable file") from error


def _digest(lines: list[str]) -> str:
    digest = hashlib.blake2b(digest_size=12)
    for line in lines:
        digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()
