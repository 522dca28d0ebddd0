"""What translations are worth: as a whole, by length, by n-grams, and sentence by sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.evaluate.charts import Point, over_runs
from tunesmith.evaluate.report.run_data import Translations
from tunesmith.evaluate.report.word_difference import words_of
from tunesmith.metrics.base import Metric, Stats
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.resample import Bootstrap, paired_bootstrap

# Words of the references, at most, of sentences that are looked at together.
_LENGTHS = (5, 10, 15, 20, 30, 40, 60)


def shown_name(metric: Metric) -> str:
    """What a metric is called beside an axis."""
    return "BLEU" if metric.name == "bleu" else metric.name


@dataclass(frozen=True)
class TextStats:
    """Translations with what their metric counts in them."""

    texts: Translations
    samples: int
    """Of the bootstrap; 0: there are no intervals."""
    seed: int = DEFAULT_SEED
    engine: EngineLike = ALL_CORES

    @cached_property
    def stats(self) -> dict[str, list[Stats]]:
        """Of every output of every system."""
        texts = self.texts
        if not texts.size:
            raise OptionError(f"the test set {texts.name} has no sentences")
        prepared = texts.metric.prepare(texts.references)
        return {
            system: [
                texts.metric.stats(lines, None, prepared, engine=self.engine) for lines in outputs
            ]
            for system, outputs in texts.outputs.items()
        }

    def scores(self, system: str, of: npt.NDArray[np.bool_] | None = None) -> list[float]:
        """The score of every output, of some sentences or of all."""
        chosen = slice(None) if of is None else of
        return [
            self.texts.metric.score(stats[chosen].sum(axis=0, dtype=np.int64))
            for stats in self.stats[system]
        ]

    def bootstrap(self, of: npt.NDArray[np.bool_] | None = None) -> Bootstrap | None:
        """Scores of test sets that are drawn from some sentences or from all."""
        if not self.samples:
            return None
        chosen = slice(None) if of is None else of
        return paired_bootstrap(
            self.texts.metric,
            [[stats[chosen] for stats in runs] for runs in self.stats.values()],
            samples=self.samples, seed=self.seed, engine=self.engine,
        )  # fmt: skip

    def estimates(self, x: float, of: npt.NDArray[np.bool_] | None = None) -> list[Point]:
        """The score of every system, a mean over its runs, with its 95 % interval."""
        drawn = self.bootstrap(of)
        points = []
        for number, system in enumerate(self.stats):
            score = over_runs(x, self.scores(system, of)).y
            ends = (None, None) if drawn is None else drawn.interval(number)
            points.append(Point(x, score, *ends))
        return points

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """Words of the first reference of every sentence."""
        return np.array([len(words_of(line)) for line in self.texts.references[0]], np.int64)

    def by_length(self) -> list[tuple[str, npt.NDArray[np.bool_]]]:
        """Labels of lengths, and which sentences have them; lengths without any are left out."""
        found, low = [], 0
        for high in (*_LENGTHS, None):
            here = self.lengths >= low
            if high is not None:
                here &= self.lengths <= high
            label = f"{low}+" if high is None else f"{max(low, 1)}–{high}"
            if here.any():
                found.append((label, here))
            low = (high or 0) + 1
        return found

    def precisions(self, system: str) -> tuple[list[float], float, float] | None:
        """Shares of n-grams that are right, in per cent, by n; brevity penalty; ratio of lengths.

        Means over the runs; None if the metric is no BLEU.
        """
        metric = self.texts.metric
        if not isinstance(metric, Bleu):
            return None
        order = metric.order
        sums = np.array([stats.sum(axis=0, dtype=np.int64) for stats in self.stats[system]], float)
        shares = 100 * sums[:, :order] / np.maximum(sums[:, order : 2 * order], 1)
        ours, theirs = sums[:, 2 * order], sums[:, 2 * order + 1]
        brevity = np.exp(np.minimum(0.0, 1 - theirs / np.maximum(ours, 1)))
        ratio = ours / np.maximum(theirs, 1)
        return shares.mean(axis=0).tolist(), float(brevity.mean()), float(ratio.mean())

    def sentence_scores(self, system: str) -> npt.NDArray[np.float64]:
        """Of the first output of a system, the higher the better, in points."""
        gains = self.texts.metric.sentence_gains(self.stats[system][0], engine=self.engine)
        return np.asarray(100 * gains)


def most_changed(
    stats: TextStats, base: str, other: str, most: int
) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Sentences that gained most and that lost most, with their differences, largest first."""
    change = stats.sentence_scores(other) - stats.sentence_scores(base)
    ours, theirs = stats.texts.outputs[other][0], stats.texts.outputs[base][0]
    differ = [i for i in range(stats.texts.size) if ours[i] != theirs[i]]
    order = sorted(differ, key=lambda i: (-change[i], i))
    gained = [(i, float(change[i])) for i in order if change[i] > 0]
    lost = [(i, float(change[i])) for i in reversed(order) if change[i] < 0]
    return gained[:most], lost[:most]


def furthest(stats: TextStats, system: str, most: int) -> list[tuple[int, float]]:
    """The sentences with the lowest scores, lowest first."""
    scores = stats.sentence_scores(system)
    order: Sequence[int] = np.argsort(scores, kind="stable").tolist()
    return [(i, float(scores[i])) for i in order[:most]]
