"""`Weights`: feature names to floats. Names are the contract; a missing name weighs nothing."""

import math
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import DegenerateError, OptionError

MAX_WEIGHT: float = _core.MAX_WEIGHT
"""The largest weight there may be (1e20), so that no sum of weights times values overflows."""


class Weights(Mapping[str, float]):
    """An immutable mapping from feature names to weights, none larger than `MAX_WEIGHT`.

    >>> w = Weights({"lm": 0.5, "tm": -1.5})
    >>> w["lm"], w.get("other", 0.0)
    (0.5, 0.0)
    >>> w.normalised()
    Weights({'lm': 0.25, 'tm': -0.75})
    """

    def __init__(self, values: Mapping[str, float] | Iterable[tuple[str, float]] = ()) -> None:
        try:
            self._values = {name: float(value) for name, value in dict(values).items()}
        except (TypeError, ValueError):
            raise OptionError(f"weights are {values!r}, expected names and numbers") from None
        for name, value in self._values.items():
            if not math.isfinite(value):
                raise DegenerateError(f"weight of feature '{name}' is {value}, not a finite number")
            if abs(value) > MAX_WEIGHT:
                raise DegenerateError(
                    f"weight of feature '{name}' is {value}, expected at most {MAX_WEIGHT:g}; "
                    "divide all weights by the same number"
                )

    def __getitem__(self, name: str) -> float:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"Weights({self._values!r})"

    def vector(self, names: Iterable[str]) -> npt.NDArray[np.float64]:
        """The weights of `names` in their order, 0 for a name that has none."""
        return np.array([self._values.get(name, 0.0) for name in names], dtype=np.float64)

    @classmethod
    def from_vector(cls, names: Iterable[str], values: Iterable[float]) -> "Weights":
        """The inverse of `vector`."""
        return cls(zip(names, values, strict=True))

    def normalised(self) -> "Weights":
        """The same direction with absolute values that sum to 1."""
        total = math.fsum(abs(value) for value in self._values.values())
        if total == 0.0:
            raise DegenerateError("all weights are zero")
        return Weights({name: value / total for name, value in self._values.items()})
