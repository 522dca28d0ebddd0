"""What a piece of work took: time, processor time, memory."""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from tunesmith.engine.memory import peak_memory


@dataclass(frozen=True)
class Resources:
    """What was used."""

    seconds: float
    cpu_seconds: float
    """Of all threads, and of processes that it began and that have ended."""
    memory: int
    """Bytes, at most, of the process."""


class Meter:
    """Measures from its making on.

    The most memory is that of this work alone where the system lets a process forget what it
    had before (Linux), and else that of the process so far.
    """

    def __init__(self) -> None:
        _forget_peak()
        self._begin = perf_counter(), _cpu_seconds()

    def used(self) -> Resources:
        """What was used up to now."""
        seconds, cpu = perf_counter() - self._begin[0], _cpu_seconds() - self._begin[1]
        return Resources(seconds, cpu, peak_memory())


def _cpu_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _forget_peak() -> None:
    """The peak is from now on that of what comes: proc(5), clear_refs."""
    with suppress(OSError):  # another system, or one that does not allow it
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
