"""Which differences of a comparison mean something: every pair of cells is tested."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

from tunesmith.base.seeds import derive_seed
from tunesmith.engine import EngineLike
from tunesmith.evaluate.tuner_cells import MEAN, Cell, ComparedTuners, Difference, Place
from tunesmith.evaluate.two_way import ScoreSample, holm, sample_scores, two_way_test
from tunesmith.metrics.base import Metric, Stats
from tunesmith.metrics.resample import approximate_randomisation

#: Statistics of the runs of every cell.
CellStats = Mapping[Place, Sequence[Stats]]


def all_differences(
    compared: ComparedTuners,
    stats: Mapping[str, CellStats],
    metric: Metric,
    *,
    bootstrap_samples: int,
    randomisation_trials: int,
    seed: int,
    engine: EngineLike,
) -> list[Difference]:
    """All pairs on a feature set, and the baseline of a smaller set where it has none.

    `stats` are of every test set, one for each run of a cell. Both directions of a pair are in the
    result; differences from the baseline, which are what a table shows, are corrected for their
    number.
    """
    scores = {
        name: _sampled(
            metric, cells, samples=bootstrap_samples, seed=derive_seed(seed, name), engine=engine
        )
        for name, cells in stats.items()
    }
    if len(stats) > 1:
        scores[MEAN] = {
            cell.place: ScoreSample.mean_of([scores[name][cell.place] for name in stats])
            for cell in compared.cells
        }
    differences = []
    for cell, other in _pairs(compared):
        for column in compared.columns:
            one = Difference(
                cell.features, cell.dev_size, cell.system, other.system, other.features, column,
                cell.score(column) - other.score(column),
            )  # fmt: skip
            if column != MEAN:
                here = stats[column]
                exchanged = approximate_randomisation(
                    metric, here[other.place], here[cell.place], trials=randomisation_trials,
                    seed=seed, engine=engine,
                )  # fmt: skip
                one = replace(one, randomisation_p=exchanged.p_value)
            if len(cell.runs) > 1:
                tested = two_way_test(scores[column][other.place], scores[column][cell.place])
                one = replace(one, p_value=tested.p_value, interval=tested.interval)
            differences.append(one)
    return [row for one in _corrected(compared, differences) for row in (one, one.reversed())]


def _sampled(metric: Metric, cells: CellStats, **options: Any) -> dict[Place, ScoreSample]:
    sampled = sample_scores(metric, list(cells.values()), **options)
    return dict(zip(cells, sampled, strict=True))


def _pairs(compared: ComparedTuners) -> list[tuple[Cell, Cell]]:
    pairs = []
    for features in compared.features:
        for size in compared.dev_sizes:
            here = [c for c in compared.cells if (c.features, c.dev_size) == (features, size)]
            pairs += [(one, other) for other, one in combinations(here, 2)]
            baseline = compared.baseline_of(features, size)
            if baseline is not None and baseline.features != features:
                pairs += [(cell, baseline) for cell in here]
    return pairs


def _corrected(compared: ComparedTuners, differences: list[Difference]) -> list[Difference]:
    """Differences from the baseline with p-values corrected for their number."""
    family = [
        i
        for i, row in enumerate(differences)
        if row.p_value is not None and compared.baseline in (row.system, row.over)
    ]
    found = list(differences)
    for i, p in zip(family, holm([differences[i].p_value or 0.0 for i in family]), strict=True):
        found[i] = replace(differences[i], corrected_p=p)
    return found
