"""Minimum error rate training (Och 2003): exact line searches on the corpus score itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tunesmith import _core
from tunesmith.base.parameters import parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.seeds import derive_seed, generator
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Step, Vector
from tunesmith.tune.bounded import BoundedTuner
from tunesmith.tune.limits import Limits, limits_of

# Climbs that start from combinations see what the batches before them found. A fixed size, so
# that the number of threads changes nothing.
BATCH = 8
# Combinations are made of the best so far (their number) by a + FACTOR (b − c).
PARENTS = 5
FACTOR = 0.5


@dataclass
class KBestMert(BoundedTuner):
    """Climb from many places by line searches along single features; the highest end wins.

    Along w + α d every hypothesis is a line in α, so the winners, and with them the corpus score,
    change only where lines cross: each search finds the true maximum on its line. The score has
    many local maxima; they are escaped by climbs from random places near the start (the restarts
    of Cherry & Foster 2012) and then from combinations of the best ends, a + F (b − c), as in
    differential evolution (Storn & Price 1997).
    """

    name: ClassVar[str] = "kb-mert"
    title: ClassVar[str] = "minimum error rate training by exact line search (Och 2003)"
    dense_only: ClassVar[bool] = True

    restarts: int = parameter(20, "climbs from random places", at_least=0)
    combinations: int = parameter(64, "climbs from combinations of the best ends", at_least=0)
    spread: float = parameter(
        0.3, "how far restarts are from the start, as a part of the largest weight", above=0
    )
    random_directions: int = parameter(
        0, "random directions to search beside the features, in each round", at_least=0
    )
    rounds: int = parameter(100, "rounds over the directions that a climb may take", at_least=1)
    smooth: float = parameter(
        0.0,
        "above 0: Och's smoothed error count, with posteriors of this sharpness (he took 3)",
        at_least=0,
    )
    window: int = parameter(
        0, "neighbours on each side that an interval is judged with (Cer et al. 2008)", at_least=0
    )
    window_by: str = parameter(
        "mean", "what of a window counts: the mean or the lowest score", choices=("mean", "lowest")
    )

    def steps(self, pool: KBestPool, metric: Metric, start: Vector) -> Iterator[Step]:
        """First the end of the climb from the start, then every end that is higher."""
        size = np.abs(start).max() or 1.0
        begin = start if self.keeps_scale else start / size
        limits = limits_of(pool.names, begin, self.fixed_names, self.bounds_by_name)
        search = _Climbs(self, pool, metric, limits)
        yield from search.climb(limits.clip(begin)[None, :], "start")
        chance = generator(self.seed, self.name)
        step = self.spread * (np.abs(begin).max() or 1.0)
        noise = chance.standard_normal((self.restarts, len(start)))
        yield from search.climb(limits.clip(begin + step * noise), "restart")
        for done in range(0, self.combinations, BATCH):
            count = min(BATCH, self.combinations - done)
            places = [search.combination(chance) for _ in range(count)]
            yield from search.climb(limits.clip(np.array(places)), "combination")


class _Climbs:
    """The climbs so far and their ends."""

    def __init__(self, tuner: KBestMert, pool: KBestPool, metric: Metric, limits: Limits) -> None:
        self._tuner, self._gain = tuner, metric.gain
        self._columns = _core.Columns(pool.native, tuner.threads)
        self._options = climb_options(tuner, limits)
        self._ends: list[Vector] = []
        self._gains: list[float] = []

    def climb(self, places: Vector, note: str) -> Iterator[Step]:
        """Climb from each place; the ends that are higher than all before."""
        ends, gains, _ = self._columns.climb(
            self._gain,
            places,
            self._options,
            self._tuner.smooth,
            len(self._ends),
            self._tuner.threads,
        )
        for end, gain in zip(ends, gains.tolist(), strict=True):
            if not self._gains or gain > max(self._gains):
                yield Step(end, gain, note)
            self._ends.append(end)
            self._gains.append(gain)

    def combination(self, chance: np.random.Generator) -> Vector:
        """Three of the best ends, each brought to the same size, as a + F (b − c)."""
        best = np.argsort(-np.array(self._gains), kind="stable")[:PARENTS]
        a, b, c = (
            self._sized(self._ends[i]) for i in chance.choice(best, size=3, replace=len(best) < 3)
        )
        return a + FACTOR * (b - c)

    def _sized(self, weights: Vector) -> Vector:
        if self._tuner.keeps_scale:
            return weights
        return weights / (np.abs(weights).max() or 1.0)


def climb_options(tuner: KBestMert, limits: Limits) -> _core.ClimbOptions:
    """The native form of the options."""
    options = _core.ClimbOptions()
    options.window = tuner.window
    options.window_lowest = tuner.window_by == "lowest"
    options.random_directions = tuner.random_directions
    options.rounds = tuner.rounds
    options.seed = derive_seed(tuner.seed, tuner.name, "climb")
    options.low, options.high = limits.low.tolist(), limits.high.tolist()
    return options
