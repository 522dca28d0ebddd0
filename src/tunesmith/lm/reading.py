"""Large files in pieces, unpacked on the way: ARPA models, training text."""

import gzip
import io
import lzma
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from tunesmith.base.errors import InputError

_GZIP, _XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
_PIECE_BYTES = 1 << 20


def read_pieces(path: str | Path) -> Iterator[bytes]:
    """The content of a file in pieces, gzip and xz unpacked; ``-`` is standard input."""
    try:
        if str(path) == "-":
            yield from _unpacked(cast(io.BufferedReader, sys.stdin.buffer), "<stdin>")
        else:
            with open(path, "rb") as stream:
                yield from _unpacked(stream, path)
    except OSError as error:
        raise InputError(path, 0, error.strerror or str(error), "a readable file") from error


def _unpacked(stream: io.BufferedReader, path: object) -> Iterator[bytes]:
    start = stream.peek(len(_XZ))
    try:
        source: io.BufferedReader = stream
        if start.startswith(_GZIP):
            source = cast(io.BufferedReader, gzip.open(stream))  # noqa: SIM115
        elif start.startswith(_XZ):
            source = cast(io.BufferedReader, lzma.open(stream))  # noqa: SIM115
        while piece := source.read1(_PIECE_BYTES):  # what is there already, from a pipe
            yield piece
    except (gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError) as error:
        raise InputError(
            path, 0, f"cannot be unpacked: {error}", "a whole file", "copy or make it again"
        ) from error
