"""`ProcessEngine`: processes of this machine, as many at a time as memory allows."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from tunesmith.base.errors import OptionError
from tunesmith.engine.base import Result, Shard
from tunesmith.engine.collecting import Collecting
from tunesmith.engine.memory import has_room
from tunesmith.engine.threads import ThreadEngine
from tunesmith.engine.worker import received, start


@dataclass(frozen=True)
class ProcessEngine(Collecting):
    """So many processes at a time, which share out the threads; 0: as many as threads.

    A shard has a process of its own. The first one runs alone and shows what one takes, and another
    begins only if there is room for one more beside all that run. Functions, shards and results
    must be such that they can be pickled. The exception of a worker is raised by the caller, and
    the others are ended; they also end by themselves if the caller dies.
    """

    processes: int = 0
    count: int = 0
    """Threads in all; 0: all cores."""

    def __post_init__(self) -> None:
        ThreadEngine(self.count)  # refuses a wrong number
        if self.processes < 0:
            raise OptionError(f"processes is {self.processes}, expected at least 0")

    @property
    def threads(self) -> int:
        """The threads of a native call of this process: all."""
        return ThreadEngine(self.count).threads

    @property
    def workers(self) -> int:
        """As many memories as processes."""
        return self.processes or self.threads

    def as_done(
        self, function: Callable[[Shard], Result], shards: Sequence[Shard]
    ) -> Iterator[tuple[int, Result]]:
        """The number of each shard and its result, in the order in which they are done."""
        waiting = deque(enumerate(shards))
        running: dict[Connection, tuple[int, BaseProcess]] = {}
        largest = 0
        try:
            while waiting or running:
                while waiting and len(running) < self.workers and has_room(largest, len(running)):
                    number, shard = waiting.popleft()
                    connection, process = start(function, shard)
                    running[connection] = number, process
                for ready in wait(list(running)):
                    assert isinstance(ready, Connection)
                    number, process = running.pop(ready)
                    result, memory = received(ready, process)
                    largest = max(largest, memory)
                    yield number, result
        finally:
            for _, process in running.values():
                process.terminate()
                process.join()

    def share(self, parts: int) -> ThreadEngine:
        """Threads of a worker, while `parts` of them, or as many as may, run side by side."""
        return ThreadEngine(self.count).share(min(parts, self.workers))
