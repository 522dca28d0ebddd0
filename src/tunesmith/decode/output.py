"""What a decoder gives back: translations of all sentences as arrays, derivations on demand."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.weights import Weights


@dataclass(frozen=True)
class Step:
    """A phrase of a derivation: source words [begin, end) became target words."""

    begin: int
    end: int
    target_begin: int
    target_end: int
    table: int
    rule: int
    """The rule's number in its table; -1 for copied or prescribed words."""


@dataclass(frozen=True)
class Derivation:
    """One translation and how it came about."""

    text: str
    score: float
    features: dict[str, float]
    steps: tuple[Step, ...]

    def contributions(self, weights: Weights) -> dict[str, float]:
        """What each feature adds to the score."""
        return {name: weights.get(name, 0.0) * value for name, value in self.features.items()}


class DecoderOutput:
    """Translations, best first, of every sentence.

    Sentence s owns the rows ``offsets[s]`` to ``offsets[s + 1]`` of `texts`, `scores` and
    `features`; every sentence has at least one, unless its translation was prescribed.
    """

    def __init__(self, native: Any, names: tuple[str, ...]) -> None:
        self._native = native
        self.names = names
        self.offsets: npt.NDArray[np.int64] = native.offsets()
        self.texts: list[str] = native.texts()
        self.scores: npt.NDArray[np.float64] = native.scores()
        self.features: npt.NDArray[np.float64] = native.features()
        work = native.work()
        self.pops: npt.NDArray[np.int64] = work[:, 0]
        self.timed_out: npt.NDArray[np.bool_] = work[:, 3].astype(bool)
        self._steps: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]] | None = None

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.offsets) - 1

    def best(self) -> list[str]:
        """The best translation of every sentence."""
        return [self.texts[row] for row in self.offsets[:-1]]

    def derivation(self, row: int) -> Derivation:
        """How the translation in `row` was made."""
        if self._steps is None:
            self._steps = self._native.steps()
        offsets, steps = self._steps
        return Derivation(
            self.texts[row],
            float(self.scores[row]),
            dict(zip(self.names, self.features[row].tolist(), strict=True)),
            tuple(Step(*step) for step in steps[offsets[row] : offsets[row + 1]].tolist()),
        )

    def derivations(self, sentence: int) -> Iterator[Derivation]:
        """All derivations of a sentence, best first."""
        return map(self.derivation, range(self.offsets[sentence], self.offsets[sentence + 1]))
