"""Ready scores, one per hypothesis: a neural metric, a quality estimate, a person's judgement."""

from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.metrics.base import Gain, Metric, Scorer, Stats

#: Values are kept as multiples of 1 / SCALE: sums are exact, and do not depend on their order.
SCALE = 1_000_000


class Column(Metric):
    """The mean of a column of scores that came with the hypotheses.

    Statistics: the value in millionths, and 1. So the values may lie between −2147 and 2147.

    Parameters
    ----------
    column
        The name of the column.
    higher_is_better
        False for costs and error rates.

    Examples
    --------
    >>> comet = Column("comet")
    >>> stats = comet.stats(["a", "b"], None, comet.prepare([["", ""]]),
    ...                     columns={"comet": [0.5, 0.75]})
    >>> comet.score(stats.sum(axis=0))
    0.625
    """

    decimals = None

    def __init__(self, column: str, *, higher_is_better: bool = True) -> None:
        if not column:
            raise OptionError("metric 'column:' has no name, expected column:NAME")
        self.column = column
        self.name = f"{'' if higher_is_better else '-'}column:{column}"
        self.higher_is_better = higher_is_better
        self.columns = (column,)

    @property
    def needs_text(self) -> bool:
        """Never: the scores are there already."""
        return False

    @cached_property
    def gain(self) -> Gain:
        """The mean value, negated if lower is better."""
        return _core.MeanGain(float(SCALE), self.higher_is_better)

    def prepare(self, references: Sequence[Sequence[str]]) -> Scorer:
        """Only the number of sentences is taken from the references."""
        if not references:
            raise OptionError("no references")
        return _core.ColumnScorer(len(references[0]))

    def fill_columns(self, stats: Stats, columns: Mapping[str, npt.ArrayLike]) -> None:
        """Write the values into the rows; refuses what is not finite or too large."""
        if self.column not in columns:
            raise OptionError(
                f"no column '{self.column}' with the hypotheses; there are: "
                + (", ".join(sorted(columns)) or "none")
            )
        values = np.asarray(columns[self.column], dtype=np.float64)
        if values.shape != (len(stats),):
            raise OptionError(
                f"column '{self.column}' has {values.size} values for {len(stats)} hypotheses"
            )
        limit = np.iinfo(np.int32).max / SCALE
        bad = np.flatnonzero(~(np.abs(values) <= limit))
        if bad.size:
            raise OptionError(
                f"column '{self.column}' of hypothesis {bad[0]} is {values[bad[0]]}, expected a "
                f"number from {-limit:.0f} to {limit:.0f}"
            )
        stats[:, 0] = np.rint(values * SCALE)
        stats[:, 1] = 1

    def shown(self, gain: float) -> float:
        """The mean, in the column's own units."""
        return gain if self.higher_is_better else 0.0 - gain

    def signature(self, references: int = 1) -> str:
        """The name of the column is all that is known."""
        return self.name
