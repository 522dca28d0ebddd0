"""One pass of the core's learner over the pairs of a shard, wherever it runs."""

from dataclasses import dataclass

import numpy as np

from tunesmith.corpus import Bitext
from tunesmith.decode.table_links import TableLinks
from tunesmith.engine import Engine
from tunesmith.features import LexicalModel
from tunesmith.learn.epochs import BatchReport
from tunesmith.learn.flat_weights import FlatWeights
from tunesmith.learn.updates import HowToLearn
from tunesmith.model import TranslationModel


@dataclass(frozen=True)
class PairShard:
    """Sentence pairs, their links, and a model that has not seen them; it can travel."""

    pairs: Bitext
    links: TableLinks
    model: TranslationModel

    def __len__(self) -> int:
        return len(self.pairs)


@dataclass(frozen=True)
class PassWork:
    """What a pass needs besides a shard and weights; it can travel."""

    how: HowToLearn
    lexical: LexicalModel
    """Without weights."""
    engine: Engine


def stack_pass(shard: PairShard, weights: FlatWeights, work: PassWork) -> FlatWeights:
    """The shard's pairs in their order, batch by batch, from `weights` on."""
    lexical = work.lexical.copy()
    lexical.native.add(weights.keys, weights.values)
    learner = work.how.learner(
        [shard.model], lexical, shard.pairs, shard.links, [0] * len(shard.pairs)
    )
    dense = weights.dense.tolist()
    learner.restore(dense, [0.0] * len(dense), weights.text.tolist(), 0.0)
    size = work.how.options.batch
    reports = []
    for begin in range(0, len(shard.pairs), size):
        batch = np.arange(begin, min(begin + size, len(shard.pairs)), dtype=np.uint32)
        reports.append(BatchReport(*learner.step(batch, work.engine.threads)))
    keys, values = lexical.entries()
    moved = values != 0.0
    return FlatWeights(
        np.array(learner.dense_weights(False)),
        keys[moved],
        values[moved],
        np.array(learner.text),
        (BatchReport.joined(reports),) if reports else (),
    )
