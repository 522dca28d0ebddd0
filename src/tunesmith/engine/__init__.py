"""Where work runs: threads of this machine now; a cluster takes the same place later."""

import os


def default_threads() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
