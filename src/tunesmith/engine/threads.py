"""`ThreadEngine`: threads of this process. Native code shares its memory and releases the lock."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from tunesmith.base.errors import OptionError
from tunesmith.base.numbers import MAX_THREADS
from tunesmith.engine.base import Result, Shard
from tunesmith.engine.collecting import Collecting


@dataclass(frozen=True)
class ThreadEngine(Collecting):
    """So many threads of this machine; 0: as many as this process may use cores.

    >>> ThreadEngine(2).map(len, ["ab", "c"])
    [2, 1]
    """

    count: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.count, bool) or not 0 <= self.count <= MAX_THREADS:
            raise OptionError(f"threads is {self.count}, expected 0 (all cores) to {MAX_THREADS}")

    @property
    def threads(self) -> int:
        """The threads of a native call."""
        return self.count or _cores()

    @property
    def workers(self) -> int:
        """One memory: native threads share the work."""
        return 1

    def map(self, function: Callable[[Shard], Result], shards: Sequence[Shard]) -> list[Result]:
        """The results of all shards in their order; the exception of the first failing one."""
        if min(self.threads, len(shards)) < 2:
            return [function(shard) for shard in shards]
        with ThreadPoolExecutor(min(self.threads, len(shards))) as pool:
            return list(pool.map(function, shards))

    def as_done(
        self, function: Callable[[Shard], Result], shards: Sequence[Shard]
    ) -> Iterator[tuple[int, Result]]:
        """The number of each shard and its result, in the order in which they are done."""
        with ThreadPoolExecutor(self.threads) as pool:
            numbers = {pool.submit(function, shard): i for i, shard in enumerate(shards)}
            for done in as_completed(numbers):
                # Its result is not kept: results may be large together.
                yield numbers.pop(done), done.result()
                del done

    def share(self, parts: int) -> "ThreadEngine":
        """Its part of the threads, at least one."""
        return ThreadEngine(max(1, self.threads // max(1, parts)))


#: What is taken where nothing is said: all cores of this machine.
ALL_CORES = ThreadEngine()


def _cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
