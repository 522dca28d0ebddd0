"""Online MIRA (Chiang et al. 2008; Cherry & Foster 2012, §2.1) with the decoder in the loop."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from tunesmith import _core
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import generator
from tunesmith.base.weights import Weights
from tunesmith.engine import ThreadEngine
from tunesmith.graph import weight_vector
from tunesmith.graph.bleu import check_bleu
from tunesmith.metrics.base import PSEUDO_CORPUS, Metric, Scorer
from tunesmith.tune.base import AnyTuner, known_weights, unit_length
from tunesmith.tune.batch_mira import SMALL_COUNT
from tunesmith.tune.gains import spread_within
from tunesmith.tune.online_memory import OnlineMemory
from tunesmith.tune.online_turns import OnlineTurns
from tunesmith.tune.scaling import feature_scale
from tunesmith.tune.turns import LoopSetting, SentenceGraphs


@dataclass
class OnlineMira(AnyTuner):
    """Every sentence is decoded with the weights of that moment; hope and fear are in its graph.

    The dev set is split into `shards`, each of which learns by itself, as `LatticeMira` does on
    one sentence; after every epoch their weights are averaged and all start again from the mixture
    (iterative parameter mixing, McDonald et al. 2010). What an epoch gives is the average of the
    weights that its sentences, or those of all epochs so far (§2.1), were met with. Shards, not
    threads, decide the result.
    """

    name: ClassVar[str] = "mira"
    title: ClassVar[str] = "online MIRA, decoder in the loop, mixed shards (Chiang et al. 2008)"

    shards: int = parameter(8, "parts of the dev set that learn by themselves", at_least=1)
    C: float = parameter(0.05, "cap of a step, in standardised units", above=0)
    decay: float = parameter(
        0.999, "what a sentence leaves of a shard's pseudo-corpus (γ)", above=0, at_most=1
    )
    density: float = parameter(
        50.0, "edges of a graph per word of the reference; 0 keeps all", at_least=0
    )
    beam: int = parameter(
        3, "items that a node keeps in the search for hope and fear; 0: all", at_least=0
    )
    average_all: bool = parameter(
        False, "average the weights of all epochs so far, as the paper does, not of the last"
    )

    def turns(self, setting: LoopSetting) -> OnlineTurns:
        """Epochs, on the graphs of single sentences."""
        return OnlineTurns(self, setting, setting.graph_source(self.name))

    def begin(
        self,
        lists: KBestPool,
        metric: Metric,
        start: Weights,
        names: tuple[str, ...],
        dense_size: int,
    ) -> OnlineMemory:
        """The memory before the first epoch; features and gains are measured on `lists`.

        The first `dense_size` of the features are dense.
        """
        check_parameters(self)
        check_bleu(metric, self.name)
        known_weights(names, start, "model")
        vector = start.vector(names)
        sizes = dict(zip(lists.names, feature_scale(lists, engine=self.engine), strict=True))
        sparse = max((sizes[name] for name in lists.sparse_names), default=1.0)
        scale = np.array(
            [
                *(sizes.get(name, 1.0) for name in names[:dense_size]),
                *(sizes.get(name, sparse) for name in names[dense_size:]),
            ]
        )
        in_lists = start.vector(lists.names)
        best = lists.stats_of(lists.best(in_lists, threads=self.threads)).astype(np.float64)
        gains = metric.sentence_gains(
            lists.stats, PSEUDO_CORPUS, background=best + SMALL_COUNT, engine=self.engine
        )
        weights = unit_length(vector * scale) / scale
        return OnlineMemory(
            names=names,
            weights=weights,
            mean=weights,
            scale=scale,
            gain_spread=spread_within(lists, lists.sentences * gains, engine=self.engine),
            backgrounds=np.tile(best / lists.sentences + SMALL_COUNT, (self.shards, 1)),
            background_sizes=np.ones(self.shards),
        )

    def epoch(
        self,
        memory: OnlineMemory,
        graphs: SentenceGraphs,
        metric: Metric,
        references: Sequence[Sequence[str]],
    ) -> OnlineMemory:
        """One pass over the dev set; shards run on threads."""
        check_parameters(self)
        scorer = metric.prepare(references)
        counts = [len(line.split()) for line in references[0]]

        def learn(shard: int) -> _core.GraphMira:
            return self._learn(memory, shard, graphs, metric, scorer, counts)

        ends = ThreadEngine(self.threads).map(learn, range(self.shards))
        # Shards are mixed in their order; each counts by its sentences.
        parts = np.array([end.seen for end in ends])
        mean = parts @ np.array([end.average() for end in ends]) / parts.sum()
        visits = memory.visits + int(parts.sum())
        if self.average_all:
            mean = memory.mean + (mean - memory.mean) * (parts.sum() / visits)
        return replace(
            memory,
            weights=np.mean([end.weights() for end in ends], axis=0),
            mean=mean,
            visits=visits,
            backgrounds=np.array([end.background() for end in ends]),
            background_sizes=np.array([end.background_size for end in ends]),
            epochs=memory.epochs + 1,
        )

    def _learn(
        self,
        memory: OnlineMemory,
        shard: int,
        graphs: SentenceGraphs,
        metric: Metric,
        scorer: Scorer,
        counts: Sequence[int],
    ) -> _core.GraphMira:
        """What a shard has learned when it has met its sentences."""
        mira = _core.GraphMira(
            metric.gain,
            memory.weights,
            memory.scale,
            memory.backgrounds[shard],
            background_size=float(memory.background_sizes[shard]),
            step_cap=self.C,
            decay=self.decay,
            gain_scale=1.0 / memory.gain_spread,
            beam=self.beam,
            threads=1,
        )
        chance = generator(self.seed, self.name, memory.epochs, shard)
        for sentence in chance.permutation(np.arange(shard, len(counts), self.shards)).tolist():
            weights = Weights.from_vector(memory.names, mira.weights())
            pool = graphs(sentence, weights, self.density, counts[sentence])
            if pool.empty_sentences():
                log.warning(
                    "sentence %d has no derivation in its graph and is skipped", sentence + 1
                )
                continue
            weight_vector(pool, weights)  # a feature without a weight is refused
            if pool.names != memory.names:
                pool = pool.with_features(memory.names, pool.dense_size)
            ids = np.array([sentence], dtype=np.uint32)
            space = _core.BleuSpace(pool.native, pool.vocabulary.native, scorer, ids, 1)
            mira.run_pass(space, np.zeros(1, dtype=np.int64))
        return mira
