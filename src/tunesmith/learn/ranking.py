"""Learning on shards (Simianer, Riezler & Dyer 2012, Algorithms 1 to 4).

What is done with a sentence is not said here: a *pass* takes the weights once over a shard's
sentences. The paper's is pairwise ranking of k-best lists (`core/learn/ranking.hh`); expected BLEU
is mixed and selected in the same way.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Protocol, TypeAlias

from tunesmith.engine import Engine
from tunesmith.learn.flat_weights import ColumnSums, FlatWeights, average

Shard: TypeAlias = Any


class Pass(Protocol):
    """One pass over the sentences of a shard; it can travel."""

    def __call__(self, shard: Shard, weights: FlatWeights) -> FlatWeights:
        """The weights after it, from those before it."""


def sgd(shard: Shard, one_pass: Pass, start: FlatWeights, epochs: int) -> FlatWeights:
    """Algorithm 1, SGD: the average of the weights at the ends of all epochs."""
    weights, ends = start, []
    for _ in range(epochs):
        weights = one_pass(shard, weights)
        ends.append(weights)
    return average(ends)


def mix_sgd(
    engine: Engine, shards: Sequence[Shard], one_pass: Pass, start: FlatWeights, epochs: int
) -> FlatWeights:
    """Algorithm 2, MixSGD: every shard learns alone; the average of what they have learned."""
    alone = partial(sgd, one_pass=one_pass, start=start, epochs=epochs)
    return average(engine.map(alone, shards))


def iter_mix_sgd(
    engine: Engine, shards: Sequence[Shard], one_pass: Pass, start: FlatWeights
) -> Iterator[FlatWeights]:
    """Algorithm 3, IterMixSGD: after every epoch all shards go on from their average."""
    weights = start
    while True:
        weights = stacked(engine, shards, one_pass, weights).average()
        yield weights


def iter_sel_sgd(
    engine: Engine, shards: Sequence[Shard], one_pass: Pass, start: FlatWeights, keep: int
) -> Iterator[FlatWeights]:
    """Algorithm 4, IterSelSGD: the same, with the `keep` features that most shards agree on.

    Those are the columns of the shards' weights with the largest ℓ2 norms (ℓ1/ℓ2 regularisation).
    """
    weights = start
    while True:
        weights = stacked(engine, shards, one_pass, weights).selected(keep)
        yield weights


def stacked(
    engine: Engine, shards: Sequence[Shard], one_pass: Pass, weights: FlatWeights
) -> ColumnSums:
    """W = [w_1 | … | w_Z]ᵀ after a pass over every shard, as far as it is needed."""
    row = partial(_row, one_pass=one_pass, weights=weights)
    return engine.reduce(row, shards, ColumnSums.__add__)


def _row(shard: Shard, one_pass: Pass, weights: FlatWeights) -> ColumnSums:
    return ColumnSums.of(one_pass(shard, weights))
