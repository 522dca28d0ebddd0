"""One pass over the sentences of a shard by the core's learner, wherever it runs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.corpus import Bitext
from tunesmith.decode.table_links import TableLinks, as_list
from tunesmith.engine import Engine
from tunesmith.engine.shards import ranges
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


@dataclass(frozen=True)
class PassWork:
    """What a pass needs besides a shard and weights; it can travel."""

    how: HowToLearn
    lexical: LexicalModel
    """Without weights."""
    engine: Engine


def one_pass(shard: PairShard, weights: FlatWeights, work: PassWork) -> FlatWeights:
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


def shards_of(
    pairs: Bitext,
    links: TableLinks,
    examples: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.int64]],
    folds: np.ndarray[tuple[int], np.dtype[np.uint32]],
    models: Sequence[TranslationModel],
    size: int,
) -> list[PairShard]:
    """The pairs `examples`, in shards of about `size` that are each of one fold."""
    chosen = np.asarray(examples)
    shards = []
    for fold, model in enumerate(models):
        own = chosen[folds[chosen] == fold]
        for begin, end in ranges(len(own), max(1, round(len(own) / size))):
            rows = own[begin:end]
            own_links = [one.select(rows) for one in as_list(links)] or None
            shards.append(PairShard(pairs.select(rows), own_links, model))
    return shards
