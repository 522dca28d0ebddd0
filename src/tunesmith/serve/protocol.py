"""`PatientProtocol`: HTTP/1.1 for clients that are slow, up to a point.

uvicorn waits for ever for the head of a request and for somebody who does not read an answer. Here
the head must come within `ServerLimits.read_seconds` of its first byte (a new connection's, of its
beginning), and an answer must be read within `ServerLimits.idle_seconds`. Too many connections are
told so. A server that stops still answers the requests whose first bytes it has.
"""

import asyncio
import json
from typing import Any, ClassVar

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from tunesmith.serve.limits import ServerLimits


class PatientProtocol(H11Protocol):
    """A connection, with clocks."""

    limits: ClassVar[ServerLimits] = ServerLimits()

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._head_clock: asyncio.TimerHandle | None = None
        self._is_last = False
        self._has_begun = False
        self._is_refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._is_refused = len(self.connections) > self.limits.max_connections
        self._start_clock()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clock."""
        self._stop_clock()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take some bytes; the clock runs until they make the head of a request."""
        if self._is_refused:
            self._answer(503, f"{self.limits.max_connections:,} connections are open already")
            return
        self._has_begun = True
        before = self.cycle
        if before is None or before.response_complete:
            self._start_clock()
        super().data_received(data)
        if self.cycle is not before:
            self._has_begun = False
            self._stop_clock()
            if self._is_last:
                self.cycle.keep_alive = False

    def on_response_complete(self) -> None:
        """Do not wait for ever until the answer is read."""
        if self.transport.get_write_buffer_size():
            self.loop.call_later(self.limits.idle_seconds, self._give_up)
        super().on_response_complete()

    def shutdown(self) -> None:
        """Stop, but answer a request that has begun to come."""
        is_idle = self.cycle is None or self.cycle.response_complete
        if is_idle and self._has_begun and self._head_clock is not None:
            self._is_last = True
        else:
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP gets one line, in JSON as all others."""
        self._answer(400, "the request is no HTTP/1.1, or its head is too large")

    def _answer(self, status: int, message: str) -> None:
        body = json.dumps({"error": message}).encode()
        head = [("content-type", "application/json"), ("connection", "close"),
                ("content-length", str(len(body)))]  # fmt: skip
        if status == 503:
            head.append(("retry-after", "1"))
        if self.conn.our_state is h11.IDLE:
            events = (
                h11.Response(status_code=status, headers=head), h11.Data(data=body),
                h11.EndOfMessage(),
            )  # fmt: skip
            for event in events:
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def _start_clock(self) -> None:
        if self._head_clock is None:
            self._head_clock = self.loop.call_later(self.limits.read_seconds, self._too_late)

    def _stop_clock(self) -> None:
        if self._head_clock is not None:
            self._head_clock.cancel()
            self._head_clock = None

    def _too_late(self) -> None:
        self._head_clock = None
        if not self._has_begun:
            self.transport.close()
        elif not self.transport.is_closing():
            seconds = self.limits.read_seconds
            self._answer(408, f"the request did not come within {seconds:g} s")

    def _give_up(self) -> None:
        if self.transport.get_write_buffer_size():
            self.transport.abort()


def patient_protocol(limits: ServerLimits) -> type[PatientProtocol]:
    """The protocol with these limits."""
    return type("PatientProtocol", (PatientProtocol,), {"limits": limits})
