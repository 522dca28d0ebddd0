"""Charts as SVG and PNG, drawn by matplotlib: the same data give the same bytes."""

import io
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tunesmith.base.atomic import atomic_path
from tunesmith.base.errors import InputError, OptionError
from tunesmith.evaluate.charts.data import Chart, DotChart, IntervalChart, LineChart
from tunesmith.evaluate.charts.labels import draw_names, fitting, plain, spread_apart, widest
from tunesmith.evaluate.charts.marks import Ends, draw_groups, draw_intervals, draw_lines
from tunesmith.evaluate.charts.palette import GRID, INK, MUTED, PAPER, SMALL_TEXT, TEXT, TITLE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: What to do where pictures cannot be drawn.
NEEDED = "pictures need the package matplotlib; pip install 'tunesmith[plots]'"

# Inches: the picture, its margins, a row of intervals, a name beside it.
_WIDTH, _HEIGHT = 7.2, 4.2
_LEFT, _RIGHT, _TOP, _BOTTOM = 0.75, 0.2, 0.5, 0.55
_ROW, _NAME = 0.34, 0.19
_WHOLE = 2.6  # of all points, above those that are drawn larger
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}
_RC: Any = {
    "svg.fonttype": "none",  # text is text: readable, searchable, in the font of the page
    "svg.hashsalt": "tunesmith",
    "text.parse_math": False,  # names are anybody's
    "font.family": "DejaVu Sans",
    "font.size": TEXT,
    "hatch.linewidth": 1.0,
    "path.simplify": False,
}


def has_plots() -> bool:
    """Whether the package that draws is installed."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        return False
    return True


def check_plots() -> None:
    """Refuse to go on where the package that draws is not installed."""
    if not has_plots():
        raise OptionError(NEEDED)


def check_picture(path: str | Path) -> None:
    """Refuse a file whose ending names no format, and a missing package, before the work."""
    if Path(path).suffix[1:].lower() not in _METADATA:
        raise InputError(
            path, 0, f"the ending '{Path(path).suffix}'", "a name that ends in .svg or .png"
        )
    check_plots()


def svg(chart: Chart) -> str:
    """The picture as SVG, its text as text.

    >>> from tunesmith.evaluate.charts import Point
    >>> svg(LineChart("t", "x", "y", {"one": [Point(0, 1), Point(1, 2)]})).count("<svg")
    1
    """
    return _drawn(chart, "svg").decode()


def png(chart: Chart) -> bytes:
    """The picture as PNG."""
    return _drawn(chart, "png")


def save(chart: Chart, path: str | Path) -> None:
    """Write the picture in the format that the name's ending says."""
    check_picture(path)
    picture = _drawn(chart, Path(path).suffix[1:].lower())
    with atomic_path(path) as temporary:
        temporary.write_bytes(picture)


def _drawn(chart: Chart, kind: str) -> bytes:
    check_plots()
    import matplotlib

    with matplotlib.rc_context(_RC), warnings.catch_warnings():
        # A script that the font lacks: SVG has the text, and browsers have fonts.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        stream = io.BytesIO()
        draw(chart).savefig(stream, format=kind, dpi=160, metadata=_METADATA[kind], facecolor=PAPER)
    return stream.getvalue()


def draw(chart: Chart) -> "Figure":
    """The picture as matplotlib's figure, for a notebook."""
    check_plots()
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    height, detail = _height(chart), _detail(chart)
    above = 0.0 if detail is None else _WHOLE
    figure = Figure(figsize=(_WIDTH, height + above))
    FigureCanvasAgg(figure)  # which measures text
    if detail is not None:
        _panel(figure, chart, named=False, bottom=height)
    _panel(figure, detail or chart, top=above)
    return figure


def _height(chart: Chart) -> float:
    """Inches: as many as the names of rows or series need."""
    if isinstance(chart, IntervalChart):
        return _TOP + _BOTTOM + _ROW * max(len(chart.rows), 1)
    return max(_HEIGHT, _TOP + _BOTTOM + _NAME * (len(chart.series) + 2))


def _detail(chart: Chart) -> LineChart | None:
    """What is drawn again larger, if anything is."""
    if not isinstance(chart, LineChart) or chart.detail_from is None:
        return None
    start = chart.detail_from
    later = {
        name: [point for point in points if point.x >= start]
        for name, points in chart.series.items()
    }
    return replace(chart, title=f"The same from {start:g} on", series=later)


def _panel(
    figure: "Figure", chart: Chart, *, named: bool = True, bottom: float = 0, top: float = 0
) -> None:
    """Draw a chart between two heights of the figure, inches from its ends."""
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    _frame(axes, chart)
    if isinstance(chart, LineChart):
        ends = draw_lines(axes, chart)
    elif isinstance(chart, DotChart):
        ends = draw_groups(axes, chart)
    else:
        ends = {}
        draw_intervals(axes, chart)
    inch = _place(figure, axes, chart, ends, bottom, top)
    if named:
        _name(axes, chart, ends, inch)


def _frame(axes: "Axes", chart: Chart) -> None:
    axes.set_title(plain(chart.title), loc="left", color=INK, fontsize=TITLE, pad=10)
    axes.set_xlabel(plain(chart.x_label), color=MUTED)
    axes.tick_params(colors=MUTED, labelsize=SMALL_TEXT, length=0)
    axes.set_axisbelow(True)
    axes.set_facecolor("none")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(MUTED)
    if isinstance(chart, IntervalChart):
        axes.grid(axis="x", color=GRID, linewidth=0.8)
    else:
        axes.set_ylabel(plain(chart.y_label), color=MUTED)
        axes.grid(axis="y", color=GRID, linewidth=0.8)


def _place(
    figure: "Figure", axes: "Axes", chart: Chart, ends: Ends, below: float, above: float
) -> tuple[float, float]:
    """Give the axes what the labels around them leave; an inch in parts of their two sides."""
    width, height = figure.get_size_inches()
    left, right, bottom, top = _LEFT, _RIGHT, _BOTTOM + below, _TOP + above
    if isinstance(chart, IntervalChart):
        left = widest(figure, [fitting(name) for name in chart.rows]) + 0.2
    elif isinstance(chart, DotChart) and any("\n" in group for group in chart.groups):
        bottom += 0.14
    if ends:
        right = widest(figure, [fitting(name) for name in ends]) + 0.5
    inner_width, inner_height = width - left - right, height - bottom - top
    axes.set_position((left / width, bottom / height, inner_width / width, inner_height / height))
    return 1 / inner_width, 1 / inner_height


def _name(axes: "Axes", chart: Chart, ends: Ends, inch: tuple[float, float]) -> None:
    """Write the name of every series beside its end."""
    if not (chart.rows if isinstance(chart, IntervalChart) else ends):
        axes.text(0.5, 0.5, "nothing to show", transform=axes.transAxes, ha="center", color=MUTED)
    line = _NAME * inch[1]
    if isinstance(chart, DotChart):  # series that change places from group to group: a plain list
        places = {name: 0.98 - line * number for number, name in enumerate(ends)}
    else:
        axes.autoscale_view()  # now, and not only when all is drawn
        into_axes = axes.transData + axes.transAxes.inverted()
        at_end = {name: float(into_axes.transform((1, y))[1]) for name, (_, y) in ends.items()}
        places = spread_apart(at_end, line, 0.0, 1.0)
    numbers = {name: number for name, (number, _) in ends.items()}
    draw_names(axes, places, numbers, inch, chart)
