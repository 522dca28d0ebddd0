"""A folder in which one process works at a time; whoever comes second is told who is there.

The lock is the system's own (flock): it ends with its process, however that ends, so that nothing
is left behind to be removed by hand. What is written in the file is for people.
"""

import fcntl
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from time import monotonic, sleep

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.log import log

LOCK_FILE = ".lock"
# Seconds until a process that was killed a moment ago has given back its memory and its locks.
GRACE = 2.0


@contextmanager
def locked(folder: str | Path, *, wait: bool = False) -> Iterator[None]:
    """Keep `folder`, which is made if need be, to this process while the block runs.

    If another process has it, that is an `OptionError` which names it; with `wait`, the end of that
    process is waited for.
    """
    folder = Path(folder)
    is_new = not folder.exists()
    try:
        file = _locked_file(folder, wait)
    except OSError as error:
        raise InputError(folder, 0, error.strerror or str(error), "a writable folder") from error
    try:
        yield
    finally:
        # Removed while it is locked: whoever has opened it meanwhile sees that it is gone.
        (folder / LOCK_FILE).unlink(missing_ok=True)
        os.close(file)
        if is_new:
            with suppress(OSError):  # there is something in it
                folder.rmdir()


def _locked_file(folder: Path, wait: bool) -> int:
    """The open lock file of `folder`, locked and with our name in it."""
    path = folder / LOCK_FILE
    while True:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        except (FileExistsError, FileNotFoundError):
            if folder.exists() and not folder.is_dir():
                raise
            continue  # whoever made the folder has just removed it, as it stayed empty
        try:
            _lock(file, folder, wait)
            if _is_there(path, file):
                os.ftruncate(file, 0)
                os.pwrite(file, _own_name().encode(), 0)
                return file
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _lock(file: int, folder: Path, wait: bool) -> None:
    end = monotonic() + GRACE
    while not _is_free(file):
        if monotonic() < end:
            sleep(0.05)
            continue
        other = os.pread(file, 1000, 0).decode(errors="replace") or "another process"
        if not wait:
            raise OptionError(
                f"{folder} is in use by {other}; wait until it has ended, or give another folder"
            )
        log.info("%s is in use by %s: waiting for its end", folder, other)
        fcntl.flock(file, fcntl.LOCK_EX)
        return


def _is_free(file: int) -> bool:
    """Lock the file, unless somebody else has."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_there(path: Path, file: int) -> bool:
    """Whether `file` is still what `path` names: its last owner may have removed it."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(file))
    except FileNotFoundError:
        return False


def _own_name() -> str:
    now = datetime.now().astimezone().isoformat(" ", "seconds")
    return f"process {os.getpid()} on {socket.gethostname()}, which began at {now}"
