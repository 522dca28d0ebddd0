"""Sections of runs: what they are, how they learned, their weights, what they took, settings."""

from collections.abc import Mapping, Sequence
from statistics import mean, stdev

from tunesmith.engine.resources import Resources
from tunesmith.evaluate.charts import (
    DotChart,
    IntervalChart,
    LineChart,
    Point,
    learning_chart,
    over_runs,
    run_curve,
)
from tunesmith.evaluate.report.chart_table import NONE, minus, shown
from tunesmith.evaluate.report.comparison_run import cell_name
from tunesmith.evaluate.report.names import Names
from tunesmith.evaluate.report.parts import Paragraph, Part, Picture, Section, Table
from tunesmith.evaluate.report.run_data import RunData, Trace, Uses
from tunesmith.evaluate.report.text_sections import p_value
from tunesmith.evaluate.tuner_cells import ComparedTuners
from tunesmith.evaluate.tuner_table import BETTER, WORSE

# Features whose weights are drawn: those with most weight.
_DRAWN = 10
_MEGABYTE = 2**20


def run_table(runs: Sequence[RunData]) -> Section:
    """What is reported, a row each."""
    rows = [[run.name, run.kind, run.about, run.outcome] for run in runs]
    return Section("Runs", [Table("", ["run", "kind", "what", "result"], rows, texts=4)])


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
        Table(
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
            Table("Differences from the baseline. 95 % and p: over runs and sentences; p "
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
    return parts


def curve_section(runs: Sequence[RunData], names: Names) -> Section:
    """Learning curves of all runs, those of one kind in one picture."""
    groups: dict[tuple[str, str, str], dict[str, list[Point]]] = {}
    for run in runs:
        for curves in run.curves:
            group = groups.setdefault((curves.title, curves.x_label, curves.y_label), {})
            for system, replicates in curves.systems.items():
                group[names.system(run, system)] = run_curve(replicates, curves.first)
    pictures = []
    for number, (key, series) in enumerate(groups.items(), 1):
        spread = any(point.low is not None for points in series.values() for point in points)
        note = "Bands are one standard deviation over replicates." if spread else ""
        pictures.append(Picture(f"curves-{number}", learning_chart(*key, series), note))
    return Section("Learning curves", pictures)


def weight_section(runs: Sequence[RunData], names: Names) -> Section:
    """Weights over iterations, a picture for each system, and all that they ended with."""
    curves = {
        names.system(run, system): found
        for run in runs
        for system, traces in run.traces.items()
        if (found := weight_curves(traces))
    }
    if not curves:
        return Section("Weights", [])
    drawn = _heaviest(curves)
    pictures = []
    for number, (label, features) in enumerate(curves.items(), 1):
        # A feature without a line here keeps its colour for the other pictures.
        series = {name: features.get(name, []) for name in drawn}
        chart = LineChart(
            f"Weights of {label}", "decoding of the dev set", "share of all dense weights",
            series, whole_x=True,
        )  # fmt: skip
        left = len(features.keys() - set(drawn))
        note = f"The {_DRAWN} with most weight; {left} more are in the table below." if left else ""
        pictures.append(Picture(f"weights-{number}", chart, note))
    every = list(dict.fromkeys(name for features in curves.values() for name in features))
    rows = [
        [name, *(shown(one[name][-1].y) if name in one else NONE for one in curves.values())]
        for name in every
    ]
    head = ["feature", *curves]
    about = (
        "Weights are divided by the sum of the sizes of all dense weights of their decoding, as "
        "only their proportions matter."
    )
    if any(len(traces) > 1 for run in runs for traces in run.traces.values()):
        about += " Bands are one standard deviation over replicates."
    table = Table("Weights of the last decoding, as shares", head, rows, folded=True)
    return Section("Weights", [Paragraph(about), *pictures, table])


def _heaviest(curves: Mapping[str, Mapping[str, Sequence[Point]]]) -> list[str]:
    """The features that have most weight in any system, in the order in which systems have them."""
    weight: dict[str, float] = {}
    for features in curves.values():
        for name, points in features.items():
            here = mean(abs(point.y) for point in points)
            weight[name] = max(here, weight.get(name, 0.0))
    first = sorted(weight, key=lambda name: -weight[name])[:_DRAWN]
    return [name for name in weight if name in first]


def weight_curves(traces: Sequence[Trace]) -> dict[str, list[Point]]:
    """Shares of dense weights by decoding, over the replicates of a system."""
    shares = []
    for trace in traces:
        sizes = [sum(map(abs, values)) for values in zip(*trace.values(), strict=True)]
        shares.append({
            name: [value / (size or 1.0) for value, size in zip(values, sizes, strict=True)]
            for name, values in trace.items()
        })  # fmt: skip
    features = dict.fromkeys(name for share in shares for name in share)
    curves = {name: run_curve([share.get(name, []) for share in shares]) for name in features}
    return {name: points for name, points in curves.items() if any(p.y for p in points)}


def resource_section(runs: Sequence[RunData], names: Names) -> Section:
    """Time and memory, those of one kind of parts in one picture."""
    parts: list[Part] = []
    for title in dict.fromkeys(uses.title for run in runs for uses in run.uses):
        found = [(run, uses) for run in runs for uses in run.uses if uses.title == title]
        if any(uses.parts for _, uses in found):
            parts += _uses(title, found, names, f"time-{len(parts) + 1}")
    return Section("Time and memory", parts)


def _uses(
    title: str, found: Sequence[tuple[RunData, Uses]], names: Names, picture: str
) -> list[Part]:
    steps = list(dict.fromkeys(part for _, uses in found for part in uses.parts))
    series: dict[str, list[Point]] = {}
    rows = []
    for run, uses in found:
        points = []
        for x, step in enumerate(steps):
            if step in uses.parts:
                used = uses.parts[step]
                points.append(over_runs(x, [one.cpu_seconds for one in used]))
                rows.append([run.name, step, *_amounts(used)])
        series[run.name] = points
        total = [one for used in uses.parts.values() for one in used]
        if len(uses.parts) > 1:
            rows.append([run.name, "all", *_amounts([_sum(total)])])
    chart = DotChart(f"{title}: processor time", "", "CPU seconds", steps, series, from_zero=True)
    table = Table(
        f"{title}; CPU is that of all threads, a mean over runs where there are several",
        ["run", "part", "seconds", "CPU seconds", "SD", "memory, MB"], rows, texts=2,
    )  # fmt: skip
    return [Picture(picture, chart), table] if len(steps) > 1 else [table]


def _amounts(used: Sequence[Resources]) -> list[str]:
    cpu = [one.cpu_seconds for one in used]
    memory = max(one.memory for one in used)
    return [
        f"{mean(one.seconds for one in used):,.1f}",
        f"{mean(cpu):,.1f}",
        f"{stdev(cpu):,.1f}" if len(cpu) > 1 else NONE,
        f"{memory / _MEGABYTE:,.0f}" if memory else NONE,
    ]


def _sum(used: Sequence[Resources]) -> Resources:
    return Resources(
        sum(one.seconds for one in used),
        sum(one.cpu_seconds for one in used),
        max(one.memory for one in used),
    )


def setting_section(runs: Sequence[RunData]) -> Section:
    """Options, those that differ first, and the files that the runs were made from."""
    parts: list[Part] = []
    given = [run for run in runs if run.options]
    keys = list(dict.fromkeys(key for run in given for key in run.options))
    differ = [key for key in keys if len({run.options.get(key) for run in given}) > 1]
    head = ["setting", *(run.name for run in given)]
    if differ:
        rows = [_setting(key, given) for key in differ]
        parts.append(Table("Settings that differ", head, rows, texts=len(head)))
    same = [key for key in keys if key not in differ]
    if same:
        caption = "Settings that are the same" if len(given) > 1 else "Settings"
        rows = [[key, given[0].options[key]] for key in same]
        parts.append(Table(caption, ["setting", "value"], rows, texts=2, folded=True))
    inputs = [[run.name, path, digest] for run in runs for path, digest in run.inputs.items()]
    if inputs:
        head = ["run", "file", "BLAKE2b"]
        parts.append(Table("Files, and hashes of their contents", head, inputs, 3, folded=True))
    return Section("Settings", parts)


def _setting(key: str, runs: Sequence[RunData]) -> list[str]:
    return [key, *(run.options.get(key, NONE) for run in runs)]
