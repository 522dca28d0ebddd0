"""What tuners of graphs share: one way in (`fit`), and what they leave."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field

from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.weights import Weights
from tunesmith.graph import Derivations, chosen_paths, union, weight_vector
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import AnyTuner, Scored, Step, TuneResult, Vector, known_weights
from tunesmith.tune.graph_space import GraphMemory, GraphSpace, Sizes
from tunesmith.tune.graph_turns import GraphTurns
from tunesmith.tune.turns import LoopSetting


@dataclass(frozen=True)
class GraphTuneResult(TuneResult):
    """What `GraphTuner.fit` gives back."""

    memory: GraphMemory = field(kw_only=True)
    """What a loop keeps for its next iterations; that of earlier ones is in it."""


@dataclass
class GraphTuner(AnyTuner):
    """A tuner of graphs: hyper-parameters in the constructor, `fit` does the work."""

    density: float = parameter(
        50.0, "edges of a graph per word of the reference; 0 keeps all", at_least=0
    )

    def turns(self, setting: LoopSetting) -> GraphTurns:
        """Turns on the graphs of all sentences."""
        return GraphTurns(self, setting, setting.graph_source(self.name))

    @abstractmethod
    def search(
        self, space: GraphSpace, metric: Metric, start: Vector, sizes: Sizes
    ) -> "GraphSearch":
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
        sizes = space.measure(metric, begin, engine=self.engine)
        search = self.search(space, metric, begin, sizes)
        dense_size = space.pool.dense_size
        given = self._finished(begin, dense_size)

        def score(weights: Vector) -> float:
            return metric.score(space.best_stats(metric, weights, engine=self.engine))

        before = Scored(given, score(given))
        end, refused, history = self._follow(
            search.steps(),
            lambda weights: self._finished(weights, dense_size),
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
            memory=GraphMemory(self._kept(space, search), sizes),
        )

    def _kept(self, space: GraphSpace, search: "GraphSearch") -> GraphPool:
        paths = chosen_paths(search.chosen(), engine=self.engine)
        if space.memory is None:
            return paths
        return union([space.memory.paths, paths], engine=self.engine)


class GraphSearch(ABC):
    """A tuner at work on a space; weights are in the features' own units."""

    @abstractmethod
    def steps(self) -> Iterator[Step]:
        """Optimise, yielding weights as they improve."""

    @abstractmethod
    def chosen(self) -> Derivations:
        """The derivations that matter to later iterations."""
