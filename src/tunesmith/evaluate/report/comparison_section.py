"""The section of compared tuners: scores with their spread, and tests of their differences."""

from collections.abc import Sequence

from tunesmith.evaluate.charts import IntervalChart, Point
from tunesmith.evaluate.number_text import NONE, minus, p_value
from tunesmith.evaluate.report.comparison_run import cell_name
from tunesmith.evaluate.report.names import Names
from tunesmith.evaluate.report.parts import Paragraph, Part, Picture, Section, TablePart
from tunesmith.evaluate.report.run_data import RunData
from tunesmith.evaluate.tuner_cells import ComparedTuners
from tunesmith.evaluate.tuner_plots import CURVES, plots
from tunesmith.evaluate.tuner_table import BETTER, WORSE


def comparison_section(runs: Sequence[RunData], names: Names) -> Section:
    """Tables of compared tuners, and how they differ from their baselines."""
    parts: list[Part] = []
    for run in runs:
        if run.compared is not None:
            parts += _compared(run, run.compared, names)
    return Section("Tuners", parts)


def _compared(run: RunData, compared: ComparedTuners, names: Names) -> list[Part]:
    columns, digits = compared.columns, compared.decimals
    rows, rest, intervals = [], [], {}
    for cell in compared.cells:
        label = cell_name(compared, cell)
        scores = []
        for column in columns:
            difference = compared.over_baseline(cell, column)
            mark = ""
            if difference is not None and difference.significant:
                better = (difference.points > 0) == compared.higher_is_better
                mark = f" {BETTER if better else WORSE}"
            scores.append(f"{cell.score(column):.{digits}f}{mark}")
        rows.append([label, f"{cell.tune:.{digits}f}", *scores, f"{cell.deviation:.{digits}f}"])
        difference = compared.over_baseline(cell)
        if difference is None:
            continue
        ends = difference.interval or (None, None)
        intervals[label] = Point(0, difference.points, *ends)
        rest.append([
            label, f"{difference.over} on {difference.over_features}",
            minus(f"{difference.points:+.{digits}f}"),
            NONE if difference.interval is None else minus(
                f"{difference.interval[0]:+.{digits}f} … {difference.interval[1]:+.{digits}f}"
            ),
            p_value(difference.p_value), p_value(difference.corrected_p),
            p_value(difference.randomisation_p),
        ])  # fmt: skip
    tests = columns if len(columns) > 1 else ["test"]
    parts: list[Part] = [
        TablePart(
            f"{run.name}: mean {compared.metric} of {compared.replicates} runs and the standard "
            f"deviation of the test score. {compared.signature}",
            ["tuner", "dev", *tests, "SD"], rows,
        )
    ]  # fmt: skip
    if rest:
        head = ["tuner", "over", "points", "95 %", "p", "p corrected", "p sentences"]
        parts += [
            Paragraph(
                f"{BETTER} and {WORSE}: better and worse than {compared.baseline}, p < 0.05 over "
                "runs and sentences, corrected for the number of differences (Holm)."
                if compared.replicates > 1 else
                "With one run there is no telling how much runs differ: nothing is marked."
            ),
            TablePart("Differences from the baseline. 95 % and p: over runs and sentences; p "
                  "sentences: approximate randomisation, of these outputs alone.", head, rest, 2),
        ]  # fmt: skip
        if any(point.low is not None for point in intervals.values()):
            chart = IntervalChart(
                f"Differences from {compared.baseline}", f"test {compared.metric} points", intervals
            )
            parts.append(
                Picture(
                    names.picture("tuners", run),
                    chart,
                    "Lines are 95 % intervals over runs and sentences.",
                )
            )
    # Learning curves stand beside those of other runs.
    varied = {name: chart for name, chart in plots(compared).items() if not name.startswith(CURVES)}
    parts += [Picture(names.picture(name, run), chart) for name, chart in varied.items()]
    return parts
