"""Several systems, several metrics: one table with everything that belongs to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tunesmith.base.errors import OptionError
from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.metrics.base import Metric
from tunesmith.metrics.resample import (
    BOOTSTRAP_SAMPLES,
    RANDOMISATION_TRIALS,
    approximate_randomisation,
    paired_bootstrap,
)


@dataclass(frozen=True)
class SystemScore:
    """One system under one metric.

    Attributes
    ----------
    system, score
        Its name, and its score on the whole test set.
    mean, low, high
        Of the bootstrap: the mean and the 95 % interval; None without one.
    bootstrap_p, randomisation_p
        p-values of the difference from the baseline; None for the baseline, and if not asked for.
    wins
        The share of bootstrap samples on which it beats the baseline.
    """

    system: str
    score: float
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    bootstrap_p: float | None = None
    randomisation_p: float | None = None
    wins: float | None = None


@dataclass(frozen=True)
class Comparison:
    """All systems under one metric; the first is the baseline."""

    metric: str
    signature: str
    higher_is_better: bool
    systems: tuple[SystemScore, ...]
    decimals: int = 2
    """Of scores that are shown."""


def compare_systems(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    metrics: Sequence[Metric],
    *,
    bootstrap_samples: int = BOOTSTRAP_SAMPLES,
    randomisation_trials: int = RANDOMISATION_TRIALS,
    seed: int = DEFAULT_SEED,
    engine: EngineLike = ALL_CORES,
) -> list[Comparison]:
    """Score every system by every metric and test the differences from the first system.

    Parameters
    ----------
    systems
        Names to outputs, one text per segment; the first is the baseline.
    references
        One sequence of sentences per reference file.
    metrics
        Metrics of text (`tunesmith.metrics.parse_metric`).
    bootstrap_samples, randomisation_trials
        0 leaves a test out.
    seed, engine
        The seed; who works, which does not change the result.

    Examples
    --------
    >>> from tunesmith.metrics import Bleu, Wer
    >>> systems = {"a": ["the cat sat", "a dog"], "b": ["the cat sat down", "the dog"]}
    >>> for comparison in compare_systems(systems, [["the cat sat down", "a dog"]], [Wer()]):
    ...     print(comparison.metric, [round(row.score, 2) for row in comparison.systems])
    wer [16.67, 16.67]
    """
    if not systems:
        raise OptionError("no systems to compare")
    return [
        _compare(
            systems,
            references,
            metric,
            bootstrap_samples=bootstrap_samples,
            randomisation_trials=randomisation_trials,
            seed=seed,
            engine=engine,
        )
        for metric in metrics
    ]


def _compare(
    systems: Mapping[str, Sequence[str]],
    references: Sequence[Sequence[str]],
    metric: Metric,
    *,
    bootstrap_samples: int,
    randomisation_trials: int,
    seed: int,
    engine: EngineLike,
) -> Comparison:
    if metric.columns:
        raise OptionError(
            f"metric '{metric.name}' takes ready scores, but these outputs are text only"
        )
    prepared = metric.prepare(references)
    names = list(systems)
    stats = [metric.stats(systems[name], None, prepared, engine=engine) for name in names]
    bootstrap = None
    if bootstrap_samples:
        bootstrap = paired_bootstrap(
            metric, stats, samples=bootstrap_samples, seed=seed, engine=engine
        )
    rows = []
    for i, name in enumerate(names):
        row: dict[str, float] = {"score": metric.score(stats[i].sum(axis=0, dtype="int64"))}
        if bootstrap is not None:
            row["mean"] = bootstrap.mean(i)
            row["low"], row["high"] = bootstrap.interval(i)
        if i > 0:
            if bootstrap is not None:
                row["bootstrap_p"], row["wins"] = bootstrap.p_value(i), bootstrap.wins(i)
            if randomisation_trials:
                row["randomisation_p"] = approximate_randomisation(
                    metric,
                    stats[0],
                    stats[i],
                    trials=randomisation_trials,
                    seed=seed,
                    engine=engine,
                ).p_value
        rows.append(SystemScore(system=name, **row))
    first = rows[0]
    ends = (
        (0.0, first.score) if first.low is None or first.high is None else (first.low, first.high)
    )
    return Comparison(
        metric=metric.name,
        signature=metric.signature(len(references)),
        higher_is_better=metric.higher_is_better,
        systems=tuple(rows),
        decimals=metric.places(*ends),
    )
