"""What a report says of a run, whatever kind of run it was: plain data that `sections` show."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tunesmith.engine.resources import Resources
from tunesmith.metrics.base import Metric

if TYPE_CHECKING:
    from tunesmith.evaluate.tuner_cells import ComparedTuners

#: A system's weights: features, each with its weight in every iteration; one for each replicate.
Trace = Mapping[str, Sequence[float]]


@dataclass(frozen=True)
class Curves:
    """Scores of the dev set by iteration, for every system those of its replicates."""

    title: str
    x_label: str
    y_label: str
    systems: Mapping[str, Sequence[Sequence[float]]]
    first: int = 1
    """The number of the first iteration."""


@dataclass(frozen=True)
class Translations:
    """A test set as systems translated it; several outputs of a system are its replicates."""

    name: str
    metric: Metric
    references: Sequence[Sequence[str]]
    outputs: Mapping[str, Sequence[Sequence[str]]]
    """Names of systems to their outputs; the first is the baseline."""
    source: Sequence[str] | None = None

    @property
    def size(self) -> int:
        """How many sentences there are."""
        return len(self.references[0])


@dataclass(frozen=True)
class Uses:
    """What the parts of a run took; several of a part are its replicates."""

    title: str
    parts: Mapping[str, Sequence[Resources]]


@dataclass(frozen=True)
class RunData:
    """A run, read from its folder."""

    name: str
    kind: str
    about: str
    """What was done, in a few words."""
    outcome: str
    """What came of it."""
    curves: Sequence[Curves] = ()
    traces: Mapping[str, Sequence[Trace]] = field(default_factory=dict)
    translations: Sequence[Translations] = ()
    uses: Sequence[Uses] = ()
    compared: "ComparedTuners | None" = None
    options: Mapping[str, str] = field(default_factory=dict)
    """Settings by their names."""
    inputs: Mapping[str, str] = field(default_factory=dict)
    """Files that it was made from, and their hashes."""
