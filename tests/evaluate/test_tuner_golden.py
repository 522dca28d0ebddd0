"""Tables and pictures of a made-up comparison, as they were last time.

After a change that is meant, write them anew: ``python tests/evaluate/test_tuner_golden.py``.
"""

import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from reference.golden import differs, renew
from tunesmith.evaluate.tuner_cells import Cell, ComparedTuners, Difference
from tunesmith.evaluate.tuner_plots import plots
from tunesmith.evaluate.tuner_table import as_markdown, as_tsv, times_tsv
from tunesmith.evaluate.tuning_run import RunResult
from tunesmith.tune.loop import UNCHANGED

GOLDEN = Path(__file__).parent / "tuners.json"


def run(tune, test, sparse=0, *, curve=(30.0, 40.0, 41.0, 41.5, 41.25), stopped=""):
    weights = {"dense": 15, **({"word_pair": sparse} if sparse else {})}
    return RunResult(
        tune=tune, tests={"news": test, "talks": test - 10}, curve=list(curve), hypotheses=[9],
        stopped=stopped, weights=weights, seconds=2.5, cpu_seconds=4.25, memory=123_456_789,
    )  # fmt: skip


def cells(features, size):
    """Two runs of a baseline and of two options with two values."""
    twice = [run(41.5, 40.0), run(41.0, 40.5, curve=(31.0, 41.0), stopped=UNCHANGED)]
    made = [Cell(features, "mert", "mert", (), size, twice)] if features == "small" else []
    sparse = 0 if features == "small" else 1200
    for C, passes, test in ((0.5, 3, 41.5), (1.0, 3, 39.0), (1.0, 9, 41.0)):
        runs = [run(42.0, test + size / 1000, sparse), run(42.5, test + 0.5, sparse // 2)]
        options = (("C", C), ("passes", passes))
        made.append(Cell(features, f"mira C={C} passes={passes}", "mira", options, size, runs))
    return made


def compared(sizes, tests=("news", "talks")):
    every = [cell for features in ("small", "big") for n in sizes for cell in cells(features, n)]
    for cell in every:
        for one in cell.runs:
            for name in {"news", "talks"} - set(tests):
                del one.tests[name]
    result = ComparedTuners(
        ["small", "big"], list(dict.fromkeys(cell.system for cell in every)), list(sizes), every,
        [], "mert", "nrefs:1", 2, list(tests), {"big": {"word_pair": 6724}},
    )  # fmt: skip
    differences = []
    for cell in every:
        base = result.baseline_of(cell.features, cell.dev_size)
        for column in result.columns if base is not cell else ():
            points = cell.score(column) - base.score(column)
            one = Difference(
                cell.features, cell.dev_size, cell.system, base.system, base.features, column,
                points, None if column == "mean" else 0.03, 0.012, (points - 0.75, points + 0.5),
                0.024 if points > 0 else 0.06,
            )  # fmt: skip
            differences += [one, one.reversed()]
    return replace(result, differences=differences)


def alone():
    """One run of everything: nothing is tested over runs."""
    result = compared([0])
    single = replace(
        result,
        cells=[replace(cell, runs=cell.runs[:1]) for cell in result.cells],
        differences=[
            replace(row, p_value=None, interval=None, corrected_p=None)
            for row in result.differences
        ],
        replicates=1,
    )
    return as_markdown(single) + as_tsv(single)


def drawn(sizes):
    """What is drawn, by the names of the pictures, without the drawing."""
    return {name: asdict(chart) for name, chart in plots(compared(sizes)).items()}


CASES = {
    "markdown": lambda: as_markdown(compared([0], ["news"])),
    "markdown of two test sets": lambda: as_markdown(compared([0])),
    "markdown by size": lambda: as_markdown(compared([100, 1000])),
    "one run": alone,
    "tsv": lambda: as_tsv(compared([100, 1000])),
    "times": lambda: times_tsv(compared([0])),
    "pictures": lambda: drawn([100, 1000]),
    "pictures of one size": lambda: drawn([0]),
}


@pytest.mark.parametrize("case", CASES)
def test_as_it_was(case):
    assert not differs(GOLDEN, CASES, case)


def test_what_a_reader_takes_from_the_table():
    """The same by eye: arrows point the right way, sets that are not taken are dashes."""
    lines = as_markdown(compared([0], ["news"])).splitlines()
    rows = {line.split(" | ")[0].strip("| "): line.split(" | ")[1:] for line in lines}
    assert rows["mert"] == ["41.25", "40.25", "0.35", "–", "–", "– |"]
    assert rows["mira C=0.5 passes=3"][:3] == ["42.25", "41.75 ↑", "0.35"]
    assert rows["mira C=1.0 passes=3"][:3] == ["42.25", "39.25", "0.35"]  # worse, but p is 0.06
    found = "| big | mira C=0.5 passes=3 | mert on small | +1.50 |"
    assert any(line.startswith(found) for line in lines)


if __name__ == "__main__":
    renew(GOLDEN, CASES)
