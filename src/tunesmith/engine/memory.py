"""How much memory work takes, and how much there is."""

import os
import sys
from pathlib import Path


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


def has_room(largest: int, running: int) -> bool:
    """Whether one more fits beside the `running` ones; `largest` is what one took so far."""
    if running == 0:
        return True
    available = available_memory()
    # What runs may still grow to the largest size seen; none has been seen before the first ends.
    return largest > 0 and (available is None or available > largest * (running + 1))


def _kilobytes(path: str, key: str) -> int | None:
    """A number of a file of Linux' kernel; None where there is none."""
    try:
        for line in Path(path).read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith(f"{key}:"):
                return int(line.split()[1])
    except OSError:
        pass
    return None


def machine_memory() -> int:
    """Bytes of memory that this machine has."""
    return int(os.sysconf("SC_PAGE_SIZE")) * int(os.sysconf("SC_PHYS_PAGES"))
