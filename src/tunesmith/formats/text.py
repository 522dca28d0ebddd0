"""Plain text, one sentence per line: UTF-8, possibly packed, from a file or standard input."""

import bz2
import contextlib
import gzip
import io
import itertools
import lzma
import re
import stat
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import cast

from tunesmith.base.errors import InputError, OptionError

# Bytes that are held at a time where a file is read as a stream.
BLOCK_BYTES = 1 << 20
# The longest line of text: a longer one is no sentence, but would be taken apart as one.
MAX_LINE_BYTES = BLOCK_BYTES

_GZIP_MAGIC = b"\x1f\x8b"
_XZ_MAGIC = b"\xfd7zXZ\x00"
# With what follows the size of blocks, of text and of nothing: three letters are no sign yet.
_BZIP2_MAGIC = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
_MAGIC_BYTES = 10
# What is not read, and what to do with it.
_REMEDIES = {
    b"\x28\xb5\x2f\xfd": "it is packed: unpack it with `zstd -d`",
    b"PK\x03\x04": "it is packed: unpack it with `unzip`",
    b"\xff\xfe": "convert the file with `iconv -f utf-16 -t utf-8`",
    b"\xfe\xff": "convert the file with `iconv -f utf-16 -t utf-8`",
}
UTF8_BOM = b"\xef\xbb\xbf"


def read_blocks(
    path: str | Path, *, as_it_comes: bool = False, keep_mark: bool = False
) -> Iterator[bytes]:
    """The content of a file in blocks, unpacked (gzip, xz, bzip2); ``-`` is standard input.

    Packed files are known by their first bytes, not by their names; a byte order mark is dropped
    unless `keep_mark`. Blocks are full but for the last one, unless `as_it_comes`: then a pipe's
    bytes are given as soon as they are there.
    """
    with contextlib.ExitStack() as stack:
        try:
            stream = _open(path, stack)
        except OSError as error:
            raise InputError(path, 0, f"cannot be read: {error.strerror}") from error
        try:
            read = stream.read1 if as_it_comes else stream.read
            blocks = iter(lambda: read(BLOCK_BYTES), b"")
            yield from blocks if keep_mark else _without_mark(blocks)
        except (OSError, EOFError, zlib.error, lzma.LZMAError) as error:
            raise InputError(
                path, 0, f"cannot be unpacked: {error}", remedy="the file is cut off or damaged"
            ) from error


def _without_mark(blocks: Iterator[bytes]) -> Iterator[bytes]:
    """The blocks without the byte order mark that some programs write before UTF-8."""
    begin: bytes | None = b""
    for block in blocks:
        if begin is not None:
            begin += block
            if UTF8_BOM.startswith(begin):
                continue
            block, begin = begin.removeprefix(UTF8_BOM), None
        yield block
    if begin and begin != UTF8_BOM:
        yield begin


def _open(path: str | Path, stack: contextlib.ExitStack) -> io.BufferedReader:
    if str(path) == "-":
        standard: object = sys.stdin.buffer
        if isinstance(standard, io.BufferedReader):
            reader = standard
        else:
            reader = io.BufferedReader(cast("io.RawIOBase", standard))
            stack.callback(reader.detach)  # or standard input would be closed
    else:
        reader = io.BufferedReader(stack.enter_context(io.FileIO(path)))
    magic = reader.peek(_MAGIC_BYTES)
    if magic.startswith(_GZIP_MAGIC):
        return cast("io.BufferedReader", stack.enter_context(gzip.GzipFile(fileobj=reader)))
    if magic.startswith(_XZ_MAGIC):
        return cast("io.BufferedReader", stack.enter_context(lzma.LZMAFile(reader)))
    if _BZIP2_MAGIC.match(magic):
        return cast("io.BufferedReader", stack.enter_context(bz2.BZ2File(reader)))
    return reader


def _is_packed(begin: bytes) -> bool:
    return begin.startswith((_GZIP_MAGIC, _XZ_MAGIC)) or bool(_BZIP2_MAGIC.match(begin))


def unpacked_blocks(path: str | Path) -> Iterator[bytes] | None:
    """`read_blocks` for a packed file, a pipe or standard input; None if `path` is a plain file.

    Native readers open plain files themselves, with many threads.
    """
    if str(path) != "-":
        try:
            if stat.S_ISREG(Path(path).stat().st_mode):
                with Path(path).open("rb") as stream:
                    if not _is_packed(stream.read(_MAGIC_BYTES)):
                        return None
        except OSError as error:
            raise InputError(path, 0, f"cannot be read: {error.strerror}") from error
    return read_blocks(path)


