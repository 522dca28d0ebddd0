"""What is drawn within the axes of a picture: lines with bands, dots, bars, intervals."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tunesmith.evaluate.charts.data import DotChart, IntervalChart, LineChart, Point
from tunesmith.evaluate.charts.labels import fitting, plain
from tunesmith.evaluate.charts.palette import (
    COLOURS,
    INK,
    MARK,
    MUTED,
    PAPER,
    hatch,
    line_style,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Points of a line from which on marks would hide it.
_MANY = 40
# The part of a group's width that its dots or bars take.
_FILLED = 0.76

#: Names of series, with their numbers and the height at which they end.
Ends = dict[str, tuple[int, float]]


def draw_lines(axes: "Axes", chart: LineChart) -> Ends:
    """All series over their bands; points without a place on the axes are left out."""
    from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator, ScalarFormatter

    kept = {
        name: [point for point in points if _has_place(point, chart)]
        for name, points in chart.series.items()
    }
    if chart.log_x:
        axes.set_xscale("log")
    if chart.log_y:
        axes.set_yscale("log")
    for number, points in enumerate(kept.values()):
        _draw_band(axes, points, COLOURS[number % len(COLOURS)], log=chart.log_y)
    ends = {}
    for number, (name, points) in enumerate(kept.items()):
        axes.plot(
            [point.x for point in points], [point.y for point in points],
            **line_style(number), linewidth=1.8, markersize=MARK if len(points) <= _MANY else 0,
            gid=f"series-{number}",
        )  # fmt: skip
        if points:
            ends[name] = (number, points[-1].y)
    xs = sorted({point.x for points in kept.values() for point in points})
    if chart.log_x:
        axes.xaxis.set_major_locator(FixedLocator(xs))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(ScalarFormatter())
    elif chart.whole_x:
        axes.xaxis.set_major_locator(MaxNLocator(nbins=12, integer=True, min_n_ticks=1))
    if len(xs) == 1 and not chart.log_x:
        axes.set_xlim(xs[0] - 1, xs[0] + 1)
    if not chart.log_y:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=6))
    return ends


def _has_place(point: Point, chart: LineChart) -> bool:
    return all(
        math.isfinite(value) and (value > 0 or not log)
        for value, log in ((point.x, chart.log_x), (point.y, chart.log_y))
    )


def _draw_band(axes: "Axes", points: Sequence[Point], colour: str, *, log: bool) -> None:
    """The spread; around a point that stands alone it is a bar."""
    ends = [(point, *_spread(point, log)) for point in points]
    if not any(high > low for _, low, high in ends):
        return
    xs = [point.x for point, _, _ in ends]
    lows, highs = [low for _, low, _ in ends], [high for _, _, high in ends]
    if len(points) > 1:
        axes.fill_between(xs, lows, highs, color=colour, alpha=0.2, linewidth=0)
    else:
        axes.vlines(xs, lows, highs, colors=colour, linewidth=1.4)


def _spread(point: Point, log: bool) -> tuple[float, float]:
    """The ends of a spread; where there is none, or none on a log axis, the band closes."""
    if point.low is None or point.high is None or (log and point.low <= 0):
        return point.y, point.y
    return point.low, point.high


def draw_groups(axes: "Axes", chart: DotChart) -> Ends:
    """Dots or bars side by side in their groups."""
    from matplotlib.ticker import FixedLocator

    count = max(len(chart.series), 1)
    step = _FILLED / count
    ends = {}
    for number, (name, points) in enumerate(chart.series.items()):
        style = line_style(number)
        shift = (number - (count - 1) / 2) * step
        kept = [point for point in points if math.isfinite(point.y)]
        xs, ys = [point.x + shift for point in kept], [point.y for point in kept]
        if chart.from_zero:
            axes.bar(
                xs, ys, step * 0.92, color=style["color"], hatch=hatch(number), edgecolor=PAPER
            )
        else:
            axes.plot(
                xs, ys, **{**style, "linestyle": "none"}, markersize=6, gid=f"series-{number}"
            )
        for x, point in zip(xs, kept, strict=True):
            if point.low is not None and point.high is not None:
                colour = INK if chart.from_zero else style["color"]
                axes.vlines([x], [point.low], [point.high], colors=colour, linewidth=1.4)
        if kept:
            ends[name] = (number, kept[-1].y)
    axes.xaxis.set_major_locator(FixedLocator(range(len(chart.groups))))
    axes.set_xticklabels([plain(group) for group in chart.groups])
    axes.set_xlim(-0.5, max(len(chart.groups), 1) - 0.5)
    return ends


def draw_intervals(axes: "Axes", chart: IntervalChart) -> None:
    """A row for each estimate, the first on top."""
    from matplotlib.ticker import FixedLocator

    axes.axvline(0, color=MUTED, linewidth=1)
    for row, point in enumerate(chart.rows.values()):
        if point.low is not None and point.high is not None:
            axes.hlines([row], [point.low], [point.high], colors=COLOURS[0], linewidth=2)
        axes.plot([point.y], [row], marker="o", color=COLOURS[0], markersize=6)
    axes.yaxis.set_major_locator(FixedLocator(range(len(chart.rows))))
    axes.set_yticklabels([fitting(name) for name in chart.rows], color=INK)
    axes.set_ylim(len(chart.rows) - 0.4, -0.6)
