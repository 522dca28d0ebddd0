"""What a person reads of tuning on lists: from what their system does now to what is possible."""

from dataclasses import dataclass

from tunesmith.metrics.base import Metric
from tunesmith.tune.baselines import Alone


@dataclass(frozen=True)
class Gain:
    """What tuning adds to the first entries, on sentences that it did not see."""

    difference: float
    """Of the scores, so negative is good where lower is better."""
    low: float
    """The 95 % interval of the bootstrap over sentences begins here …"""
    high: float
    """… and ends here."""


@dataclass(frozen=True)
class TuningReport:
    """The scores around tuned weights; ``str`` and ``print`` give the table."""

    metric: Metric
    sentences: int
    hypotheses: int
    features: int
    tuner: str
    first: float
    """The first entry of each list: the system as it is."""
    start: float
    """The weights that tuning began with."""
    start_is: str
    """What those weights are; empty if there are none, as where all features are sparse."""
    uniform: bool
    """Whether they are one weight for all, for want of others."""
    alone: Alone | None
    """The best feature by itself."""
    tuned: float
    """The tuned weights on the sentences that they were tuned on: too good to be true."""
    held_out: float | None
    """Weights of other sentences: what to expect on new text."""
    gain: Gain | None
    """What that is more than the first entries."""
    oracle: float
    """The best choice from the lists that greedy search finds."""
    chosen_anew: bool = False
    """Whether the tuner's settings were chosen again on each half."""
    scored_by: str = ""
    """The metric with its signature."""
    warnings: tuple[str, ...] = ()
    """What to know before the weights are used."""

    @property
    def decimals(self) -> int:
        """Decimals that show the differences between these scores."""
        return self.metric.places(self.first, self.oracle)

    @property
    def comment(self) -> str:
        """A line to keep with the weights."""
        held = "" if self.held_out is None else f", {self.held_out:.{self.decimals}f} held out"
        return f"{self.tuner}, {self.scored_by}, {self.tuned:.{self.decimals}f} on the lists{held}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The table, without the warnings."""
        counts = (
            f"{self.sentences:,} sentences, {self.hypotheses:,} hypotheses, "
            f"{self.features:,} feature{'s' if self.features > 1 else ''}"
        )
        rows = [("first", self.first, "the first entry of each list")]
        if self.start_is:
            rows.append(("uniform" if self.uniform else "start", self.start, self.start_is))
        if self.alone is not None:
            rows.append(("alone", self.alone.score, str(self.alone)))
        rows.append(("tuned", self.tuned, self.tuner))
        if self.held_out is not None:
            rows.append(("held out", self.held_out, self._gain_line()))
        rows.append(("oracle", self.oracle, "the best choice from the lists, by greedy search"))
        places = self.decimals
        width = max(7, *(len(f"{score:.{places}f}") for _, score, _ in rows))
        table = [f"{name:<9} {score:{width}.{places}f}  {note}" for name, score, note in rows]
        return [counts, *table, self.scored_by]

    def _gain_line(self) -> str:
        if self.gain is None:
            return ""
        places = self.decimals
        over = "over" if self.metric.higher_is_better else "from"
        difference, low, high = (
            f"{value:+.{places}f}"
            for value in (self.gain.difference, self.gain.low, self.gain.high)
        )
        anew = "; settings chosen anew for each half" if self.chosen_anew else ""
        return f"({difference} {over} the first, 95 % interval {low} to {high}{anew})"
