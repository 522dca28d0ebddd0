"""`Watched`: an engine that tells which shards are done, for a bar that shows it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from tunesmith.engine.base import Engine, Result, Shard
from tunesmith.engine.collecting import Collecting


@dataclass(frozen=True)
class Watched(Collecting):
    """Another engine; `told` is called with the number of each shard when it is done."""

    engine: Engine
    told: Callable[[int], None]

    @property
    def threads(self) -> int:
        """Those of the engine."""
        return self.engine.threads

    @property
    def workers(self) -> int:
        """Those of the engine."""
        return self.engine.workers

    def as_done(
        self, function: Callable[[Shard], Result], shards: Sequence[Shard]
    ) -> Iterator[tuple[int, Result]]:
        """The number of each shard and its result, in the order in which they are done."""
        for number, result in self.engine.as_done(function, shards):
            self.told(number)
            yield number, result

    def reduce(
        self,
        function: Callable[[Shard], Result],
        shards: Sequence[Shard],
        merge: Callable[[Result, Result], Result],
        told: Callable[[int], None] | None = None,
    ) -> Result:
        """All results merged in a tree, as the engine does it."""
        return self.engine.reduce(function, shards, merge, told or self.told)

    def share(self, parts: int) -> Engine:
        """That of the engine."""
        return self.engine.share(parts)
