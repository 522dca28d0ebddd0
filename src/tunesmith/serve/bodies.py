"""What clients send, read within limits of size and time."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

from tunesmith.serve.failures import Failure
from tunesmith.serve.front import ClientGone
from tunesmith.serve.limits import ServerLimits

Result = TypeVar("Result")
# Bytes of a body that is too large which are read and thrown away, so that the client reads our
# answer: most look for it only when they have sent everything.
DRAINED = 64_000_000
_CLOSE = {"Connection": "close"}


async def read_json(request: Request, limits: ServerLimits) -> bytes:
    """The body of a request that says it is JSON."""
    if (kind := content_type(request)) != "application/json":
        raise Failure(415, f"content type '{kind}', expected application/json", _CLOSE)
    return await read_body(request, limits)


async def read_body(request: Request, limits: ServerLimits) -> bytes:
    """The body of a request, if it is not too large and comes in time."""
    try:
        async with asyncio.timeout(limits.read_seconds):
            return await _read(request, limits.max_bytes)
    except TimeoutError:
        raise Failure(
            408, f"the request did not come within {limits.read_seconds:g} s", _CLOSE
        ) from None
    except ClientDisconnect:
        raise ClientGone from None


async def _read(request: Request, most: int) -> bytes:
    length = request.headers.get("content-length", "")
    announced = int(length) if length.isdecimal() and len(length) < 20 else 0
    if announced > most and (
        announced > DRAINED or "100-continue" in request.headers.get("expect", "").lower()
    ):
        raise _too_large(most)
    body = bytearray()
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size <= most:
            body += piece
        elif size > DRAINED:
            break
    if size > most:
        raise _too_large(most)
    return bytes(body)


def _too_large(most: int) -> Failure:
    return Failure(413, f"a body of more than {most:,} bytes", _CLOSE)


def content_type(request: Request) -> str:
    """The type that the client says its body has."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def while_connected(request: Request, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of `work`, which is given up when the client goes."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((task, gone), return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientGone
    finally:
        task.cancel()
        gone.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
