"""The numbers of a picture as a table, for those who cannot see it or want to know exactly."""

from math import isfinite

from tunesmith.evaluate.charts import Chart, IntervalChart, LineChart, Point
from tunesmith.evaluate.number_text import NONE, shown
from tunesmith.evaluate.report.parts import TablePart


def chart_table(chart: Chart) -> TablePart:
    """All points; a spread is behind its value."""
    caption = "The numbers"
    if isinstance(chart, IntervalChart):
        rows = [[name, _value(point), _ends(point)] for name, point in chart.rows.items()]
        return TablePart(caption, ["", chart.x_label, "95 %"], rows, folded=True)
    places = sorted({point.x for points in chart.series.values() for point in points})
    by_place = [{point.x: point for point in points} for points in chart.series.values()]
    rows = [
        [
            _place(chart, x),
            *(_cell(points[x]) if x in points else NONE for points in by_place),
        ]
        for x in places
    ]
    return TablePart(caption, [chart.x_label, *chart.series], rows, folded=True)


def _place(chart: Chart, x: float) -> str:
    if isinstance(chart, LineChart | IntervalChart):
        return f"{x:g}"
    return chart.groups[int(x)].replace("\n", ", ")


def _cell(point: Point) -> str:
    spread = _ends(point)
    return f"{_value(point)} ({spread})" if spread != NONE else _value(point)


def _value(point: Point) -> str:
    return shown(point.y) if isfinite(point.y) else NONE


def _ends(point: Point) -> str:
    if point.low is None or point.high is None:
        return NONE
    return f"{shown(point.low)} … {shown(point.high)}"
