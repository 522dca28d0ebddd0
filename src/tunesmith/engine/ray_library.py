"""Ray itself, imported when a cluster is wanted and never before."""

import os
from typing import Any

from tunesmith.base.errors import OptionError


def ray() -> Any:
    """The library; that it is not installed is said in one line."""
    # It looks at these when it is imported.
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")  # a warning otherwise
    os.environ.setdefault("RAY_DISABLE_FAILURE_SIGNAL_HANDLER", "1")  # a stack trace for Ctrl-C
    # gRPC's handlers of forks crash some of the processes that a process with open channels starts,
    # servers of Ray Client among them (grpc 43055, ray 63202).
    os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
    # Workers of a cluster that is started here are no less urgent than threads would be.
    os.environ.setdefault("RAY_worker_niceness", "0")
    try:
        import ray
    except ImportError:
        raise OptionError(
            "engine ray needs the package ray, which is not installed; "
            "`pip install 'tunesmith[ray]'` installs it"
        ) from None
    # It prints what its nodes complain of to standard output, where results go.
    ray._private.worker.print_to_stdstream = lambda *_, **__: None
    return ray
