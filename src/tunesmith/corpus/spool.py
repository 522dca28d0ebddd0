"""`PairSpool`: pairs of lines that wait on disk, to be read more than once in bounded memory."""

from collections.abc import Iterable, Iterator
from itertools import compress, islice
from pathlib import Path
from typing import IO

from tunesmith.corpus.sentences import BLOCK_LINES

SIDES = ("source", "target")
Lines = list[str]


class PairSpool:
    """Two files beside each other, ``NAME.source`` and ``NAME.target``.

    Written once inside a ``with``, then read as often as one likes; `unlink` takes them away.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.paths = [folder / f"{name}.{side}" for side in SIDES]
        self._files: list[IO[str]] = []

    def __enter__(self) -> "PairSpool":
        self._files = [path.open("w", encoding="utf-8", newline="\n") for path in self.paths]
        return self

    def __exit__(self, *_: object) -> None:
        for file in self._files:
            file.close()

    def add(self, sides: Iterable[Iterable[str]]) -> None:
        """Lines of the one side and as many of the other; a line has no line end."""
        for file, lines in zip(self._files, sides, strict=True):
            file.writelines(f"{line}\n" for line in lines)

    def lines(self, side: int, chosen: Iterable[object] | None = None) -> Iterator[str]:
        """The lines of a side; those with a true value in `chosen` alone."""
        with self.paths[side].open(encoding="utf-8", newline="\n") as file:
            lines = (line[:-1] for line in file)
            yield from lines if chosen is None else compress(lines, chosen)

    def blocks(self, chosen: Iterable[object] | None = None) -> Iterator[list[Lines]]:
        """Both sides, `BLOCK_LINES` pairs at a time."""
        kept = None if chosen is None else list(chosen)
        streams = [self.lines(side, kept) for side in range(len(SIDES))]
        while (block := [list(islice(lines, BLOCK_LINES)) for lines in streams])[0]:
            yield block

    def unlink(self) -> None:
        """Remove the files."""
        for path in self.paths:
            path.unlink()
