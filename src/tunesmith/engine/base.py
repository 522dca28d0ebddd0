"""`Engine`: how much of this machine works, or which cluster; results never depend on it."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar

Shard = TypeVar("Shard")
Result = TypeVar("Result")


class Engine(Protocol):
    """Who does the work.

    Work that native threads can share over one memory takes `threads`. Work that may go elsewhere
    is cut into shards: a module-level function takes each to a plain result, and results are merged
    in the shards' order. Shards are plain values and file names, so that they can travel.
    """

    @property
    def threads(self) -> int:
        """The threads of a native call, 1 or more."""

    @property
    def workers(self) -> int:
        """How many memories work at a time; 1 where native threads share one.

        Work that threads could share is cut into this many shards.
        """

    def map(self, function: Callable[[Shard], Result], shards: Sequence[Shard]) -> list[Result]:
        """The results of all shards in their order, whoever did them and when.

        The exception of a failing shard reaches the caller.
        """

    def as_done(
        self, function: Callable[[Shard], Result], shards: Sequence[Shard]
    ) -> Iterator[tuple[int, Result]]:
        """The number of each shard and its result, in the order in which they are done."""

    def reduce(
        self,
        function: Callable[[Shard], Result],
        shards: Sequence[Shard],
        merge: Callable[[Result, Result], Result],
        told: Callable[[int], None] | None = None,
    ) -> Result:
        """The results of all shards as one, merged two by two in the order of the shards.

        Who is merged with whom depends on the number of shards alone (`reduced`). `told` is called
        with the number of each shard when it is done, once.
        """

    def share(self, parts: int) -> "Engine":
        """What one of `parts` shards may use that run side by side."""


#: Where an engine is expected a number of threads of this machine will do; 0: all its cores.
EngineLike: TypeAlias = Engine | int
