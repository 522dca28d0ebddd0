"""What came of a comparison of tuners: cells of runs, their differences, and what both say."""

from dataclasses import dataclass, replace
from functools import cached_property
from statistics import mean, stdev
from typing import Any

from tunesmith.evaluate.run_result import RunResult
from tunesmith.tune.loop import UNCHANGED

#: In the place of a test set: the mean over all of them.
MEAN = "mean"

#: What identifies a cell: feature set, size of the dev set, system.
Place = tuple[str, int, str]

# A mark means that of tables without any real difference at most this share has one.
SIGNIFICANT = 0.05
# Tuning has converged if the best score moves by less than 0.1 in so many last iterations.
LAST_ITERATIONS = 3


@dataclass(frozen=True)
class Cell:
    """All runs of one tuner on one feature set."""

    features: str
    system: str
    tuner: str
    options: tuple[tuple[str, Any], ...]
    dev_size: int
    runs: list[RunResult]

    @property
    def tune(self) -> float:
        """Mean score on the dev set."""
        return mean(run.tune for run in self.runs)

    @property
    def test(self) -> float:
        """Mean score on the test sets."""
        return self.score(MEAN)

    def score(self, column: str) -> float:
        """Mean score on one test set, or on all of them (`MEAN`)."""
        return mean(self._scores(column))

    def spread(self, column: str) -> float:
        """Standard deviation of that score over the runs; 0 for a single one."""
        return stdev(self._scores(column)) if len(self.runs) > 1 else 0.0

    def _scores(self, column: str) -> list[float]:
        return [run.test if column == MEAN else run.tests[column] for run in self.runs]

    @property
    def weights(self) -> dict[str, float]:
        """How many weights are not zero, by template, as a mean over the runs."""
        names = dict.fromkeys(name for run in self.runs for name in run.weights)
        return {name: mean(run.weights.get(name, 0) for run in self.runs) for name in names}

    @property
    def deviation(self) -> float:
        """Standard deviation of the mean test score over the runs; 0 for a single one."""
        return self.spread(MEAN)

    @property
    def moved(self) -> float:
        """By how much the best dev score rose in the last iterations, at most in any run."""
        return max(map(_rise, self.runs))

    @property
    def place(self) -> Place:
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
    test_set: str
    """Its name, or `MEAN`."""
    points: float
    """`system` less `over`."""
    randomisation_p: float | None = None
    """Over the segments of one test set alone: whether these outputs differ, not other runs'."""
    p_value: float | None = None
    """Over runs and segments; None where there is one run."""
    interval: tuple[float, float] | None = None
    """95 %, over runs and segments."""
    corrected_p: float | None = None
    """`p_value` corrected for the number of differences from the baseline; None of others."""

    @property
    def significant(self) -> bool:
        """Whether this difference from the baseline means something among all of them."""
        return self.corrected_p is not None and self.corrected_p < SIGNIFICANT

    def reversed(self) -> "Difference":
        """The same seen from the other side; all tests are symmetric."""
        return replace(
            self, features=self.over_features, system=self.over, over=self.system,
            over_features=self.features, points=-self.points,
            interval=self.interval and (-self.interval[1], -self.interval[0]),
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
    tests: list[str]
    """Names of the test sets."""
    available: dict[str, dict[str, int]]
    """Feature sets with sparse features: how many features the model has, by template."""
    metric: str = "BLEU"
    """What the scores are called."""
    higher_is_better: bool = True
    decimals: int = 2
    """Of the scores."""

    @property
    def columns(self) -> list[str]:
        """What test scores are shown: of every test set, and the mean if there are several."""
        return [*self.tests, MEAN] if len(self.tests) > 1 else self.tests

    def cell(self, features: str, system: str, dev_size: int = 0) -> Cell | None:
        """One cell; None if the tuner does not take the feature set."""
        return self._by_place.get((features, dev_size, system))

    @cached_property
    def _by_place(self) -> dict[Place, Cell]:
        return {cell.place: cell for cell in self.cells}

    def difference(self, cell: Cell, other: Cell, column: str = "") -> Difference | None:
        """`cell` less `other` on a test set (the last column if none is given), if compared."""
        key = (*cell.place, *other.place, column or self.columns[-1])
        return self._by_pair.get(key)

    @cached_property
    def _by_pair(self) -> dict[tuple[Any, ...], Difference]:
        return {
            (row.features, row.dev_size, row.system, row.over_features, row.dev_size, row.over,
             row.test_set): row
            for row in self.differences
        }  # fmt: skip

    def baseline_of(self, features: str, dev_size: int = 0) -> Cell | None:
        """The baseline on a feature set, or on the last set before it that the baseline takes."""
        sets = self.features[: self.features.index(features) + 1]
        found = (self.cell(name, self.baseline, dev_size) for name in reversed(sets))
        return next((cell for cell in found if cell is not None), None)

    def over_baseline(self, cell: Cell, column: str = "") -> Difference | None:
        """How a cell differs from the baseline of its feature set."""
        baseline = self.baseline_of(cell.features, cell.dev_size)
        return None if baseline is None else self.difference(cell, baseline, column)
