"""What tuners of graphs share: the space they see, one way in (`fit`), and what they leave."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.graph import Derivations, chosen_paths, kbest, union, weight_vector
from tunesmith.metrics.base import Metric, Scorer
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune.base import AnyTuner, Scored, Step, TuneResult, Vector, known_weights
from tunesmith.tune.pool import PoolBuilder
from tunesmith.tune.scaling import feature_scale

# Features and gains are measured on lists of this size, as the k-best tuners see them.
LIST_SIZE = 100


@dataclass(frozen=True, eq=False)
class GraphSpace:
    """Search spaces of a dev set with its references."""

    graphs: GraphPool
    """What the decoder gave for the weights of this iteration."""
    references: Sequence[Sequence[str]]
    """One sequence of sentences per reference file, split at blanks as the graphs' words are."""
    chosen: GraphPool | None = None
    """Paths that earlier iterations kept."""

    @cached_property
    def pool(self) -> GraphPool:
        """All derivations there are."""
        return self.graphs if self.chosen is None else union([self.graphs, self.chosen])

    @cached_property
    def dense(self) -> npt.NDArray[np.bool_]:
        """[features] those of no template."""
        return np.array([":" not in name for name in self.pool.names], dtype=bool)

    @cached_property
    def usable(self) -> npt.NDArray[np.int64]:
        """The sentences that have derivations; those that have none are named in a warning."""
        empty = self.pool.empty_sentences()
        for sentence in empty:
            log.warning("sentence %d has no derivation in its graph and is skipped", sentence + 1)
        usable: npt.NDArray[np.int64] = np.setdiff1d(np.arange(len(self.pool)), empty)
        if not len(usable):
            raise OptionError("no sentence has a derivation in its graph")
        return usable

    def scorer(self, metric: Metric) -> Scorer:
        """The references, ready for counting; prepared once."""
        if metric not in self._scorers:
            self._scorers[metric] = metric.prepare(self.references)
        return self._scorers[metric]

    @cached_property
    def _scorers(self) -> dict[Metric, Scorer]:
        return {}

    def best_stats(
        self, metric: Metric, weights: Vector, *, threads: int = 1
    ) -> npt.NDArray[np.int64]:
        """The summed statistics of the best derivations under `weights`."""
        pool = self.pool
        stats = _core.graph_best_stats(
            pool.native, pool.vocabulary.native, self.scorer(metric), weights, threads
        )
        sums: npt.NDArray[np.int64] = stats.sum(axis=0, dtype=np.int64)
        return sums

    def lists(self, metric: Metric, weights: Vector, size: int, *, threads: int = 1) -> KBestPool:
        """The best translations of the usable sentences under `weights`, as a tuner's lists."""
        graphs = self.pool.select(self.usable)
        references = [[one[s] for s in self.usable.tolist()] for one in self.references]
        names = Weights.from_vector(self.pool.names, weights)
        found = kbest(graphs, names, size, threads=threads).nbest()
        builder = PoolBuilder(metric, references, threads=threads)
        builder.add(
            np.repeat(np.arange(len(graphs)), np.diff(found.offsets)),
            found.texts,
            found.dense,
            found.dense_names,
            (found.sparse_offsets, found.sparse_ids, found.sparse_values),
            found.sparse_names,
        )
        return builder.finish()

    def scale_of(self, lists: KBestPool, *, threads: int = 1) -> Vector:
        """[features] the natural size of every feature, measured on lists of these graphs."""
        sizes = feature_scale(lists, threads=threads)
        dense = dict(zip(lists.dense_names, sizes[: len(lists.dense_names)].tolist(), strict=True))
        sparse = float(sizes[-1]) if lists.sparse_names else 1.0
        return np.array([dense.get(name, sparse) for name in self.pool.names])


