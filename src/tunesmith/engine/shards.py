"""Shards on threads: for work whose time is spent in native code, which releases the lock."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Shard = TypeVar("Shard")
Result = TypeVar("Result")


def map_shards(
    work: Callable[[Shard], Result], shards: Sequence[Shard], threads: int
) -> list[Result]:
    """The results of all shards in their order, whichever thread did them and when.

    The exception of the first failing shard reaches the caller.

    >>> map_shards(len, ["ab", "c"], threads=2)
    [2, 1]
    """
    if threads < 2 or len(shards) < 2:
        return [work(shard) for shard in shards]
    with ThreadPoolExecutor(min(threads, len(shards))) as pool:
        return list(pool.map(work, shards))
