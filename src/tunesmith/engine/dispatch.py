"""Who does which task of a cluster's work, and what happens when one dies.

1. Task i belongs to seat i modulo the seats, so that a shard comes back to the worker that has
   opened its files; a worker that has done its own takes the last one of whoever has most left.
2. A worker that dies, alone or with its node, is replaced, and its task is done again by whoever is
   free, a few times at most.
3. A worker that lacks a file gets a copy and is asked again.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from tunesmith.base.errors import TunesmithError
from tunesmith.base.log import log
from tunesmith.engine.cluster import Cluster, Seat
from tunesmith.engine.packing import Unpacker
from tunesmith.engine.ray_library import ray
from tunesmith.engine.slot import DONE, FAILED, LOST, MISSING, Program

#: How often a task is begun at most.
ATTEMPTS = 4
#: Seconds without any worker, from the beginning or after the last one has died.
WITHOUT_WORKERS = 120.0
# Seconds between looks at the clock.
_LOOK = 5.0


@dataclass
class Task:
    """One call of a function."""

    name: Any
    """Whoever added it knows it by this."""
    label: str
    """For messages: "shard 3 of 7"."""
    function: tuple[str, Any]
    """Its key and the reference to its pack."""
    inputs: Callable[[], list[Any]]
    """Gives packs, or references to them."""
    seat: int
    attempts: int = 0
    result: Any = field(default=None, repr=False)
    """The reference to what came of it."""


class Lost(Exception):
    """Inputs of a task that have gone with their node; `reference` is the one, by its number."""

    def __init__(self, task: Task, reference: str) -> None:
        super().__init__(reference)
        self.task, self.reference = task, reference


class Dispatch:
    """The work of one call."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._queues: list[deque[Task]] = [deque() for _ in cluster.seats]
        self._unpack = Unpacker()
        self._alive = monotonic()

    def add(self, task: Task) -> None:
        """One more thing to do."""
        self._queues[task.seat % len(self._queues)].append(task)

    def done(self) -> Iterator[Task]:
        """Tasks as they are done, until nothing is left; more may be added in between.

        Raises what a task raised; `Lost` is for whoever added it, and others go on behind it.
        """
        seats = self._cluster.seats
        while any(self._queues) or any(seat.task for seat in seats):
            for seat in seats:
                self._employ(seat)
            busy = {seat.waiting: seat for seat in seats if seat.waiting is not None}
            ready, _ = ray().wait(list(busy), timeout=_LOOK)
            for reference in ready:
                task = self._heard(busy[reference])
                self._employ(busy[reference])  # before whoever gets the result is busy with it
                if task is not None:
                    yield task
            self._check_alive()

    def value(self, reference: Any) -> Any:
        """What a task gave, brought here."""
        return self._unpack(ray().get(reference))

    def again(self, task: Task, why: str) -> None:
        """Do a task again; `why` is said if it has been done often enough."""
        if task.attempts >= ATTEMPTS:
            raise TunesmithError(
                f"{task.label}: {why}, after {task.attempts} attempts; was memory short there?"
            )
        self._queues[task.seat % len(self._queues)].appendleft(task)

    def close(self) -> None:
        """Stop what nobody waits for any more."""
        for seat in self._cluster.seats:
            if seat.task is not None:
                self._cluster.drop(seat)
        self._cluster.forget_files()

    def _employ(self, seat: Seat) -> None:
        if seat.node and seat.waiting is None and (task := self._next(seat)) is not None:
            self._submit(seat, task)

    def _next(self, seat: Seat) -> Task | None:
        own = self._queues[seat.number]
        if own:
            return own.popleft()
        longest = max(self._queues, key=len)
        return longest.pop() if longest else None

    def _submit(self, seat: Seat, task: Task) -> None:
        key, function = task.function
        task.attempts += 1
        seat.task = task
        # In lists, references travel as they are: only who needs the contents gets them.
        seat.waiting, task.result = seat.actor.run.options(num_returns=2).remote(
            key, [function], task.inputs()
        )

    def _heard(self, seat: Seat) -> Task | None:
        """What came of what a worker did: the task, if it is done."""
        task: Task = seat.task
        answer, seat.waiting = seat.waiting, None
        try:
            if not seat.node:
                self._welcome(seat, *ray().get(answer))
                return None
            kind, what = ray().get(answer)
            if kind == MISSING:
                seat.waiting = self._push(seat, what)
                return None
        except (ray().exceptions.RayError, ConnectionError) as error:
            self._bury(seat, error)
            return None
        if task.result is None and kind == DONE:  # copies have arrived
            task.attempts -= 1
            self._submit(seat, task)
            return None
        seat.task = None
        if kind == FAILED:
            raise self._placed(self._unpack(what), task, seat)
        if kind == LOST:
            raise Lost(task, what)
        return task

    def _welcome(self, seat: Seat, program: Program, node: str) -> None:
        if program != (own := Program.here()):
            raise TunesmithError(f"node {node} has {program}, expected {own}, as this machine has")
        seat.node, self._alive = node, monotonic()

    def _bury(self, seat: Seat, error: Exception) -> None:
        """Replace a worker, and have its task done again."""
        task, node = seat.task, seat.node
        if not node and isinstance(error, ray().exceptions.RayTaskError):
            # It lives, and says why it cannot begin: the program is not there, say.
            words = " ".join(str(error).split())
            raise TunesmithError(f"a worker of {self._cluster} cannot begin: {words[-300:]}")
        self._cluster.begin(seat)
        if task is not None:
            log.warning(f"{task.label}: its worker on node {node} died; it is done again")
            self.again(task, f"its worker on node {node} died")

    def _push(self, seat: Seat, files: Any) -> Any:
        """Begin to send the first of the files; the worker will be asked again for the others."""
        seat.task.result = None
        place, wanted = files[0]
        return self._cluster.push(seat, place, wanted)

    def _check_alive(self) -> None:
        if any(seat.node for seat in self._cluster.seats):
            self._alive = monotonic()
        elif monotonic() - self._alive > WITHOUT_WORKERS:
            raise TunesmithError(
                f"{self._cluster} has had no worker for {WITHOUT_WORKERS:g} seconds; are its CPUs "
                "in use by others, or its nodes gone?"
            )

    @staticmethod
    def _placed(error: Exception, task: Task, seat: Seat) -> Exception:
        """An error of the machine, with the machine's name."""
        if isinstance(error, MemoryError):
            return TunesmithError(f"{task.label} on node {seat.node}: memory is short for it")
        if isinstance(error, OSError):
            file = f"{error.filename}: " if error.filename else ""
            why = error.strerror or str(error)
            return TunesmithError(f"{task.label} on node {seat.node}: {file}{why}")
        return error
