"""Plain text, one sentence per line: UTF-8, possibly compressed, from a file or standard input."""

import gzip
import lzma
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from tunesmith.base.errors import InputError

_GZIP_MAGIC = b"\x1f\x8b"
_XZ_MAGIC = b"\xfd7zXZ\x00"
_UTF8_BOM = b"\xef\xbb\xbf"


def read_bytes(path: str | Path) -> bytes:
    """The content of a file, unpacked if it is gzip or xz (by its first bytes, not by its name).

    ``-`` is standard input.
    """
    if str(path) == "-":
        data = sys.stdin.buffer.read()
    else:
        try:
            data = Path(path).read_bytes()
        except OSError as error:
            raise InputError(path, 0, f"cannot be read: {error.strerror}") from error
    try:
        if data.startswith(_GZIP_MAGIC):
            return gzip.decompress(data)
        if data.startswith(_XZ_MAGIC):
            return lzma.decompress(data)
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise InputError(
            path, 0, f"cannot be unpacked: {error}", remedy="the file is cut off or damaged"
        ) from error
    return data


def read_lines(path: str | Path) -> list[str]:
    r"""The lines of a UTF-8 text file (plain, gzip or xz; ``-`` is standard input).

    Only ``\n`` and ``\r\n`` end a line: the other characters at which `str.splitlines` splits
    (U+2028, U+0085, …) occur inside sentences, and a file must not change its number of lines by
    them. A byte order mark at the start is dropped. A last line without a line end counts.
    """
    data = read_bytes(path)
    data = data.removeprefix(_UTF8_BOM)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        raise InputError(
            path,
            line,
            f"byte 0x{data[error.start]:02x} at column {column}",
            "UTF-8",
            "convert the file, for example with `iconv -t utf-8`",
        ) from error
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return lines


# Bytes of a block that `unpacked_blocks` yields.
BLOCK_BYTES = 1 << 20


def unpacked_blocks(path: str | Path) -> Iterator[bytes] | None:
    """The content of a packed file or of standard input in blocks; None if `path` is plain.

    Native readers open plain files themselves, with many threads. Gzip and xz are known by their
    first bytes, not by the file's name.
    """
    if str(path) == "-":
        stream: IO[bytes] = sys.stdin.buffer
        first = stream.read(BLOCK_BYTES)
    else:
        try:
            stream = open(path, "rb")  # noqa: SIM115 (closed by _blocks, or below)
        except OSError as error:
            raise InputError(path, 0, f"cannot be read: {error.strerror}") from error
        try:
            first = stream.read(len(_XZ_MAGIC))
        except OSError as error:
            stream.close()
            raise InputError(path, 0, f"cannot be read: {error.strerror}") from error
        if not first.startswith((_GZIP_MAGIC, _XZ_MAGIC)) and stream.seekable():
            stream.close()
            return None
    return _blocks(path, stream, first)


def _blocks(path: str | Path, stream: IO[bytes], first: bytes) -> Iterator[bytes]:
    source: IO[bytes] = _Joined(first, stream)  # type: ignore[assignment]
    if first.startswith(_GZIP_MAGIC):
        source = gzip.GzipFile(fileobj=source)  # type: ignore[assignment]
    elif first.startswith(_XZ_MAGIC):
        source = lzma.LZMAFile(source)  # noqa: SIM115
    try:
        while block := source.read(BLOCK_BYTES):
            yield block
    except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
        raise InputError(
            path, 0, f"cannot be unpacked: {error}", remedy="the file is cut off or damaged"
        ) from error
    finally:
        if stream is not sys.stdin.buffer:
            stream.close()


class _Joined:
    """A stream whose first bytes have been read already."""

    def __init__(self, first: bytes, stream: IO[bytes]) -> None:
        self._first, self._stream = first, stream

    def read(self, size: int = -1) -> bytes:
        if self._first:
            head, self._first = self._first, b""
            return head if size < 0 or len(head) <= size else self._split(head, size)
        return self._stream.read(size)

    def _split(self, head: bytes, size: int) -> bytes:
        self._first = head[size:]
        return head[:size]

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return False

    def tell(self) -> int:
        return 0

    @property
    def closed(self) -> bool:
        return False

    def close(self) -> None:
        """The owner of the stream closes it."""
