"""A comparison of tuners, from its folder."""

from pathlib import Path
from typing import Any

from tunesmith.base.errors import InputError
from tunesmith.engine.resources import Resources
from tunesmith.evaluate.comparison_files import RESULTS_FILE, read_texts
from tunesmith.evaluate.number_text import counted
from tunesmith.evaluate.report.loop_run import DECODING
from tunesmith.evaluate.report.reading import contents, flat, read_json
from tunesmith.evaluate.report.run_data import Curves, RunData, Trace, Translations, Uses
from tunesmith.evaluate.run_result import RunResult, output_file
from tunesmith.evaluate.run_setting import Run
from tunesmith.evaluate.tuner_cells import Cell, ComparedTuners, Difference
from tunesmith.formats.text import read_lines
from tunesmith.metrics import parse_metric
from tunesmith.metrics.base import Metric

_REMEDY = "compare again: runs that are done are kept"


def read_comparison(folder: Path, name: str) -> RunData:
    """All that was found."""
    path = folder / RESULTS_FILE
    if not path.exists():
        raise InputError(
            folder, 0, f"a comparison without {RESULTS_FILE}", "one that has ended", _REMEDY
        )
    record = read_json(path, "results of a comparison", _REMEDY)
    with contents(path, "results of a comparison", _REMEDY):
        setting = record["setting"]
        metric = parse_metric(
            setting["metric_name"],
            tokenize=setting["tokenize"],
            reference_length=setting["reference_length"],
        )
        compared = _compared(record, metric)
        inputs = {str(key): str(value) for key, value in record["inputs"].items()}
        options = flat({"search": setting["search"], "loop": setting["loop"],
                        "draws": setting["draws"], "seed": record["seed"]})  # fmt: skip
    labels = {cell.place: cell_name(compared, cell) for cell in compared.cells}
    curves = {labels[cell.place]: [run.curve for run in cell.runs] for cell in compared.cells}
    best = max(compared.cells, key=lambda cell: cell.test * (1 if metric.higher_is_better else -1))
    return RunData(
        name,
        "comparison",
        f"{counted(len(compared.systems), 'tuner')}, {counted(compared.replicates, 'replicate')}",
        f"{labels[best.place]}: test {compared.metric} {best.test:.{compared.decimals}f}",
        [Curves("Learning curves", DECODING, f"dev {compared.metric}", curves)],
        _traces(compared, labels),
        [
            found
            for test in compared.tests
            if (found := _translations(folder, compared, labels, test, metric)) is not None
        ],
        [Uses("Tuning runs", {
            labels[cell.place]: [
                Resources(run.seconds, run.cpu_seconds, run.memory) for run in cell.runs
            ]
            for cell in compared.cells
        })],
        compared,
        options,
        inputs,
    )  # fmt: skip


def _compared(record: dict[str, Any], metric: Metric) -> ComparedTuners:
    cells = [
        Cell(
            str(row["features"]), str(row["system"]), str(row["tuner"]),
            tuple((str(key), value) for key, value in row["options"]), int(row["dev_size"]),
            [RunResult(**run) for run in row["runs"]],
        )
        for row in record["cells"]
    ]  # fmt: skip
    if not cells or not all(cell.runs for cell in cells):
        raise ValueError("no runs")
    differences = [
        Difference(**{**row, "interval": row["interval"] and tuple(row["interval"])})
        for row in record["differences"]
    ]
    # The baseline has the same place, and colour, in all pictures.
    cells.sort(key=lambda cell: cell.system != record["baseline"])
    return ComparedTuners(
        features=list(dict.fromkeys(cell.features for cell in cells)),
        systems=list(dict.fromkeys(cell.system for cell in cells)),
        dev_sizes=list(dict.fromkeys(cell.dev_size for cell in cells)),
        cells=cells,
        differences=differences,
        baseline=str(record["baseline"]),
        signature=str(record["signature"]),
        replicates=max(len(cell.runs) for cell in cells),
        tests=[str(part["name"]) for part in record["setting"]["tests"]],
        available=dict(record["available"]),
        metric=str(record["metric"]),
        higher_is_better=metric.higher_is_better,
        decimals=int(record["decimals"]),
    )


def cell_name(compared: ComparedTuners, cell: Cell) -> str:
    """The system, with its features and its dev set where there are several."""
    features = f", {cell.features}" if len(compared.features) > 1 else ""
    size = f", {cell.dev_size:,} dev sentences" if len(compared.dev_sizes) > 1 else ""
    return f"{cell.system}{features}{size}"


def _traces(compared: ComparedTuners, labels: dict[Any, str]) -> dict[str, list[Trace]]:
    return {
        labels[cell.place]: [run.trace for run in cell.runs]
        for cell in compared.cells
        if all(run.trace for run in cell.runs) and any(len(run.curve) > 1 for run in cell.runs)
    }


def _translations(
    folder: Path, compared: ComparedTuners, labels: dict[Any, str], test: str, metric: Metric
) -> Translations | None:
    """What all runs made of a test set, the baseline first."""
    kept = read_texts(folder, test)
    if kept is None:
        return None
    source, references = kept
    outputs = {}
    for cell in compared.cells:
        lines = []
        for replicate in range(len(cell.runs)):
            run = Run(cell.features, cell.tuner, replicate, cell.options, cell.dev_size)
            path = run.folder(folder) / output_file(test)
            lines.append(read_lines(path))
            if len(lines[-1]) != len(references[0]):
                raise InputError(
                    path, 0, f"{len(lines[-1]):,} lines",
                    f"{len(references[0]):,}, one per test sentence",
                    "delete the folder of the run and compare again",
                )  # fmt: skip
        outputs[labels[cell.place]] = lines
    return Translations(test, metric, references, outputs, source)
