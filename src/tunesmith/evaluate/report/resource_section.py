"""The section of what runs took: time and memory."""

from collections.abc import Sequence
from statistics import mean, stdev

from tunesmith.engine.resources import Resources
from tunesmith.evaluate.charts import DotChart, Point, over_runs
from tunesmith.evaluate.number_text import NONE
from tunesmith.evaluate.report.names import Names
from tunesmith.evaluate.report.parts import Part, Picture, Section, TablePart
from tunesmith.evaluate.report.run_data import RunData, Uses

_MEGABYTE = 2**20


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
    table = TablePart(
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
