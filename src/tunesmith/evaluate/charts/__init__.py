"""Pictures: plain data first (`data`), then SVG and PNG of it (`drawing`)."""

from tunesmith.evaluate.charts.data import (
    Chart,
    DotChart,
    IntervalChart,
    LineChart,
    Point,
    deviating,
    learning_chart,
    over_runs,
    run_curve,
)
from tunesmith.evaluate.charts.drawing import check_picture, check_plots, draw, png, save, svg

__all__ = [
    "Chart",
    "DotChart",
    "IntervalChart",
    "LineChart",
    "Point",
    "check_picture",
    "check_plots",
    "deviating",
    "draw",
    "learning_chart",
    "over_runs",
    "png",
    "run_curve",
    "save",
    "svg",
]
