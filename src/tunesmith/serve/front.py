"""`Front`: what every request goes through: headers for safety, counting, a line of the journal."""

import time
import traceback
from collections.abc import Collection
from typing import Any

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tunesmith.serve.journal import ServerJournal
from tunesmith.serve.meters import Meters

# No script, style or picture but our own files, nobody shows the page in a frame of theirs, and no
# browser guesses what a file is.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
}
_METHODS = frozenset(("GET", "HEAD", "POST", "OPTIONS"))
# What the journal has in the place of a status when a client went before its answer came.
GONE = 499


class ClientGone(Exception):
    """Nobody waits for the answer."""


class Front:
    """Around the application `app`, whose addresses are `routes`."""

    def __init__(
        self, app: ASGIApp, routes: Collection[str], meters: Meters, journal: ServerJournal
    ) -> None:
        self.app, self.routes, self.meters, self.journal = app, routes, meters, journal

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        begin, status = time.perf_counter(), 0
        told: dict[str, Any] = {}
        scope.setdefault("state", {})["told"] = told

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await self.app(scope, receive, sending)
        except ClientGone:
            status = GONE
        except Exception as error:  # a fault of ours
            self._fault(scope, error)
            if status:
                raise
            answer = JSONResponse({"error": "a fault of the server, which its log tells"}, 500)
            await answer(scope, receive, sending)
        finally:
            self._note(scope, status or GONE, time.perf_counter() - begin, told)

    def _note(self, scope: Scope, status: int, seconds: float, told: dict[str, Any]) -> None:
        path = scope["path"]
        route = path if path in self.routes else "other"
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self.meters.request(method, route, status, seconds)
        client = scope.get("client")
        self.journal.write(
            "request",
            method=method,
            path=path if path in self.routes else path[:200] if self.journal.texts else None,
            status=status,
            milliseconds=round(seconds * 1000, 1),
            client=client[0] if client else None,
            **told,
        )

    def _fault(self, scope: Scope, error: Exception) -> None:
        last = traceback.extract_tb(error.__traceback__)[-1]
        self.journal.write(
            "fault",
            is_error=True,
            path=scope["path"] if scope["path"] in self.routes else None,
            exception=type(error).__name__,
            # The message of an exception may have a client's text in it.
            message=str(error) if self.journal.texts else None,
            place=f"{last.filename.rpartition('/')[2]}:{last.lineno}",
        )


def tell(scope: Scope, **values: Any) -> None:
    """Have something stand in the line of the journal that a request gets."""
    scope["state"]["told"].update(values)
