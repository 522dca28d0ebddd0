"""What came of a comparison of tuners: cells of runs, their differences, and what both say."""

from dataclasses import dataclass, replace
from functools import cached_property
from statistics import mean, stdev
from typing import Any

from tunesmith.evaluate.tuning_run import RunResult
from tunesmith.tune.loop import UNCHANGED

# Of two systems at least this much must be certain before one gets a mark.
SIGNIFICANT = 0.05
# Tuning has converged if the best score moves by less than 0.1 in so many last iterations.
LAST_ITERATIONS = 3


@dataclass(frozen=True)
class Cell:
    """All runs of one tuner on one feature set."""

    features: str
    system: str
    tuner: str
    option: tuple[str, Any] | None
    dev_size: int
    runs: list[RunResult]

    @property
    def tune(self) -> float:
        """Mean score on the dev set."""
        return mean(run.tune for run in self.runs)

    @property
    def test(self) -> float:
        """Mean score on the test set."""
        return mean(run.test for run in self.runs)

    @property
    def deviation(self) -> float:
        """Standard deviation of the test score over the runs; 0 for a single one."""
        return stdev(run.test for run in self.runs) if len(self.runs) > 1 else 0.0

    @property
    def moved(self) -> float:
        """By how much the best dev score rose in the last iterations, at most in any run."""
        return max(map(_rise, self.runs))

    @property
    def place(self) -> tuple[str, int, str]:
        """What no other cell has."""
        return self.features, self.dev_size, self.system


def _rise(run: RunResult) -> float:
    """By how much the best dev score of a run rose in its last iterations.

    A run whose weights no longer change ends early; all that it left out would be the same.
    """
    if run.stopped == UNCHANGED:
        return 0.0
    return max(run.curve) - max(run.curve[:-LAST_ITERATIONS] or run.curve[:1])


@dataclass(frozen=True)
class Difference:
    """The test scores of two cells, and what chance would say."""

    features: str
    dev_size: int
    system: str
    over: str
    over_features: str
    points: float
    """`system` less `over`."""
    randomisation_p: float
    bootstrap_p: float

    @property
    def significant(self) -> bool:
        """Whether both tests say so."""
        return self.randomisation_p < SIGNIFICANT and self.bootstrap_p < SIGNIFICANT

    def reversed(self) -> "Difference":
        """The same seen from the other side; both tests are symmetric."""
        return replace(
            self, features=self.over_features, system=self.over, over=self.system,
            over_features=self.features, points=-self.points,
        )  # fmt: skip


@dataclass(frozen=True)
class ComparedTuners:
    """The result: cells, differences, and what was compared."""

    features: list[str]
    systems: list[str]
    dev_sizes: list[int]
    cells: list[Cell]
    differences: list[Difference]
    baseline: str
    signature: str
    replicates: int

    def cell(self, features: str, system: str, dev_size: int = 0) -> Cell | None:
        """One cell; None if the tuner does not take the feature set."""
        return self._by_place.get((features, dev_size, system))

    @cached_property
    def _by_place(self) -> dict[tuple[str, int, str], Cell]:
        return {cell.place: cell for cell in self.cells}

    def difference(self, cell: Cell, other: Cell) -> Difference | None:
        """`cell` less `other`, if the two were compared."""
        for row in self.differences:
            if (row.features, row.dev_size) == (cell.features, cell.dev_size) and (
                row.system, row.over, row.over_features
            ) == (cell.system, other.system, other.features):  # fmt: skip
                return row
        return None

    def baseline_of(self, features: str, dev_size: int = 0) -> Cell | None:
        """The baseline on a feature set, or on the last set before it that the baseline takes."""
        sets = self.features[: self.features.index(features) + 1]
        found = (self.cell(name, self.baseline, dev_size) for name in reversed(sets))
        return next((cell for cell in found if cell is not None), None)

    def over_baseline(self, cell: Cell) -> Difference | None:
        """How a cell differs from the baseline of its feature set."""
        baseline = self.baseline_of(cell.features, cell.dev_size)
        return None if baseline is None else self.difference(cell, baseline)
