"""Files that appear whole or not at all: written beside their final name, then renamed."""

import io
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from tunesmith.base.errors import InputError


def _temporary_beside(path: Path) -> Path:
    if not path.name:
        raise InputError(path, 0, "a folder", "the name of something to write")
    _remove_left_behind(path)
    return path.with_name(f".{path.name}.tmp{os.getpid()}")


def _remove_left_behind(path: Path) -> None:
    """Remove what killed processes left of earlier attempts to write `path`."""
    pattern = re.compile(re.escape(f".{path.name}") + r"\.tmp(\d+)(\.tmp\d+)?")
    try:
        names = os.listdir(path.parent)
    except OSError:
        return  # whoever writes will say what is wrong
    for name in names:
        match = pattern.fullmatch(name)
        if match is None or _is_alive(int(match[1])):
            continue
        left = path.with_name(name)
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


@contextmanager
def atomic_text(path: str | Path | None) -> Iterator[IO[str]]:
    """Open `path` for writing UTF-8 text; it appears when the block ends without an exception.

    `None` and ``"-"`` mean standard output; a path that ends in ``.gz`` or ``.xz`` is packed.
    """
    if path is None or str(path) == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    with atomic_path(path) as temporary, _open_packed(temporary, Path(path).suffix) as stream:
        yield stream


def _open_packed(path: Path, suffix: str) -> IO[str]:
    if suffix == ".gz":
        import gzip

        # Time stamp and name in the gzip header would make equal contents unequal bytes.
        plain = io.FileIO(path, "wb")
        packed = gzip.GzipFile("", "wb", compresslevel=6, fileobj=plain, mtime=0)
        packed.myfileobj = plain  # closed with it

        return io.TextIOWrapper(packed, encoding="utf-8", newline="\n")
    if suffix == ".xz":
        import lzma

        return lzma.open(path, "wt", encoding="utf-8", newline="\n")
    return open(path, "w", encoding="utf-8", newline="\n")


def is_special(path: Path) -> bool:
    """Whether `path` is there and neither a file nor a folder, or stands where devices do.

    >>> is_special(Path("/dev/null")), is_special(Path("/dev/stdout")), is_special(Path("/tmp"))
    (True, True, False)
    """
    # /dev/stdout may well lead to a file; the name itself must stay what it is. Not so /dev/shm,
    # where ordinary files live in memory.
    place = Path(os.path.realpath(path.parent)).parts[1:3]
    if place[:1] in {("dev",), ("proc",)} and place != ("dev", "shm"):
        return True
    return path.exists() and not path.is_file() and not path.is_dir()


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path` to write a file to; renamed to `path` at the end.

    A device, a pipe or a socket is written to itself: a rename would put a file in its place.
    """
    path = Path(path)
    if is_special(path):
        try:
            yield path
        except OSError as error:
            raise InputError(path, 0, error.strerror or str(error), "a writable file") from error
        return
    temporary = _temporary_beside(path)
    try:
        if not path.parent.is_dir():
            raise InputError(path, 0, "its folder does not exist", "an existing folder")
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(path, 0, error.strerror or str(error), "a writable file") from error
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_directory(path: str | Path) -> Iterator[Path]:
    """A temporary folder beside `path`; it takes the place of `path` at the end."""
    path = Path(path)
    temporary = _temporary_beside(path)
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        temporary.mkdir(parents=True)
        yield temporary
        if path.exists():
            shutil.rmtree(path)
        os.replace(temporary, path)
    except OSError as error:
        raise InputError(path, 0, error.strerror or str(error), "a writable folder") from error
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