def read_bytes(path: str | Path, *, keep_mark: bool = False, at_most: int | None = None) -> bytes:
    """The content of a file, unpacked, as `read_blocks` gives it; a larger one is refused."""
    blocks: list[bytes] = []
    size = 0
    for block in read_blocks(path, keep_mark=keep_mark):
        size += len(block)
        if at_most is not None and size > at_most:
            limit = f"{at_most:,} bytes"
            raise InputError(path, 0, f"more than {limit}", f"at most {limit}", "cut it up")
        blocks.append(block)
    return b"".join(blocks)


def read_lines(path: str | Path) -> list[str]:
    r"""The lines of a UTF-8 text file (plain, gzip, xz or bzip2; ``-`` is standard input).

    Only ``\n`` and ``\r\n`` end a line: the other characters at which `str.splitlines` splits
    (U+2028, U+0085, …) occur inside sentences, and a file must not change its number of lines by
    them. A byte order mark at the start is dropped. A last line without a line end counts.
    """
    return list(iter_lines(path))


def decode_lines(
    data: bytes, path: str | Path, lines_before: int = 0, *, keep_returns: bool = False
) -> list[str]:
    r"""The lines of `data`, which follow `lines_before` other lines of the file `path`.

    With `keep_returns`, a line that ends with ``\r\n`` keeps its ``\r``.
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(
            path,
            lines_before + data.count(b"\n", 0, error.start) + 1,
            f"byte 0x{data[error.start]:02x} at column {_column(data, error.start)}",
            "UTF-8",
            _remedy(b"" if lines_before else data),
        ) from error
    if "\0" in text:
        at = data.index(0)
        raise InputError(
            path,
            lines_before + data.count(b"\n", 0, at) + 1,
            f"a NUL byte at column {_column(data, at)}",
            "UTF-8 text",
            "is it a binary file, or text in UTF-16?",
        )
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if "\r" in text and not keep_returns:
        lines = [line.removesuffix("\r") for line in lines]
    return lines


def _remedy(begin: bytes) -> str:
    """What to do with a file that is not UTF-8 and begins so."""
    known = (remedy for magic, remedy in _REMEDIES.items() if begin.startswith(magic))
    return next(known, "convert the file, for example with `iconv -t utf-8`")


def _column(data: bytes, position: int) -> int:
    return position - (data.rfind(b"\n", 0, position) + 1) + 1


def iter_lines(path: str | Path) -> Iterator[str]:
    """The lines of a text file, as `read_lines` gives them, in bounded memory."""
    return itertools.chain.from_iterable(iter_line_blocks(path))


def iter_line_blocks(path: str | Path, *, keep_returns: bool = False) -> Iterator[list[str]]:
    """The same, as many lines at a time as there are: nobody who types waits for a full block."""
    lines_before, rest, held = 0, [b""], 0  # what came after the last line end, and its length
    for block in read_blocks(path, as_it_comes=True):
        end = block.rfind(b"\n") + 1
        if held + (block.find(b"\n") if end else len(block)) > MAX_LINE_BYTES:
            found = f"more than {MAX_LINE_BYTES:,} bytes"
            raise InputError(path, lines_before + 1, found, "a sentence on a line")
        if end:
            whole = b"".join([*rest, block[:end]])
            lines = decode_lines(whole, path, lines_before, keep_returns=keep_returns)
            lines_before += len(lines)
            yield lines
            rest, held = [], 0
        rest.append(block[end:])
        held += len(block) - end
    yield decode_lines(b"".join(rest), path, lines_before, keep_returns=keep_returns)


def whole_lines(path: str | Path) -> Iterator[tuple[bytes, int]]:
    """Blocks that end with a line's end, and the number of their first line."""
    rest, line = b"", 1
    for block in read_blocks(path):
        cut = block.rfind(b"\n") + 1
        if cut == 0:
            rest += block
            continue
        lines = rest + block[:cut]
        decode_lines(lines, path, line - 1)  # refuses what is not UTF-8
        yield lines, line
        line += lines.count(b"\n")
        rest = block[cut:]
    if rest:
        decode_lines(rest, path, line - 1)
        yield rest, line


def iter_parallel_lines(source: str | Path, target: str | Path) -> Iterator[tuple[str, str]]:
    """The lines of two files side by side, which must be equally many."""
    if str(source) == str(target) == "-":
        raise OptionError("source and target cannot both be standard input")
    sources, targets = iter_lines(source), iter_lines(target)
    for count in itertools.count():
        one, other = next(sources, None), next(targets, None)
        if one is None and other is None:
            return
        if one is None or other is None:
            short, long = (source, target) if one is None else (target, source)
            rest = sum(1 for _ in (targets if one is None else sources))
            raise InputError(
                short,
                0,
                f"{count:,} lines",
                f"{count + 1 + rest:,} as in {long}",
                "the files are not parallel, or one is cut off",
            )
        yield one, other
