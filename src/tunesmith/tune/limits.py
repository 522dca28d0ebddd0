"""Limits of single weights: fixed ones, bounded ones, given by name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError, named
from tunesmith.base.numbers import parse_number

Vector = npt.NDArray[np.float64]
Bounds = Mapping[str, tuple[float, float]]
# In the place of a name: the bounds of all weights that have none of their own.
EVERY = "*"


@dataclass(frozen=True)
class Limits:
    """The lowest and the highest value that each weight may have."""

    low: Vector
    high: Vector

    @property
    def bounded(self) -> npt.NDArray[np.int64]:
        """The places of the weights that have limits."""
        return np.flatnonzero(np.isfinite(self.low) | np.isfinite(self.high))

    def clip(self, weights: Vector) -> Vector:
        """The nearest weights within the limits."""
        return np.clip(weights, self.low, self.high)


def parse_bounds(text: str) -> dict[str, tuple[float, float]]:
    """Bounds as the command line takes them: ``name=low:high``, either of the two may be left out.

    >>> parse_bounds("LM0=0:, WordPenalty0=-1:0.5")
    {'LM0': (0.0, inf), 'WordPenalty0': (-1.0, 0.5)}
    """
    bounds = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, interval = part.rpartition("=")
        low, colon, high = interval.partition(":")
        try:
            if not (name and equals and colon):
                raise ValueError
            bounds[name] = (
                parse_number(low.strip() or "-inf"),
                parse_number(high.strip() or "inf"),
            )
        except ValueError:
            raise OptionError(f"bounds '{part}', expected name=low:high, as in LM0=0:") from None
    return bounds


def limits_of(
    names: tuple[str, ...], start: Vector, fixed: Iterable[str], bounds: Bounds
) -> Limits:
    """Limits of all weights: a fixed one keeps its start, one without bounds is free."""
    lowest, highest = bounds.get(EVERY, (-np.inf, np.inf))
    low, high = np.full(len(names), lowest), np.full(len(names), highest)
    place = {name: i for i, name in enumerate(names)}
    for name in (*fixed, *bounds):
        if name != EVERY and name not in place:
            raise OptionError(
                f"limits of '{name}', which is no feature of the lists: {named(names)}"
            )
    for name, (lowest, highest) in bounds.items():
        if not lowest <= highest:
            raise OptionError(f"bounds of '{name}' are {lowest} to {highest}, which is empty")
        if name != EVERY:
            low[place[name]], high[place[name]] = lowest, highest
    for name in fixed:
        low[place[name]] = high[place[name]] = start[place[name]]
    return Limits(low, high)
