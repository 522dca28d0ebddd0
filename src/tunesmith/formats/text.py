"""Plain text, one sentence per line: UTF-8, possibly compressed, from a file or standard input."""

import gzip
import lzma
import sys
import zlib
from pathlib import Path

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
