"""`FolderLearner`: learns from the shards of a folder, each sentence with rules of its own.

The rules are those that the other pairs of the text give (leave-one-out), as Simianer, Riezler &
Dyer (2012) have them; `tunesmith shard` has looked them up. Whoever learns from a shard opens it
where it is, or has got a copy: text and grammars do not pass through the driver's memory.
"""

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tunesmith.base.rundir import file_hash
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import Decoder
from tunesmith.engine import Engine
from tunesmith.learn.flat_weights import FlatWeights
from tunesmith.learn.list_learner import ListLearner, ListShard, list_pass
from tunesmith.learn.ranking import Pass
from tunesmith.learn.shards import MANIFEST, CorpusShard, Shards

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce


class FolderLearner(ListLearner):
    """Weights of the features of `decoder`, learned from the pairs of `corpus`."""

    def __init__(
        self, options: "Maxforce", decoder: Decoder, corpus: Shards, start: Weights
    ) -> None:
        decoder.with_grammars([])  # which most decoders refuse
        super().__init__(options, [decoder], Bitext.from_lines([], []), start, is_shard=True)
        self.corpus = corpus
        self.examples = np.zeros((sum(map(len, corpus)), 3), np.int64)

    def shards(self) -> list[CorpusShard]:
        """As they were cut."""
        return list(self.corpus)

    def shard_pass(self, engine: Engine) -> Pass:
        """A pass over the pairs of a shard, which is opened for it."""
        return partial(
            folder_pass,
            decoder=self.decoders[0],
            options=self.options,
            begin=self.begin,
            engine=engine,
        )

    def identity(self) -> dict[str, Any]:
        """All that decides the result but for what the decoder is."""
        return {**super().identity(), "shards": file_hash(self.corpus.folder / MANIFEST)}


def folder_pass(
    shard: CorpusShard,
    weights: FlatWeights,
    decoder: Decoder,
    options: "Maxforce",
    begin: Weights,
    engine: Engine,
) -> FlatWeights:
    """`list_pass` over a shard, which is compared with its manifest first."""
    found = shard.open()
    pairs = Bitext.from_lines(found.sources, found.targets)
    return list_pass(ListShard(pairs, decoder, found.grammars), weights, options, begin, engine)
