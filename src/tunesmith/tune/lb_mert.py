"""Lattice MERT (Macherey et al. 2008): exact line searches over all derivations of graphs."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import parameter
from tunesmith.graph import Derivations
from tunesmith.graph.bleu import derivations_of
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Step, Vector
from tunesmith.tune.graph_base import GraphSearch, GraphTuner
from tunesmith.tune.graph_space import GraphSpace, Sizes
from tunesmith.tune.kb_mert import KBestMert, climb_options
from tunesmith.tune.limits import limits_of


@dataclass
class LatticeMert(GraphTuner):
    """Climb by line searches along single features, with every derivation a line.

    The climb from the start searches the graphs themselves: envelopes over the graph (Macherey et
    al. 2008) give all winners along a line. The restarts and combinations of kb-mert then climb on
    the derivations that were on some envelope, as on a list; the best of their ends starts another
    climb on the graphs, until that gains nothing. Only steps that gain on the graphs are taken.
    """

    name: ClassVar[str] = "lb-mert"
    title: ClassVar[str] = "minimum error rate training on graphs (Macherey et al. 2008)"
    dense_only: ClassVar[bool] = True

    density: float = parameter(
        0.0, "edges of a graph per word of the reference; 0 keeps all", at_least=0
    )
    restarts: int = parameter(20, "climbs from random places, on the envelopes' paths", at_least=0)
    combinations: int = parameter(
        16, "climbs from combinations of the best ends, on the envelopes' paths", at_least=0
    )
    spread: float = parameter(
        0.3, "how far restarts are from the start, as a part of the largest weight", above=0
    )
    random_directions: int = parameter(
        0, "random directions to search beside the features, in each round", at_least=0
    )
    rounds: int = parameter(100, "rounds over the directions that a climb may take", at_least=1)
    fixed: str | tuple[str, ...] = parameter("", "weights that keep their start: name,name")
    bounds: str | Mapping[str, tuple[float, float]] = parameter(
        "", "limits of weights, in the size of the start weights: name=low:high,name=low:"
    )

    @property
    def on_lists(self) -> KBestMert:
        """The same search on lists."""
        names = {item.name for item in dataclasses.fields(KBestMert)}
        options = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        return KBestMert(**{key: value for key, value in options.items() if key in names})

    @property
    def keeps_scale(self) -> bool:
        """A limit other than 0 is about the size of a weight, not only about its sign."""
        return self.on_lists.keeps_scale

    def search(
        self, space: GraphSpace, metric: Metric, start: Vector, sizes: Sizes
    ) -> "_MertSearch":
        """The climbs over one space."""
        if space.pool.sparse_names:
            raise OptionError(
                f"{self.name} searches along single features and takes dense ones only, but the "
                f"graphs have {len(space.pool.sparse_names):,} sparse features; take lb-mira"
            )
        return _MertSearch(self, space, metric, start, sizes)


class _MertSearch(GraphSearch):
    """Everything here is in standardised units, but what `steps` yields."""

    def __init__(
        self,
        tuner: LatticeMert,
        space: GraphSpace,
        metric: Metric,
        start: Vector,
        sizes: Sizes,
    ) -> None:
        self._tuner, self._space, self._metric = tuner, space, metric
        self._scale = sizes.scale(space.pool.names, space.pool.dense_size)
        self._search = self._line_search()
        self._mert = tuner.on_lists.in_standard_units(space.pool.names, self._scale)
        begin = start * self._scale
        self._start = begin if tuner.keeps_scale else begin / (np.abs(begin).max() or 1.0)
        self._end = self._start
        self._climbs = 0

    def steps(self) -> Iterator[Step]:
        """The end of the climb from the start, then every end on the graphs that is higher."""
        end, gain = self._climb(self._start)
        self._end = end
        yield Step(end / self._scale, gain, "start")
        while self._tuner.restarts or self._tuner.combinations:
            place = self._best_on_lists(end)
            further, higher = self._climb(place)
            if higher <= gain:
                return
            self._end, end, gain = further, further, higher
            yield Step(end / self._scale, gain, "restart")

    def chosen(self) -> Derivations:
        """What wins along some feature near the end, within the size of the largest weight.

        All that was on an envelope of some search would be several times as much.
        """
        search, reach = self._line_search(), float(np.abs(self._end).max())
        for direction in np.eye(len(self._end)):
            search.along(self._end, direction, -reach, reach)
        return derivations_of(self._space.pool, search.paths())

    def _line_search(self) -> _core.GraphLineSearch:
        pool = self._space.pool
        return _core.GraphLineSearch(
            pool.native,
            pool.vocabulary.native,
            self._space.scorer(self._metric),
            self._metric.gain,
            self._scale,
            self._tuner.threads,
        )

    def _climb(self, start: Vector) -> tuple[Vector, float]:
        mert = self._mert
        limits = limits_of(
            self._space.pool.names, self._start, mert.fixed_names, mert.bounds_by_name
        )
        end, gain, _ = self._search.climb(
            limits.clip(start), climb_options(mert, limits), self._climbs
        )
        self._climbs += 1
        return end, gain

    def _best_on_lists(self, start: Vector) -> Vector:
        """Where kb-mert ends on the envelopes' paths."""
        paths = derivations_of(self._space.pool, self._search.paths())
        lists = self._space.lists_of(paths, self._metric, engine=self._tuner.engine)
        names = self._space.pool.names
        place = np.array([names.index(name) for name in lists.names])
        lists = lists.scaled(1.0 / self._scale[place])
        best = max(
            self._mert.steps(lists, self._metric, start[place]), key=lambda step: step.objective
        )
        end = start.copy()
        end[place] = best.weights
        return end
