"""What came of a run of a comparison."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import mean

#: In the place of a template: features that all hypotheses have.
DENSE = "dense"


@dataclass(frozen=True)
class RunResult:
    """What came of a run."""

    tune: float
    """The score of the best iteration on the run's own dev set."""
    tests: dict[str, float]
    """The score of every test set."""
    curve: list[float]
    """The dev score of every iteration."""
    hypotheses: list[int]
    stopped: str
    """Why the loop ended before its last iteration, if it did."""
    weights: dict[str, int]
    """How many are not zero: dense features, and sparse ones by template."""
    seconds: float
    cpu_seconds: float
    memory: int
    """Bytes, at most, of the process."""
    trace: dict[str, list[float]] = field(default_factory=dict)
    """Dense features, each with its weight in every iteration."""

    @property
    def test(self) -> float:
        """The mean score of the test sets."""
        return mean(self.tests.values())


def by_template(dense: Iterable[str], names: Iterable[str]) -> dict[str, int]:
    """How many features there are: those of `dense`, and sparse ones by template."""
    known = set(dense)
    return dict(Counter(DENSE if name in known else name.partition(":")[0] for name in names))


def output_file(test_set: str) -> str:
    """The name of the file with the translations of a test set."""
    return f"{test_set}.out"
