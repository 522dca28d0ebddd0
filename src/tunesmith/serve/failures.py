"""`Failure`: what a client is told when it does not get what it asked for."""

from collections.abc import Mapping

from tunesmith.base.errors import one_line


class Failure(Exception):
    """An answer that is a status and one line of explanation."""

    def __init__(self, status: int, message: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(one_line(message))
        self.status, self.headers = status, dict(headers or {})


def bad_request(message: str) -> Failure:
    """The request is not what it should be."""
    return Failure(400, message)


def too_large(message: str) -> Failure:
    """The request asks for more than the server's limits."""
    return Failure(413, message)


def unprocessable(message: str) -> Failure:
    """The request is well formed, and makes no sense to the model."""
    return Failure(422, message)


def busy(waiting: int, seconds: float) -> Failure:
    """The queue is full; `seconds` is when to come again."""
    return Failure(
        429,
        f"{waiting} requests are waiting already; come again in {max(1, round(seconds))} s",
        {"Retry-After": str(max(1, round(seconds)))},
    )
