"""What a picture shows, as plain data; `drawing` makes SVG and PNG of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from statistics import mean, stdev


@dataclass(frozen=True)
class Point:
    """A value, and the ends of its spread where it is a mean or an estimate."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class LineChart:
    """A few series over a common axis; the spread of their points is a band around them."""

    title: str
    x_label: str
    y_label: str
    series: Mapping[str, Sequence[Point]]
    whole_x: bool = False
    """Whether x counts something: ticks are whole numbers."""
    log_x: bool = False
    """Ticks are the values that the series have."""
    log_y: bool = False
    detail_from: float | None = None
    """From this x on the series are drawn again below, with a y axis of their own."""


@dataclass(frozen=True)
class DotChart:
    """A value of every series in every group; `x` of a point is the number of its group."""

    title: str
    x_label: str
    y_label: str
    groups: Sequence[str]
    series: Mapping[str, Sequence[Point]]
    from_zero: bool = False
    """Bars from 0 in the place of dots, for what is a share or an amount."""


@dataclass(frozen=True)
class IntervalChart:
    """A row for every estimate with its interval, beside a line at 0; `x` of a point counts not."""

    title: str
    x_label: str
    rows: Mapping[str, Point]


Chart = LineChart | DotChart | IntervalChart


# Iterations after which a curve is out of the valley that the initial weights are in, and the part
# of the height from which on what follows can be read.
_FIRST_ITERATIONS, _READABLE = 3, 0.25


def learning_chart(
    title: str, x_label: str, y_label: str, series: Mapping[str, Sequence[Point]]
) -> LineChart:
    """Curves by iteration; where the first ones flatten the rest, the rest is drawn again."""

    def height(first: int) -> float:
        ys = [point.y for points in series.values() for point in points if point.x > first]
        return max(ys) - min(ys) if ys else 0.0

    flat = 0 < height(_FIRST_ITERATIONS) < _READABLE * height(0)
    detail = _FIRST_ITERATIONS + 1 if flat else None
    return LineChart(title, x_label, y_label, series, whole_x=True, detail_from=detail)


def deviating(x: float, y: float, deviation: float) -> Point:
    """A mean with its standard deviation on both sides; none where it is 0.

    >>> deviating(1, 20, 0.5)
    Point(x=1, y=20, low=19.5, high=20.5)
    """
    return Point(x, y, y - deviation, y + deviation) if deviation else Point(x, y)


def over_runs(x: float, values: Iterable[float]) -> Point:
    """The mean of what several runs gave, with its standard deviation.

    >>> over_runs(1, [10, 12, 14])
    Point(x=1, y=12, low=10.0, high=14.0)
    """
    given = list(values)
    if not given:
        return Point(x, nan)
    return deviating(x, mean(given), stdev(given) if len(given) > 1 else 0.0)


def run_curve(runs: Sequence[Sequence[float]], first: int = 1) -> list[Point]:
    """Mean and spread by iteration, from `first`; a run that stopped early stays at its last value.

    >>> [point.y for point in run_curve([[1, 2, 3], [3, 4]])]
    [2, 3, 3.5]
    """
    longest = max(map(len, runs), default=0)
    return [
        over_runs(i + first, (run[min(i, len(run) - 1)] for run in runs if run))
        for i in range(longest)
    ]
