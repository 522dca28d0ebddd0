"""Which differences of a comparison get a mark: by the test over runs and segments, corrected."""

from dataclasses import replace

import numpy as np
import pytest

from tunesmith.base.seeds import derive_seed
from tunesmith.evaluate import holm, sample_scores, two_way_test
from tunesmith.evaluate.tuner_cells import Cell, ComparedTuners
from tunesmith.evaluate.tuner_differences import all_differences
from tunesmith.evaluate.tuner_table import as_markdown
from tunesmith.evaluate.tuning_run import RunResult
from tunesmith.metrics import Column

SEGMENTS = 200
METRIC = Column("points")
# What a system adds to the score of every sentence, and how much its runs differ.
SYSTEMS = {"kb-mert": (0.0, 0.1), "better": (2.0, 0.1), "worse": (-2.0, 0.1), "erratic": (1.0, 2.0)}
OPTIONS = {"bootstrap_samples": 500, "randomisation_trials": 500, "seed": 1, "engine": 1}


def compared(runs, sets=("small", "big")):
    """Systems on feature sets, with simulated outputs; kb-mert does not take the second set."""
    chance = np.random.default_rng(1)
    segments = chance.normal(40.0, 5.0, SEGMENTS)
    stats, cells = {}, []
    for features in sets:
        for system, (gain, spread) in SYSTEMS.items():
            if (features, system) == ("big", "kb-mert"):
                continue
            luck = np.linspace(-spread, spread, runs)
            values = [segments + gain + one + chance.normal(0, 1, SEGMENTS) for one in luck]
            rows = [
                np.column_stack([1e6 * value, np.ones(SEGMENTS)]).astype(np.int32)
                for value in values
            ]
            results = [
                RunResult(
                    40.0, {"test": float(value.mean())}, [40.0], [9], "", {"dense": 7}, 1, 1, 1
                )
                for value in values
            ]
            cells.append(Cell(features, system, system, (), 0, results))
            stats[cells[-1].place] = rows
    result = ComparedTuners(
        list(sets), list(SYSTEMS), [0], cells, [], "kb-mert", METRIC.signature(1), runs, ["test"],
        {},
    )  # fmt: skip
    differences = all_differences(result, {"test": stats}, METRIC, **OPTIONS)
    return replace(result, differences=differences), stats


def test_marks_are_of_the_test_over_runs_and_sentences():
    result, _ = compared(runs=5)
    rows = {line.split(" | ")[0].strip("| "): line for line in as_markdown(result).splitlines()}
    assert rows["better"].count("↑") == 2
    assert rows["worse"].count("↓") == 2
    assert "↓" not in rows["better"]
    assert "↑" not in rows["worse"]
    for name in ("kb-mert", "erratic"):
        assert "↑" not in rows[name]
        assert "↓" not in rows[name]
    # What is too small for four digits is not shown as 0.
    table = as_markdown(result)
    assert "| < 0.0001 |" in table
    assert "| 0.0000 |" not in table
    # The outputs of the erratic system do differ: that is what the older test sees.
    cell = result.cell("small", "erratic")
    assert result.over_baseline(cell).randomisation_p < 0.05 < result.over_baseline(cell).p_value


def test_p_values_are_corrected_for_all_differences_from_the_baseline():
    result, stats = compared(runs=4)
    rows = [row for cell in result.cells if (row := result.over_baseline(cell)) is not None]
    assert len(rows) == 6
    assert {row.over_features for row in rows} == {"small"}
    seed = derive_seed(1, "test")
    sampled = sample_scores(METRIC, list(stats.values()), samples=500, seed=seed)
    scores = dict(zip(stats, sampled, strict=True))
    expected = [
        two_way_test(scores["small", 0, "kb-mert"], scores[row.features, 0, row.system])
        for row in rows
    ]
    assert [row.p_value for row in rows] == pytest.approx([one.p_value for one in expected])
    assert [row.corrected_p for row in rows] == pytest.approx(holm([row.p_value for row in rows]))
    assert [row.points for row in rows] == pytest.approx([one.difference for one in expected])
    others = result.difference(result.cell("big", "better"), result.cell("big", "worse"))
    assert others.corrected_p is None
    assert not others.significant
    assert others.p_value < 0.05


def test_one_run_gets_no_mark():
    result, _ = compared(runs=1)
    table = as_markdown(result)
    assert (
        "With one run there is no telling how much runs differ: no difference is marked." in table
    )
    assert "↑" not in table
    difference = result.over_baseline(result.cell("small", "better"))
    assert difference.p_value is None
    assert difference.randomisation_p < 0.05
