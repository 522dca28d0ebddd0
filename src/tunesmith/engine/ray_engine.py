"""`RayEngine`: workers of a Ray cluster, on this machine or on many."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from tunesmith.base.errors import OptionError
from tunesmith.engine.base import Result, Shard
from tunesmith.engine.cluster import Cluster
from tunesmith.engine.collecting import Collecting
from tunesmith.engine.connection import LOOPBACK
from tunesmith.engine.dispatch import Dispatch, Task
from tunesmith.engine.packing import packed
from tunesmith.engine.ray_library import ray
from tunesmith.engine.remote_tree import RemoteTree
from tunesmith.engine.threads import ThreadEngine


@dataclass(frozen=True)
class RayEngine(Collecting):
    """A worker for every CPU of a cluster; each keeps the files that it has opened.

    Without an address a cluster is started on this machine, with as many CPUs as threads, and ends
    with this process (or `close`); RAY_ADDRESS, if it is set, is an address. Functions, shards and
    results must be such that they can be pickled; a `Path` in them is a file of this machine, which
    workers that do not share the storage get a copy of.
    """

    address: str = ""
    """``HOST:PORT``, ``auto`` or ``ray://HOST:PORT``; see `tunesmith.engine.connection`."""
    count: int = 0
    """Threads of this process; 0: all cores."""
    cpus: int = 1
    """CPUs, and threads, of a worker."""
    host: str = LOOPBACK
    """Where a cluster that is started here listens."""

    _open: ClassVar[dict["RayEngine", Cluster]] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        """Elsewhere, that is in a worker, it is the threads of one."""
        return ThreadEngine, (self.cpus,)

    def __post_init__(self) -> None:
        ThreadEngine(self.count)  # refuses a wrong number
        if self.cpus < 1:
            raise OptionError(f"cpus is {self.cpus}, expected at least 1")

    @property
    def threads(self) -> int:
        """The threads of a native call of this process."""
        return ThreadEngine(self.count).threads

    @property
    def workers(self) -> int:
        """As many memories as workers; 2 of a single one, which gets the work all the same."""
        return max(2, len(self._cluster.seats))

    def as_done(
        self, function: Callable[[Shard], Result], shards: Sequence[Shard]
    ) -> Iterator[tuple[int, Result]]:
        """The number of each shard and its result, in the order in which they are done."""
        if not shards:
            return
        dispatch = Dispatch(self._cluster)
        try:
            for task in self._tasks(function, shards):
                dispatch.add(task)
            for task in dispatch.done():
                try:
                    result = dispatch.value(task.result)
                except ray().exceptions.RayError:
                    dispatch.again(task, "its result was lost with a node")
                    continue
                yield task.name, result
        finally:
            dispatch.close()

    def reduce(
        self,
        function: Callable[[Shard], Result],
        shards: Sequence[Shard],
        merge: Callable[[Result, Result], Result],
        told: Callable[[int], None] | None = None,
    ) -> Result:
        """All results merged in a tree, by the workers; only the last comes here."""
        dispatch = Dispatch(self._cluster)
        try:
            merging = self._cluster.put(packed(merge))
            tasks = self._tasks(function, shards)
            found: Result = RemoteTree(dispatch, tasks, merging, told).root()
            return found
        finally:
            dispatch.close()

    def share(self, parts: int) -> ThreadEngine:
        """Threads of a worker."""
        return ThreadEngine(self.cpus)

    def close(self) -> None:
        """Leave the cluster; one that was started here ends."""
        if (cluster := self._open.pop(self, None)) is not None:
            cluster.close()

    @property
    def _cluster(self) -> Cluster:
        """The connection of this process."""
        if self not in self._open:
            for other in list(self._open):
                other.close()
            self._open[self] = Cluster.open(
                self.address or os.environ.get("RAY_ADDRESS", ""),
                host=self.host,
                local_cpus=self.threads,
                cpus=self.cpus,
            )
        return self._open[self]

    def _tasks(self, function: Callable[..., Any], shards: Sequence[Any]) -> list[Task]:
        plain = getattr(function, "func", function)
        name = getattr(plain, "__name__", str(plain))
        if plain.__module__ == "__main__":
            raise OptionError(
                f"{name} is a function of the script that runs, expected one of a module: workers "
                "import it"
            )
        work = self._cluster.put(packed(function))
        return [
            Task(
                number,
                f"{name}, shard {number + 1} of {len(shards)}",
                work,
                partial(_inputs, shard),
                number,
            )
            for number, shard in enumerate(shards)
        ]


def _inputs(shard: Any) -> list[bytes]:
    return [packed(shard)]
