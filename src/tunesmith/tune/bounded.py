"""Tuners whose weights can be kept within limits: fixed ones, bounded ones, never negative ones."""

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Tuner, TuneResult, Vector, start_vector
from tunesmith.tune.limits import EVERY, Limits, limits_of, parse_bounds


@dataclass
class BoundedTuner(Tuner):
    """Starts from the weights within the limits that are nearest to the start, and stays there."""

    fixed: str | tuple[str, ...] = parameter("", "weights that keep their start: name,name")
    bounds: str | Mapping[str, tuple[float, float]] = parameter(
        "",
        "limits of weights, in the size of the start weights: name=low:high,name=low: (*=0: is "
        "none below 0)",
    )

    @property
    def fixed_names(self) -> tuple[str, ...]:
        """The names of the fixed weights."""
        if isinstance(self.fixed, str):
            return tuple(filter(None, (name.strip() for name in self.fixed.split(","))))
        return tuple(self.fixed)

    @property
    def bounds_by_name(self) -> Mapping[str, tuple[float, float]]:
        """The bounds, whichever way they were given."""
        return parse_bounds(self.bounds) if isinstance(self.bounds, str) else self.bounds

    @property
    def keeps_scale(self) -> bool:
        """A limit other than 0 is about the size of a weight, not only about its sign."""
        limits = {limit for pair in self.bounds_by_name.values() for limit in pair}
        return bool(self.fixed_names or limits - {0.0, math.inf, -math.inf})

    def fit(
        self,
        pool: KBestPool,
        metric: Metric,
        start: Weights | None = None,
        *,
        keep_better_start: bool = True,
        measured_on: KBestPool | None = None,
    ) -> TuneResult:
        """Tune from the weights within the limits that are nearest to `start`."""
        check_parameters(self)
        if (moved := self.moved_start(pool, start)) is not None:
            start = moved
        return super().fit(
            pool, metric, start, keep_better_start=keep_better_start, measured_on=measured_on
        )

    def moved_start(self, pool: KBestPool, start: Weights | None) -> Weights | None:
        """The weights within the limits that are nearest to `start`; None if that is the start."""
        if not self.fixed_names and not self.bounds_by_name:
            return None
        begin = start_vector(pool, start)
        limits = limits_of(pool.names, begin, self.fixed_names, self.bounds_by_name)
        moved = limits.clip(begin)
        return None if np.array_equal(moved, begin) else Weights.from_vector(pool.names, moved)

    def in_standard_units(self, names: tuple[str, ...], scale: Vector) -> Self:
        """The same search with bounds of the standardised weights."""
        factor = dict(zip(names, scale.tolist(), strict=True))
        everywhere = self.bounds_by_name.get(EVERY)
        bounds = {} if everywhere is None else dict.fromkeys(names, everywhere)
        bounds |= {name: pair for name, pair in self.bounds_by_name.items() if name != EVERY}
        return dataclasses.replace(
            self,
            bounds={
                name: (low * factor.get(name, 1.0), high * factor.get(name, 1.0))
                for name, (low, high) in bounds.items()
            },
        )

    def from_unit_length(self, pool: KBestPool, start: Vector) -> "UnitStart":
        """The start scaled to length 1, for tuners to which the size of weights matters."""
        size = float(np.linalg.norm(start)) or 1.0
        limits = limits_of(pool.names, start, self.fixed_names, self.bounds_by_name)
        unit = Limits(limits.low / size, limits.high / size)
        return UnitStart(start / size, unit, size if self.keeps_scale else 1.0)


@dataclass(frozen=True)
class UnitStart:
    """A start of length 1, limits in its size, and what undoes the scaling where it matters."""

    weights: Vector
    limits: Limits
    size: float
