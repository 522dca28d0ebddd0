"""A Ray cluster, started here or joined, and its seats: an actor in each.

There is one at a time in a process, as Ray has it.
"""

import atexit
import os
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tunesmith.base.errors import TunesmithError
from tunesmith.base.rundir import file_hash
from tunesmith.engine.connection import join, start
from tunesmith.engine.packing import Stamp, content_key
from tunesmith.engine.ray_library import ray
from tunesmith.engine.slot import Slot

# Bytes of a file that travel at a time.
BLOCK = 64 << 20


@dataclass
class Seat:
    """A place for one worker: CPUs of some node."""

    number: int
    actor: Any
    waiting: Any
    """The reference to what it does: begin, or a task; None if it does nothing."""
    node: str = ""
    """Empty: it has not begun."""
    task: Any = None


@dataclass
class Cluster:
    """A connection; `seats` workers with so many `cpus` each."""

    address: str
    cpus: int
    folder: Path | None = None
    """Of a cluster that was started here, for all its files."""
    seats: list[Seat] = field(default_factory=list)
    _packs: dict[str, Any] = field(default_factory=dict)
    _hashes: dict[tuple[str, Stamp], list[str]] = field(default_factory=dict)
    _blocks: dict[str, list[Any]] = field(default_factory=dict)

    @classmethod
    def open(cls, address: str, *, host: str, local_cpus: int, cpus: int) -> "Cluster":
        """Start one (`address` is empty) on this machine, or join one."""
        cluster = cls(address, cpus)
        if address:
            join(address)
        else:
            cluster.folder = start(host, local_cpus)
        atexit.register(cluster.close)
        try:
            cluster._take_seats()
        except BaseException:
            cluster.close()
            raise
        return cluster

    def close(self) -> None:
        """Give back the seats; a cluster that was started here ends, and leaves nothing behind."""
        atexit.unregister(self.close)
        library = ray()
        if library.is_initialized():
            for seat in self.seats:
                self._kill(seat)
            library.shutdown()
        self.seats.clear()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def begin(self, seat: Seat) -> None:
        """Put a new worker on a seat, in the place of one that died, if there was one."""
        seat.actor, seat.waiting = self._actor()
        seat.node, seat.task = "", None

    def drop(self, seat: Seat) -> None:
        """The same, of one that may still work."""
        self._kill(seat)
        self.begin(seat)

    def put(self, data: bytes) -> tuple[str, Any]:
        """A pack in the object store, once however often it is asked for; its key first."""
        key = content_key(data)
        if key not in self._packs:
            while len(self._packs) > 1:  # the last two: a loop may change between works
                self._packs.pop(next(iter(self._packs)))
            self._packs[key] = ray().put(data)
        return key, self._packs[key]

    def push(self, seat: Seat, place: str, wanted: Stamp) -> Any:
        """Send a worker copies of files that are not where it is; the reference to its answer."""
        paths = [Path(place) / name for name, _, _ in wanted]
        if (place, wanted) not in self._hashes:
            self._hashes[place, wanted] = [file_hash(path) for path in paths]
        contents = self._hashes[place, wanted]
        of_content = dict(zip(contents, paths, strict=True))
        lacking = ray().get(seat.actor.lacks.remote(list(of_content)))
        blocks = {content: self._put_file(content, of_content[content]) for content in lacking}
        answer, _ = seat.actor.store.options(num_returns=2).remote(place, wanted, contents, blocks)
        return answer

    def forget_files(self) -> None:
        """Take files out of the object store; workers have their copies."""
        self._blocks.clear()

    def _put_file(self, content: str, path: Path) -> list[Any]:
        if content not in self._blocks:
            with open(path, "rb") as stream:
                self._blocks[content] = [
                    ray().put(block) for block in iter(partial(stream.read, BLOCK), b"")
                ]
        return self._blocks[content]

    def _take_seats(self) -> None:
        nodes = [node for node in ray().nodes() if node["Alive"]]
        count = sum(int(node["Resources"].get("CPU", 0)) // self.cpus for node in nodes)
        if not count:
            raise TunesmithError(
                f"{self} has no node with {self.cpus} CPUs, {len(nodes)} nodes in all"
            )
        for number in range(count):
            self.seats.append(Seat(number, *self._actor()))

    def _actor(self) -> tuple[Any, Any]:
        library = ray()
        actor = library.remote(Slot).options(
            num_cpus=self.cpus, scheduling_strategy="SPREAD", max_restarts=0
        ).remote(os.getcwd(), sys.path)  # fmt: skip
        return actor, actor.begun.remote()

    def _kill(self, seat: Seat) -> None:
        with suppress(Exception):  # it may be dead, or the connection
            ray().kill(seat.actor)

    def __str__(self) -> str:
        return f"Ray cluster {self.address}" if self.address else "Ray on this machine"