@dataclass(frozen=True)
class GraphTuneResult(TuneResult):
    """What `GraphTuner.fit` gives back."""

    chosen: GraphPool | None = field(default=None, kw_only=True)
    """The paths that a loop keeps for its next iterations; those of earlier ones are among them."""


@dataclass
class GraphTuner(AnyTuner, ABC):
    """A tuner of graphs: hyper-parameters in the constructor, `fit` does the work."""

    density: float = parameter(
        50.0, "edges of a graph per word of the reference; 0 keeps all", at_least=0
    )

    @abstractmethod
    def search(self, space: GraphSpace, metric: Metric, start: Vector) -> "GraphSearch":
        """The work on one space, from `start`."""

    def fit(
        self,
        space: GraphSpace,
        metric: Metric,
        start: Weights,
        *,
        keep_better_start: bool = True,
    ) -> GraphTuneResult:
        """Tune on the graphs for `metric` from `start`.

        Where the end scores below the start on the graphs, the start is given back, unless
        `keep_better_start` is off: a loop that decodes again judges the end on new graphs.
        """
        check_parameters(self)
        if any(len(one) != len(space.graphs) for one in space.references):
            raise OptionError(
                f"graphs of {len(space.graphs):,} sentences, but references of "
                f"{len(space.references[0]):,}"
            )
        known_weights(space.pool.names, start, "graphs")
        begin = weight_vector(space.pool, start)
        search = self.search(space, metric, begin)
        given = self._finished(begin, space.dense)

        def score(weights: Vector) -> float:
            return metric.score(space.best_stats(metric, weights, threads=self.threads))

        before = Scored(given, score(given))
        end, refused, history = self._follow(
            search.steps(),
            lambda weights: self._finished(weights, space.dense),
            score,
            before,
            metric,
            keep_better_start=keep_better_start,
        )
        return GraphTuneResult(
            Weights.from_vector(space.pool.names, end.weights),
            end.score,
            before.score,
            refused,
            history,
            chosen=self._kept(space, search),
        )

    def _kept(self, space: GraphSpace, search: "GraphSearch") -> GraphPool:
        paths = chosen_paths(search.chosen(), threads=self.threads)
        if space.chosen is None:
            return paths
        return union([space.chosen, paths], threads=self.threads)


class GraphSearch(ABC):
    """A tuner at work on a space; weights are in the features' own units."""

    @abstractmethod
    def steps(self) -> Iterator[Step]:
        """Optimise, yielding weights as they improve."""

    @abstractmethod
    def chosen(self) -> Derivations:
        """The derivations that matter to later iterations."""


def derivations_of(pool: GraphPool, paths: Any) -> Derivations:
    """Native (sentences, offsets, edges), in any order, as derivations by sentence."""
    sentences, offsets, edges = paths
    order = np.argsort(sentences, kind="stable")
    lengths = np.diff(offsets)
    starts = np.concatenate([[0], np.cumsum(lengths[order])]).astype(np.int64)
    places = np.repeat(offsets[order] - starts[:-1], lengths[order]) + np.arange(starts[-1])
    counts = np.bincount(sentences, minlength=len(pool))
    return Derivations(
        pool,
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        scores=np.zeros(len(sentences)),
        edge_offsets=starts,
        edges=edges[places],
    )


def bleu_space(space: GraphSpace, metric: Metric, tuner: str, *, threads: int) -> Any:
    """The native graphs with their references' n-grams; refuses metrics that have none."""
    if not isinstance(metric, Bleu) or metric.tokenize != "none":
        raise OptionError(
            f"{tuner} looks for n-grams along the words of the graphs: it takes BLEU with the "
            f"tokeniser 'none', not {metric.name}"
            + (f" with '{metric.tokenize}'" if isinstance(metric, Bleu) else "")
        )
    pool = space.pool
    return _core.BleuSpace(
        pool.native,
        pool.vocabulary.native,
        space.scorer(metric),
        np.arange(len(pool), dtype=np.uint32),
        threads,
    )
