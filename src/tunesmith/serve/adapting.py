"""Corrections over HTTP: who may make them, and what becomes of them (``/api/adapt…``)."""

import asyncio
import hmac
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from tunesmith.adapt import AdaptedModel, Correction
from tunesmith.base.errors import TunesmithError
from tunesmith.serve.answers import Json
from tunesmith.serve.asking import read_line, read_name, read_object
from tunesmith.serve.bodies import read_json
from tunesmith.serve.failures import Failure, bad_request, busy, too_large, unprocessable
from tunesmith.serve.front import tell
from tunesmith.serve.models import ServedModel
from tunesmith.serve.parts import Parts

Result = TypeVar("Result")
# Changes that wait for the one that is made.
MOST_WAITING = 8


class Adapting:
    """Changes of models that may be adapted, one after the other."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        self._waiting = 0
        self._thread = ThreadPoolExecutor(1, "adapt")

    def routes(self) -> list[Route]:
        """Where to find what."""
        return [
            Route("/api/adapt", self.correct, methods=["POST"]),
            Route("/api/adapt/undo", self.undo, methods=["POST"]),
            Route("/api/adapt/log", self.log, methods=["GET"]),
        ]

    async def correct(self, request: Request) -> Response:
        """Learn from a correction."""
        self._check_token(request)
        body = await read_json(request, self.parts.limits)
        values = read_object(body, frozenset(("model", "source", "correction", "translation")))
        source, correction = (self._words(values, name) for name in ("source", "correction"))
        model, adapted = self._adapted(read_name(values))

        def learn() -> Correction:
            done = adapted.correct(source, correction)
            model.renew()
            return done

        done = await self._alone(model, learn)
        tell(request.scope, model=model.name, version=done.version, correction=done.id)
        return JSONResponse(
            {
                "id": done.id,
                "version": done.version,
                "before": done.before,
                "after": done.after,
                "reachable": done.reachable,
                "rules": [{"source": one, "target": other} for one, other in done.rules],
                "moved": {name: list(both) for name, both in done.moved.items()},
            }
        )

    async def undo(self, request: Request) -> Response:
        """Take a correction back."""
        self._check_token(request)
        body = await read_json(request, self.parts.limits)
        values = read_object(body, frozenset(("model", "id")))
        number = values.get("id")
        if isinstance(number, bool) or not isinstance(number, int | None):
            raise bad_request("id is no whole number, expected that of a correction")
        model, adapted = self._adapted(read_name(values))

        def forget() -> tuple[int, int]:
            undone = adapted.undo(number)
            model.renew()
            return undone, model.state.version

        undone, version = await self._alone(model, forget)
        tell(request.scope, model=model.name, version=version, correction=undone)
        return JSONResponse({"version": version, "id": undone})

    async def log(self, request: Request) -> Response:
        """All corrections of a model."""
        self._check_token(request)
        _, adapted = self._adapted(request.query_params.get("model"))
        return JSONResponse(
            {"version": adapted.version, "corrections": [_entry(one) for one in adapted.log]}
        )

    def _words(self, values: Json, name: str) -> str:
        """One side of a correction, within the limits of a sentence."""
        text, limits = read_line(values.get(name), name), self.parts.limits
        if not text.strip():
            raise bad_request(f"{name} is empty, expected words")
        if len(text) > limits.max_characters or len(text.split()) > limits.max_words:
            raise too_large(f"{name} has more than {limits.max_words:,} words")
        return text

    def _check_token(self, request: Request) -> None:
        """Refuse who may not change anything; how long that takes tells nothing of the token."""
        token = self.parts.token
        if token is None:
            raise Failure(
                403, "this server does not learn: start it with --adapt", {"Connection": "close"}
            )
        kind, _, given = request.headers.get("authorization", "").partition(" ")
        same = hmac.compare_digest(given.strip().encode(), token.encode())
        if kind.lower() != "bearer" or not same:
            raise Failure(
                401,
                "expected the header 'Authorization: Bearer …' with the server's token",
                {"WWW-Authenticate": "Bearer", "Connection": "close"},
            )

    def _adapted(self, name: str | None) -> tuple[ServedModel, AdaptedModel]:
        model = self.parts.models.named(name)
        if model.adapted is None:
            raise unprocessable(f"{model.name} has a grammar as a file, which does not learn")
        return model, model.adapted

    async def _alone(self, model: ServedModel, change: Callable[[], Result]) -> Result:
        """Make a change; it is finished even if its client does not wait for it."""
        if self._waiting >= MOST_WAITING:
            raise busy(self._waiting, 1.0)
        self._waiting += 1
        change_ = asyncio.get_running_loop().run_in_executor(self._thread, change)
        change_.add_done_callback(self._made)
        try:
            return await asyncio.shield(change_)
        except TunesmithError as error:
            # Where the layer is on the disk is nobody's business.
            folder = "" if model.adapted is None else str(model.adapted.folder.path)
            raise unprocessable(str(error).replace(folder, model.name)) from error

    def _made(self, change: "asyncio.Future[Result]") -> None:
        self._waiting -= 1


def _entry(one: Correction) -> Json:
    return {
        "id": one.id,
        "source": one.source,
        "correction": one.correction,
        "before": one.before,
        "after": one.after,
        "undone": one.undone,
        "time": one.time,
    }
