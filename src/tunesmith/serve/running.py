"""`run_server`: listens until it is told to stop, and finishes what it has accepted."""

import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import uvicorn
from starlette.types import ASGIApp

from tunesmith.base.errors import OptionError
from tunesmith.serve.journal import JournalHandler, ServerJournal
from tunesmith.serve.limits import ServerLimits
from tunesmith.serve.protocol import patient_protocol

# How long a thread may keep Python from the others; its own default is five times that.
SWITCH_SECONDS = 0.001


class _Server(uvicorn.Server):
    """Ends well when it is told to: SIGTERM is how servers are stopped."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop at SIGTERM or SIGINT; a second SIGINT does not wait for requests."""

        def stop(number: int, frame: FrameType | None) -> None:
            self.force_exit = self.should_exit and number == signal.SIGINT
            self.should_exit = True

        before = {one: signal.signal(one, stop) for one in (signal.SIGTERM, signal.SIGINT)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def listen(host: str, port: int, backlog: int = 1024) -> socket.socket:
    """A socket that listens; refused in one line where it cannot be had."""
    try:
        [(family, kind, protocol, _, address), *_] = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except OSError as error:
        raise OptionError(f"host '{host}': {error.strerror}") from error
    # With its protocol, or asyncio would not know that answers are not to wait for their ends
    # (TCP_NODELAY), which takes 40 ms.
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(backlog)
    except OSError as error:
        listener.close()
        raise OptionError(
            f"{host}:{port}: {error.strerror}; expected a free address, choose another --port"
        ) from error
    return listener


def address_of(listener: socket.socket) -> str:
    """Where a listener is found."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def run_server(
    app: ASGIApp,
    listener: socket.socket,
    limits: ServerLimits,
    journal: ServerJournal,
    started: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGTERM or SIGINT; then everything that was accepted is answered."""
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).handlers = [JournalHandler(journal)]
        logging.getLogger(name).propagate = False
    config = uvicorn.Config(
        app,
        http=patient_protocol(limits),
        ws="none",
        lifespan="off",
        loop="asyncio",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=max(1, round(limits.idle_seconds)),
        timeout_graceful_shutdown=round(limits.seconds + limits.read_seconds) + 1,
    )
    # What workers do in Python (explanations, say) is not to keep the event loop waiting.
    sys.setswitchinterval(SWITCH_SECONDS)
    started()
    _Server(config).run([listener])
