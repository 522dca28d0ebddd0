"""Weighted sums of metrics, such as BLEU − TER."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.metrics.base import PLAIN, Gain, Metric, Scorer, Stats


class Combined(Metric):
    """Σ weight × gain of the part; the statistics are those of the parts, side by side.

    Gains point upwards, so ``Combined([Bleu(), Ter()], [1, 1])`` is BLEU − TER.

    Sentence-level kinds: those of the first part that has several (BLEU's); the other parts use
    their plain one.

    Parameters
    ----------
    parts
        The metrics.
    weights
        One positive factor each.
    """

    def __init__(self, parts: Sequence[Metric], weights: Sequence[float]) -> None:
        if not parts or len(parts) != len(weights):
            raise OptionError("a combined metric needs parts and one weight for each")
        for part, weight in zip(parts, weights, strict=True):
            if not 0.0 < weight < float("inf"):
                raise OptionError(f"the weight of {part.name} is {weight}, expected above 0")
        self.parts = tuple(parts)
        self.weights = tuple(float(weight) for weight in weights)
        self.name = "".join(
            self._term(part, weight, first=i == 0)
            for i, (part, weight) in enumerate(zip(self.parts, self.weights, strict=True))
        )
        self.columns = tuple(dict.fromkeys(name for part in parts for name in part.columns))
        special = [part for part in parts if part.sentence_kinds != (PLAIN,)]
        if special:
            self.sentence_kinds = special[0].sentence_kinds
            self.tuning_kinds = special[0].tuning_kinds

    @staticmethod
    def _term(part: Metric, weight: float, *, first: bool) -> str:
        sign = "-" if not part.higher_is_better else "" if first else "+"
        factor = "" if weight == 1.0 else f"{weight:g}*"
        return f"{sign}{factor}{part.name.removeprefix('-')}"

    @property
    def needs_text(self) -> bool:
        """Whether any part does."""
        return any(part.needs_text for part in self.parts)

    @cached_property
    def gain(self) -> Gain:
        """The weighted sum of the parts' gains."""
        return _core.WeightedGain([part.gain for part in self.parts], self.weights)

    def sentence_gain(self, kind: str | None = None) -> Gain:
        """The weighted sum of the parts' sentence-level gains."""
        kind = self._check_kind(kind, ())
        gains = [
            part.sentence_gain(kind if kind in part.sentence_kinds else None) for part in self.parts
        ]
        return _core.WeightedGain(gains, self.weights)

    def prepare(self, references: Sequence[Sequence[str]]) -> Scorer:
        """Prepare the references for every part."""
        return _core.CombinedScorer([part.prepare(references) for part in self.parts])

    def split(self, stats: npt.NDArray[np.generic]) -> list[npt.NDArray[np.generic]]:
        """The parts' own statistics (views), of rows or of a sum."""
        ends = np.cumsum([part.size for part in self.parts])[:-1]
        return np.split(stats, ends, axis=-1)

    def fill_columns(self, stats: Stats, columns: Mapping[str, npt.ArrayLike]) -> None:
        """Write ready scores where parts take them."""
        start = 0
        for part in self.parts:
            part.fill_columns(stats[:, start : start + part.size], columns)
            start += part.size

    def signature(self, references: int = 1) -> str:
        """The signatures of the parts after their names."""
        signs = (f"{part.name}({part.signature(references)})" for part in self.parts)
        return f"{self.name}: " + " ".join(signs)
