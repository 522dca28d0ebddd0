"""Independent pieces of work in processes of their own, as many at a time as memory allows."""

import multiprocessing
import os
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, TypeVar

from tunesmith.base import log, progress
from tunesmith.base.errors import TunesmithError

T = TypeVar("T")
R = TypeVar("R")


def run_in_processes(
    items: Sequence[T], work: Callable[[T], R], *, jobs: int
) -> Iterator[tuple[int, R]]:
    """Give the number of each item and ``work(item)``, in the order in which they are done.

    `jobs` processes work at a time, fewer while memory is short: the first piece of work runs alone
    and shows what one takes, and another begins only if there is room for one more beside all that
    run. `work` and what it gives must be such that they can be pickled. An exception of a worker is
    raised here, and the others are ended; they also end by themselves if this process dies.
    """
    waiting = deque(enumerate(items))
    running: dict[Connection, tuple[int, BaseProcess]] = {}
    largest = 0
    try:
        while waiting or running:
            while waiting and len(running) < jobs and _has_room(largest, len(running)):
                number, item = waiting.popleft()
                connection, process = _start(work, item)
                running[connection] = number, process
            for ready in wait(list(running)):
                assert isinstance(ready, Connection)
                number, process = running.pop(ready)
                result, memory = _received(ready, process)
                largest = max(largest, memory)
                yield number, result
    finally:
        for _, process in running.values():
            process.terminate()
            process.join()


def peak_memory() -> int:
    """The most memory that this process has used, in bytes; mapped files count."""
    # Linux' getrusage counts what the parent had when it began this process.
    own = _kilobytes("/proc/self/status", "VmHWM")
    if own is not None:
        return own * 1024
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def available_memory() -> int | None:
    """Bytes that new work can have without swapping; None where the system does not say."""
    found = _kilobytes("/proc/meminfo", "MemAvailable")
    return None if found is None else found * 1024


def _kilobytes(path: str, key: str) -> int | None:
    """A number of a file of Linux' kernel; None where there is none."""
    try:
        for line in Path(path).read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith(f"{key}:"):
                return int(line.split()[1])
    except OSError:
        pass
    return None


def _has_room(largest: int, running: int) -> bool:
    if running == 0:
        return True
    available = available_memory()
    # What runs may still grow to the largest size seen; none has been seen before the first ends.
    return largest > 0 and (available is None or available > largest * (running + 1))


def _start(work: Callable[[T], R], item: T) -> tuple[Connection, BaseProcess]:
    # A new interpreter, not a fork: native threads do not survive one.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_worker, args=(theirs, work, item))
    process.start()
    theirs.close()
    return ours, process


def _received(connection: Connection, process: BaseProcess) -> tuple[Any, int]:
    try:
        result, error, memory = connection.recv()
    except EOFError:
        process.join()
        raise TunesmithError(
            f"a worker process ended with exit code {process.exitcode}; was memory short?"
        ) from None
    finally:
        connection.close()
    process.join()
    if error is not None:
        raise error
    return result, memory


def _worker(connection: Connection, work: Callable[[T], R], item: T) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    log.configure(quiet=True)
    progress.silence()
    try:
        answer: tuple[Any, BaseException | None, int] = (work(item), None, peak_memory())
    except KeyboardInterrupt:
        return
    except BaseException as error:
        answer = (None, error, 0)
    connection.send(answer)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
