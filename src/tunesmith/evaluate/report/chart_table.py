"""The numbers of a picture as a table, for those who cannot see it or want to know exactly."""

from math import isfinite

from tunesmith.evaluate.charts import Chart, IntervalChart, LineChart, Point
from tunesmith.evaluate.report.parts import Table

NONE = "–"


def chart_table(chart: Chart) -> Table:
    """All points; a spread is behind its value."""
    caption = "The numbers"
    if isinstance(chart, IntervalChart):
        rows = [[name, _value(point), _ends(point)] for name, point in chart.rows.items()]
        return Table(caption, ["", chart.x_label, "95 %"], rows, folded=True)
    places = sorted({point.x for points in chart.series.values() for point in points})
    by_place = [{point.x: point for point in points} for points in chart.series.values()]
    rows = [
        [
            _place(chart, x),
            *(_cell(points[x]) if x in points else NONE for points in by_place),
        ]
        for x in places
    ]
    return Table(caption, [chart.x_label, *chart.series], rows, folded=True)


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


def shown(value: float) -> str:
    """A number with as many digits as one reads.

    >>> shown(0.012345), shown(41.237), shown(123456.7), shown(0.0)
    ('0.0123', '41.24', '123,457', '0.00')
    """
    size = abs(value)
    if size >= 1000:
        return minus(f"{value:,.0f}")
    return minus(f"{value:.2f}" if size >= 1 or size == 0 else f"{value:.3g}")


def minus(number: str) -> str:
    """A number with a minus as it is printed.

    >>> minus("-0.5 … +0.25")
    '−0.5 … +0.25'
    """
    return number.replace("-", "\N{MINUS SIGN}")
