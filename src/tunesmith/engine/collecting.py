"""What an engine can do that has results one by one, as they are done."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence

from tunesmith.engine.base import Result, Shard
from tunesmith.engine.reduction import in_order, reduced


class Collecting(ABC):
    """`map` and `reduce` of an engine, made of its `as_done`."""

    @abstractmethod
    def as_done(
        self, function: Callable[[Shard], Result], shards: Sequence[Shard]
    ) -> Iterator[tuple[int, Result]]:
        """The number of each shard and its result, in the order in which they are done."""

    def map(self, function: Callable[[Shard], Result], shards: Sequence[Shard]) -> list[Result]:
        """The results of all shards in their order."""
        return list(in_order(self.as_done(function, shards)))

    def reduce(
        self,
        function: Callable[[Shard], Result],
        shards: Sequence[Shard],
        merge: Callable[[Result, Result], Result],
        told: Callable[[int], None] | None = None,
    ) -> Result:
        """All results merged in a tree, as they come."""
        return reduced(in_order(self.as_done(function, shards), told), merge)
