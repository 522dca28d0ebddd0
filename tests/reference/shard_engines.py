"""Engines that cut work into any number of shards, for tests of what shards give."""

import pickle
from dataclasses import dataclass

from tunesmith.engine import ThreadEngine
from tunesmith.engine.processes import ProcessEngine
from tunesmith.engine.reduction import in_order, reduced


def _travelled(value):
    return pickle.loads(pickle.dumps(value))


@dataclass(frozen=True)
class ShardEngine:
    """So many workers, all in this process; what they get and give is pickled on the way.

    They work in the wrong order: results must not depend on it.
    """

    workers: int
    threads: int = 1

    def map(self, function, shards):
        results = dict(self.as_done(function, shards))
        return [results[number] for number in range(len(shards))]

    def as_done(self, function, shards):
        for number in reversed(range(len(shards))):
            work, shard = _travelled((function, shards[number]))
            yield number, _travelled(work(shard))

    def reduce(self, function, shards, merge, told=None):
        return reduced(in_order(self.as_done(function, shards), told), merge)

    def share(self, parts):
        return ThreadEngine(1)


#: One memory with two threads; then 1, 2 and 7 shards; then processes.
ENGINES = [ThreadEngine(2), ShardEngine(1), ShardEngine(2), ShardEngine(7), ProcessEngine(2, 2)]
