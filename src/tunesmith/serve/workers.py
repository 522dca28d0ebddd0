"""`Workers`: threads that translate; requests take turns, sentence by sentence.

1. A request is admitted (`admission`) if there are fewer than `limit`, or refused with 429.
2. What is to be done for it is a job: a list of parts, each some milliseconds of native search
   without the GIL.
3. Workers take a part of the job in front and put the job behind the others, so that a request of
   one sentence does not wait for another of five hundred.
4. A job that nobody waits for any more (its client has gone, its time is up) does no further part.
"""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from tunesmith.serve.failures import Failure, busy

Result = TypeVar("Result")
# Seconds that a request is thought to take before one was measured.
FIRST_GUESS = 0.1


class _Job(Generic[Result]):
    """Parts, and where their results go."""

    def __init__(
        self, parts: Sequence[Callable[[], Result]], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.parts, self.loop = parts, loop
        self.results: list[Any] = [None] * len(parts)
        self.future: asyncio.Future[list[Result]] = loop.create_future()
        self.next, self.open = 0, len(parts)
        self.is_over = False

    def tell(self, error: BaseException | None) -> None:
        """Tell who waits, if they still do."""
        if self.future.done():
            return
        if error is None:
            self.future.set_result(self.results)
        else:
            self.future.set_exception(error)


class Workers:
    """`count` threads for at most `limit` requests at a time."""

    def __init__(self, count: int, limit: int) -> None:
        self.count, self.limit = count, limit
        self.admitted = 0
        """Requests that wait or are worked on."""
        self._jobs: deque[_Job[Any]] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._seconds = FIRST_GUESS
        self._threads = [
            threading.Thread(target=self._work, name=f"translate-{n}", daemon=True)
            for n in range(count)
        ]
        for thread in self._threads:
            thread.start()

    @contextmanager
    def admission(self) -> Iterator[None]:
        """A place for a request; refused when all are taken. For the thread of the event loop."""
        if self.admitted >= self.limit:
            raise busy(self.admitted, self.admitted * self._seconds / self.count)
        self.admitted += 1
        begin = time.monotonic()
        try:
            yield
        finally:
            # Of the time that each takes while as many others are there: what it takes alone.
            share = (time.monotonic() - begin) * self.count / max(self.count, self.admitted)
            self._seconds += 0.1 * (share - self._seconds)
            self.admitted -= 1

    async def run(self, parts: Sequence[Callable[[], Result]]) -> list[Result]:
        """The results of all parts, in their order; the first error is raised."""
        if not parts:
            return []
        job: _Job[Result] = _Job(parts, asyncio.get_running_loop())
        with self._changed:
            if self._closed:
                raise Failure(503, "the server is stopping")
            self._jobs.append(job)
            self._changed.notify(min(len(parts), self.count))
        try:
            return await job.future
        finally:
            job.is_over = True

    def close(self) -> None:
        """End the threads when what is there is done."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while (taken := self._take()) is not None:
            job, number = taken
            error: BaseException | None = None
            try:
                job.results[number] = job.parts[number]()
            except BaseException as caught:
                error = caught
            with self._changed:
                job.open -= 1
                ends = not job.is_over and (error is not None or job.open == 0)
                job.is_over |= ends
            if ends:
                try:
                    job.loop.call_soon_threadsafe(job.tell, error)
                except RuntimeError:  # the loop was stopped by force
                    return

    def _take(self) -> tuple[_Job[Any], int] | None:
        """A part of the job in front, which goes behind the others; None when all is over."""
        with self._changed:
            while True:
                while self._jobs:
                    job = self._jobs.popleft()
                    if job.is_over:
                        continue
                    number = job.next
                    job.next += 1
                    if job.next < len(job.parts):
                        self._jobs.append(job)
                    return job, number
                if self._closed:
                    return None
                self._changed.wait()
