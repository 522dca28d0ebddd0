"""What tuners of graphs see, and what a loop keeps of it from turn to turn."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import contents_of, read_arrays
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import FILE_VERSION, GraphPool
from tunesmith.base.log import log
from tunesmith.base.pool import KBestPool
from tunesmith.base.ragged import packed_names, unpacked_names
from tunesmith.base.weights import Weights
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.graph import Derivations, kbest, union
from tunesmith.graph.bleu import bleu_space
from tunesmith.metrics.base import PSEUDO_CORPUS, Metric, Scorer
from tunesmith.tune.base import Vector
from tunesmith.tune.batch_mira import SMALL_COUNT
from tunesmith.tune.gains import spread_within
from tunesmith.tune.pool import PoolBuilder
from tunesmith.tune.scaling import feature_spread

# Features and gains are measured on lists of this size, as the k-best tuners see them.
LIST_SIZE = 100
MEMORY_KIND = "graph-memory"


@dataclass(frozen=True)
class Sizes:
    """How much features and gains vary within lists, over the iterations so far.

    A list of one iteration alone would not do: where a weight is large, nothing of its feature is
    left to vary in the lists, and the feature would look small.
    """

    dense: dict[str, float]
    """By dense feature: the mean over the iterations of the variance."""
    sparse: dict[str, float]
    """The same by sparse feature; those of an iteration have one size."""
    gain_square: float
    """The same of the gains."""
    iterations: int = 1

    def and_then(self, other: "Sizes") -> "Sizes":
        """These and those of one more iteration."""
        ours = self.iterations / (self.iterations + 1)

        def mean(a: float, b: float) -> float:
            return ours * a + (1.0 - ours) * b

        def means(a: dict[str, float], b: dict[str, float]) -> dict[str, float]:
            return {name: mean(a.get(name, 0.0), b.get(name, 0.0)) for name in {**a, **b}}

        return Sizes(
            means(self.dense, other.dense),
            means(self.sparse, other.sparse),
            mean(self.gain_square, other.gain_square),
            self.iterations + 1,
        )

    def scale(self, names: Sequence[str], dense_size: int) -> Vector:
        """[names] dividing by it standardises a feature; a feature that never varied keeps 1."""
        shared = max(self.sparse.values(), default=0.0)
        squares = np.full(len(names), shared)
        squares[:dense_size] = [self.dense.get(name, 0.0) for name in names[:dense_size]]
        return np.where(squares > 0.0, np.sqrt(squares), 1.0)

    @property
    def gain_spread(self) -> float:
        """The typical difference of two gains in a list."""
        return float(np.sqrt(self.gain_square))


@dataclass(frozen=True, eq=False)
class GraphMemory:
    """What a loop keeps of graphs: chosen paths, and how large features and gains were."""

    paths: GraphPool
    sizes: Sizes

    def save(self, path: str | Path) -> None:
        """Write it to one file."""
        sizes = self.sizes
        more = {
            "dense_size_names": packed_names(tuple(sizes.dense)),
            "sparse_size_names": packed_names(tuple(sizes.sparse)),
            "sizes": np.array(
                [sizes.iterations, sizes.gain_square, *sizes.dense.values(), *sizes.sparse.values()]
            ),
        }
        self.paths.save(path, kind=MEMORY_KIND, more=more)

    @classmethod
    def load(cls, path: str | Path) -> "GraphMemory":
        """The inverse of `save`."""
        paths = GraphPool.load(path, kind=MEMORY_KIND)
        kinds = ("dense_size_names", "sparse_size_names")
        types = {**dict.fromkeys(kinds, (np.uint8, 1)), "sizes": (np.float64, 1)}
        arrays = read_arrays(path, MEMORY_KIND, FILE_VERSION, types)
        with contents_of(path, "sizes of all features"):
            dense, sparse = (unpacked_names(arrays[kind]) for kind in kinds)
            iterations, gain, *values = arrays["sizes"].tolist()
            if not (np.isfinite(arrays["sizes"]).all() and min(gain, *values) >= 0 < iterations):
                raise ValueError("a size below 0, or that is not finite")
            sizes = Sizes(
                dict(zip(dense, values[: len(dense)], strict=True)),
                dict(zip(sparse, values[len(dense) :], strict=True)),
                gain,
                int(iterations),
            )
            return cls(paths, sizes)


@dataclass(frozen=True, eq=False)
class GraphSpace:
    """Search spaces of a dev set with its references."""

    graphs: GraphPool
    """What the decoder gave for the weights of this iteration; the paths of `memory` are added."""
    references: Sequence[Sequence[str]]
    """One sequence of sentences per reference file, split at blanks as the graphs' words are."""
    memory: GraphMemory | None = None
    """What earlier iterations left."""

    def __post_init__(self) -> None:
        # Not kept beside one another: unpruned graphs are large.
        if self.memory is not None:
            object.__setattr__(self, "graphs", union([self.graphs, self.memory.paths]))

    @property
    def pool(self) -> GraphPool:
        """All derivations there are."""
        return self.graphs

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

    def bleu(self, metric: Metric, who: str, *, engine: EngineLike = ALL_CORES) -> _core.BleuSpace:
        """The native graphs with the n-grams of their references."""
        return bleu_space(self.pool, metric, self.scorer(metric), who, engine=engine)

    def best_stats(
        self, metric: Metric, weights: Vector, *, engine: EngineLike = ALL_CORES
    ) -> npt.NDArray[np.int64]:
        """The summed statistics of the best derivations under `weights`."""
        pool = self.pool
        stats = _core.graph_best_stats(
            pool.native,
            pool.vocabulary.native,
            self.scorer(metric),
            weights,
            as_engine(engine).threads,
        )
        sums: npt.NDArray[np.int64] = stats.sum(axis=0, dtype=np.int64)
        return sums

    def lists(
        self, metric: Metric, weights: Vector, size: int, *, engine: EngineLike = ALL_CORES
    ) -> KBestPool:
        """The best translations of the usable sentences under `weights`, as a tuner's lists."""
        by_name = Weights.from_vector(self.pool.names, weights)
        found = kbest(self.pool, by_name, size, engine=engine)
        return self.lists_of(found, metric, engine=engine)

    def lists_of(
        self, derivations: Derivations, metric: Metric, *, engine: EngineLike = ALL_CORES
    ) -> KBestPool:
        """Derivations of the usable sentences as a tuner's lists."""
        found = derivations.nbest()
        references = [[one[s] for s in self.usable.tolist()] for one in self.references]
        builder = PoolBuilder(metric, references, engine=engine)
        builder.add(
            np.repeat(np.arange(len(self.usable)), np.diff(found.offsets)[self.usable]),
            found.texts,
            found.dense,
            found.dense_names,
            (found.sparse_offsets, found.sparse_ids, found.sparse_values),
            found.sparse_names,
        )
        return builder.finish()

    def measure(
        self, metric: Metric, weights: Vector, *, engine: EngineLike = ALL_CORES
    ) -> "Sizes":
        """The natural sizes of features and gains, on lists of this iteration and those before."""
        lists = self.lists(metric, weights, LIST_SIZE, engine=engine)
        squares = [float(value) ** 2 for value in feature_spread(lists, engine=engine)]
        best = self.best_stats(metric, weights, engine=engine)
        gains = metric.sentence_gains(
            lists.stats, PSEUDO_CORPUS, background=best + SMALL_COUNT, engine=engine
        )
        gain = spread_within(lists, lists.sentences * gains, engine=engine)
        size = len(lists.dense_names)
        dense = dict(zip(lists.dense_names, squares[:size], strict=True))
        sparse = dict(zip(lists.sparse_names, squares[size:], strict=True))
        now = Sizes(dense, sparse, gain**2)
        return now if self.memory is None else self.memory.sizes.and_then(now)
