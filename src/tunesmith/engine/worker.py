"""One piece of work in a process of its own."""

import multiprocessing
import os
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from tunesmith.base import log, progress
from tunesmith.base.errors import TunesmithError
from tunesmith.engine.base import Result, Shard
from tunesmith.engine.memory import peak_memory


def start(function: Callable[[Shard], Result], shard: Shard) -> tuple[Connection, BaseProcess]:
    """Begin ``function(shard)``; its answer comes through the connection."""
    # A new interpreter, not a fork: native threads do not survive one.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_work, args=(theirs, function, shard))
    process.start()
    theirs.close()
    return ours, process


def received(connection: Connection, process: BaseProcess) -> tuple[Any, int]:
    """The result and the bytes that it took; the worker's exception is raised here."""
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


def _work(connection: Connection, function: Callable[[Shard], Result], shard: Shard) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    log.configure(quiet=True)
    progress.silence()
    try:
        answer: tuple[Any, BaseException | None, int] = (function(shard), None, peak_memory())
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
