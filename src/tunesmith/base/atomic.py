"""Files that appear whole or not at all: written beside their final name, then renamed."""

import io
import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from tunesmith.base.errors import InputError

# Seconds by which the clocks of files and of processes may differ.
_CLOCK_SLACK = 10.0

# What this process is writing now.
_open: set[Path] = set()


@contextmanager
def atomic_text(path: str | Path | None) -> Iterator[IO[str]]:
    """Open `path` for writing UTF-8 text; it appears when the block ends without an exception.

    `None` and ``"-"`` mean standard output; a path that ends in ``.gz`` or ``.xz`` is packed.
    """
    if path is None or str(path) == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    path = Path(path)
    with (
        _renamed(path, of_block=False) as temporary,
        io.BufferedWriter(_Output(temporary, path)) as plain,
        io.TextIOWrapper(_packed(plain, path.suffix), encoding="utf-8", newline="\n") as stream,
    ):
        yield stream


def _packed(plain: Any, suffix: str) -> Any:
    if suffix == ".gz":
        import gzip

        # Time stamp and name in the gzip header would make equal contents unequal bytes.
        return gzip.GzipFile("", "wb", compresslevel=6, fileobj=plain, mtime=0)
    if suffix == ".xz":
        import lzma

        return lzma.LZMAFile(plain, "wb")
    return plain


class _Output(io.FileIO):
    """A file whose errors have the name that the user knows."""

    def __init__(self, file: Path, name: Path) -> None:
        self._name = name
        super().__init__(file, "wb")

    def write(self, data: Any) -> int:
        """Write; a full disk is an error of this file, whoever is being written besides."""
        try:
            return super().write(data)
        except BrokenPipeError:
            raise  # nobody reads on: no fault of the file
        except OSError as error:
            raise _unwritable(self._name, error) from error


@contextmanager
def atomic_path(path: str | Path) -> Iterator[Path]:
    """A temporary path beside `path` to write a file to; renamed to `path` at the end.

    A device, a pipe or a socket is written to itself: a rename would put a file in its place.
    """
    with _renamed(Path(path), of_block=True) as temporary:
        yield temporary


@contextmanager
def atomic_directory(path: str | Path) -> Iterator[Path]:
    """A temporary folder beside `path`; it takes the place of `path` at the end."""
    path = Path(path)
    temporary = _temporary_beside(path)
    shutil.rmtree(temporary, ignore_errors=True)
    try:
        with _named(path, temporary, of_block=True, what="a writable folder"):
            temporary.mkdir(parents=True)
            yield temporary
            if path.exists():
                shutil.rmtree(path)
            os.replace(temporary, path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def check_writable(path: str | Path | None) -> None:
    """Refuse a path that `atomic_text` could not write, before the work whose result it is for."""
    if path is None or str(path) == "-":
        return
    path = Path(path)
    if is_special(path):
        if not os.access(path, os.W_OK):
            raise InputError(path, 0, "no permission to write", "a writable file")
        return
    _check_place(path)
    _try_beside(path, Path.touch, Path.unlink, "a writable file")


def check_writable_folder(path: str | Path, *, replaced: bool = True) -> None:
    """Refuse a path at which no folder can be made, before the work whose result it is for.

    A folder that is there is `replaced`, or written into.
    """
    path = Path(path)
    if os.path.exists(path) and not os.path.isdir(path):
        raise InputError(path, 0, "a file", "the name of a folder to write")
    if replaced and not path.name:
        raise InputError(path, 0, "a folder", "the name of something to write")
    place = path.absolute()
    if os.path.isdir(path) and not replaced:
        place = place / "in"
    parent = next(parent for parent in place.parents if os.path.exists(parent))
    _try_beside(parent / place.name, Path.mkdir, Path.rmdir, "a writable folder", shown=path)


def _try_beside(path: Path, make: Any, remove: Any, what: str, shown: Path | None = None) -> None:
    temporary = _temporary_beside(path)
    try:
        make(temporary)
        remove(temporary)
    except OSError as error:
        raise _unwritable(shown or path, error, what) from error


@contextmanager
def _renamed(path: Path, *, of_block: bool) -> Iterator[Path]:
    """A temporary path that is renamed to `path`; one that leads to no file is `path` itself."""
    if is_special(path):
        with _named(path, path, of_block=of_block):
            yield path
        return
    _check_place(path)
    place = Path(os.path.realpath(path))
    if place in _open:
        raise InputError(path, 0, "to be written twice", "different names of what is written")
    _open.add(place)
    temporary = _temporary_beside(path)
    try:
        with _named(path, temporary, of_block=of_block):
            yield temporary
            os.replace(temporary, path)
    finally:
        _open.discard(place)
        temporary.unlink(missing_ok=True)


@contextmanager
def _named(
    path: Path, temporary: Path, *, of_block: bool, what: str = "a writable file"
) -> Iterator[None]:
    """Give errors of `temporary` the name of `path`; `of_block`: also errors without a name."""
    try:
        yield
    except InputError as error:
        if not Path(error.path).is_relative_to(temporary) or temporary == path:
            raise
        known = path / Path(error.path).relative_to(temporary)
        raise InputError(known, error.line, error.found, error.expected, error.remedy) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is None:
            own = of_block
        else:
            own = Path(os.fsdecode(error.filename)).is_relative_to(temporary)
        if own:
            raise _unwritable(path, error, what) from error
        raise


def _unwritable(path: Path, error: OSError, what: str = "a writable file") -> InputError:
    return InputError(path, 0, error.strerror or str(error), what)


def _check_place(path: Path) -> None:
    """Refuse what can never be the name of a file to write."""
    if not path.name:
        raise InputError(path, 0, "a folder", "the name of something to write")
    if os.path.isdir(path):
        raise InputError(path, 0, "a folder", "the name of a file to write")
    if not os.path.isdir(path.parent):
        raise InputError(path, 0, "its folder does not exist", "an existing folder")


def _temporary_beside(path: Path) -> Path:
    if not path.name:
        raise InputError(path, 0, "a folder", "the name of something to write")
    _remove_left_behind(path)
    return path.with_name(f".{path.name}.tmp{os.getpid()}")


def _remove_left_behind(path: Path) -> None:
    """Remove what killed processes left of earlier attempts to write `path`."""
    pattern = re.compile(re.escape(f".{path.name}") + r"\.tmp(\d+)(\.tmp\d+|\.spill\.\w+)?")
    try:
        names = os.listdir(path.parent)
    except OSError:
        return  # whoever writes will say what is wrong
    for name in names:
        match = pattern.fullmatch(name)
        if match is None:
            continue
        left = path.with_name(name)
        if _is_written_by(int(match[1]), left):
            continue
        if left.is_dir() and not left.is_symlink():
            shutil.rmtree(left, ignore_errors=True)
        else:
            left.unlink(missing_ok=True)


def _is_written_by(process: int, left: Path) -> bool:
    """Whether a process lives, and did when `left` was written: numbers are given out again."""
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # it lives and is another user's
    try:
        # Times are those of proc(5): clock ticks after the system's start, seconds since 1970.
        after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        ticks = int(after_name[19])
        booted = re.search(r"^btime (\d+)$", Path("/proc/stat").read_text(), re.MULTILINE)
        if booted is None:
            return True
        started = int(booted[1]) + ticks / os.sysconf("SC_CLK_TCK")
        return started <= left.lstat().st_mtime + _CLOCK_SLACK
    except (OSError, IndexError, ValueError):
        return True  # nothing is known of it here


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
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
