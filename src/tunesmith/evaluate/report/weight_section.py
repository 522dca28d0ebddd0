"""The section of weights: how they changed from decoding to decoding."""

from collections.abc import Mapping, Sequence
from statistics import mean

from tunesmith.evaluate.charts import LineChart, Point, run_curve
from tunesmith.evaluate.number_text import NONE, shown
from tunesmith.evaluate.report.names import Names
from tunesmith.evaluate.report.parts import Paragraph, Picture, Section, TablePart
from tunesmith.evaluate.report.run_data import RunData, Trace

# Features whose weights are drawn: those with most weight.
_DRAWN = 10


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
    table = TablePart("Weights of the last decoding, as shares", head, rows, folded=True)
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
