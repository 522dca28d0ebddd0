"""How a Ray cluster is reached: started on this machine, or joined where it is.

Addresses are written as people who use Ray write them: ``HOST:PORT`` is the cluster's own address,
for a process on one of its nodes, ``auto`` the cluster that this machine is a node of, and
``ray://HOST:PORT`` its door for processes elsewhere (Ray Client).
"""

import logging
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tunesmith.base.errors import TunesmithError, in_part
from tunesmith.engine.ray_library import ray

LOOPBACK = "127.0.0.1"
#: Seconds to reach a cluster.
REACH = 60.0
CLIENT, CLIENT_PORT = "ray://", 10001
_FOLDER = "tunesmith-ray-"
# No logs of the cluster on the streams of this process, of workers or of the system.
_QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
# What Ray reads when it is imported: nodes whose address is the loopback's listen there alone.
_LOOPBACK_ONLY = "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"


def start(host: str, cpus: int) -> Path:
    """Start one on this machine, which listens at `host`; the folder that has all its files."""
    library = _unconnected()
    if host == LOOPBACK:
        _stay_on_loopback(library)
    _sweep()
    # Short: the names of sockets below it have 107 characters at most.
    folder = Path(tempfile.mkdtemp(prefix=f"{_FOLDER}{os.getpid()}-", dir="/tmp"))
    try:
        library.init(
            address="local",
            num_cpus=cpus,
            include_dashboard=False,
            _node_ip_address=host,
            _temp_dir=str(folder),
            **_QUIET,
        )
    except Exception as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise TunesmithError(f"engine ray: Ray does not start: {_said(error)}") from error
    return folder


def join(address: str) -> None:
    """Join the cluster at `address`; one that cannot be reached is told within a minute."""
    library = _unconnected()
    if address.startswith(CLIENT):
        host, _, port = address.removeprefix(CLIENT).partition(":")
        address = f"{CLIENT}{host}:{port or CLIENT_PORT}"
    if address != "auto":
        host, _, port = address.removeprefix(CLIENT).rpartition(":")
        _knock(host, port, address)
        # Ray takes the loopback for the address that others know this machine by.
        if host in (LOOPBACK, "localhost") and not _answers(
            library.util.get_node_ip_address(), port
        ):
            _stay_on_loopback(library)
    _within(REACH, lambda: library.init(address=address, **_QUIET), address)


def _unconnected() -> Any:
    library = ray()
    if library.is_initialized():
        raise TunesmithError("engine ray: this process is connected to a cluster already")
    return library


def _stay_on_loopback(library: Any) -> None:
    os.environ[_LOOPBACK_ONLY] = "0"
    library._private.ray_constants.ENABLE_RAY_CLUSTER = False  # it is imported already


def _answers(host: str, port: str) -> bool:
    try:
        _knock(host, port, "")
    except TunesmithError:
        return False
    return True


def _knock(host: str, port: str, address: str) -> None:
    """Whether anybody answers there."""
    try:
        socket.create_connection((host, int(port)), timeout=REACH).close()
    except (OSError, ValueError) as error:
        raise _unreachable(address, error) from error


def _within(seconds: float, connect: Callable[[], Any], address: str) -> None:
    """Connect in a thread of its own: Ray may wait forever for what is no cluster."""
    failed: list[Exception] = []

    def run() -> None:
        try:
            connect()
        except Exception as error:
            failed.append(error)

    thread = threading.Thread(target=run, daemon=True)
    logging.disable(logging.WARNING)  # Ray says that it is no main thread, and more
    thread.start()
    thread.join(seconds)
    logging.disable(logging.NOTSET)
    if thread.is_alive():
        raise _unreachable(address, TimeoutError(f"no answer within {seconds:g} seconds"))
    if failed:
        raise _unreachable(address, failed[0]) from failed[0]


def _unreachable(address: str, error: Exception) -> TunesmithError:
    return TunesmithError(f"engine ray: the cluster {address} cannot be reached: {_said(error)}")


def _said(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return in_part(" ".join(str(error).split())) or type(error).__name__


def _sweep() -> None:
    """Remove the folders of processes that were killed."""
    for folder in Path("/tmp").glob(f"{_FOLDER}*"):
        with suppress(OSError, ValueError, ProcessLookupError):
            owner = int(folder.name.removeprefix(_FOLDER).partition("-")[0])
            if folder.stat().st_uid == os.getuid() and not _is_alive(owner):
                shutil.rmtree(folder, ignore_errors=True)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
