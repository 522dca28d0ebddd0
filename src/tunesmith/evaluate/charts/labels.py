"""The names beside a picture: where they stand, and what is left of long ones."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, cast

from tunesmith.evaluate.charts.data import Chart, DotChart
from tunesmith.evaluate.charts.palette import MARK, PAPER, SMALL_TEXT, hatch, line_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Characters of a name that is shown beside a picture.
_LONGEST = 34


def plain(text: str) -> str:
    """What XML can hold, on as many lines as it has."""
    return "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in text)


def fitting(text: str) -> str:
    """`text`, or its beginning and its end if it is too long to stand beside a picture.

    >>> fitting("svm-1-slack Q=1000.0 l2=0.01 passes=30 more=1")
    'svm-1-slack Q=100…passes=30 more=1'
    """
    text = plain(text)
    if len(text) <= _LONGEST:
        return text
    end = _LONGEST // 2 - 1
    return f"{text[: _LONGEST - end - 1]}…{text[-end:]}"


def spread_apart(
    places: Mapping[str, float], distance: float, low: float, high: float
) -> dict[str, float]:
    """Places as near to the given ones as a `distance` between them allows, in the same order.

    >>> spread_apart({"a": 50, "b": 51, "c": 90}, 15, 0, 100)
    {'a': 43.0, 'b': 58.0, 'c': 90.0}
    """
    groups: list[tuple[list[str], float]] = []
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        names, middle = [name], float(min(max(place, low), high))
        # One that is too close to those before it joins them, and the group is centred anew.
        while groups:
            before, centre = groups[-1]
            if middle - centre >= distance * (len(before) + len(names)) / 2:
                break
            middle = (centre * len(before) + middle * len(names)) / (len(before) + len(names))
            names = [*before, *names]
            groups.pop()
        half = distance * (len(names) - 1) / 2
        groups.append((names, max(min(middle, high - half), low + half)))
    return {
        name: middle + distance * (i - (len(names) - 1) / 2)
        for names, middle in groups
        for i, name in enumerate(names)
    }


def widest(figure: "Figure", texts: Sequence[str]) -> float:
    """Inches that the widest of some names takes."""
    renderer = cast(Any, figure.canvas).get_renderer()
    found = 0.0
    for text in texts:
        label = figure.text(0, 0, text, fontsize=SMALL_TEXT)
        found = max(found, label.get_window_extent(renderer).width / figure.dpi)
        label.remove()
    return found


def draw_names(
    axes: "Axes",
    places: Mapping[str, float],
    numbers: Mapping[str, int],
    inches: tuple[float, float],
    chart: Chart,
) -> None:
    """The names of series at their heights right of the axes; `inches` are parts of their sides.

    Before each stands how it is drawn: a line with its mark, a dot, or a piece of a bar.
    """
    from matplotlib.patches import Rectangle

    inch, up = inches
    for name, y in places.items():
        style = line_style(numbers[name])
        beside: dict[str, Any] = {"transform": axes.transAxes, "clip_on": False}
        if isinstance(chart, DotChart) and chart.from_zero:
            corner = (1 + 0.12 * inch, y - 0.07 * up)
            bar = Rectangle(
                corner, 0.18 * inch, 0.14 * up, facecolor=style["color"], edgecolor=PAPER,
                hatch=hatch(numbers[name]), linewidth=0, **beside,
            )  # fmt: skip
            axes.add_artist(bar)
        elif isinstance(chart, DotChart):
            axes.plot([1 + 0.21 * inch], [y], markersize=2 * MARK, **style, **beside)
        else:
            ends = [1 + 0.1 * inch, 1 + 0.32 * inch]
            axes.plot(ends, [y, y], linewidth=1.8, **{**style, "marker": "none"}, **beside)
            axes.plot([1 + 0.21 * inch], [y], markersize=MARK, **style, **beside)
        axes.text(
            1 + 0.4 * inch, y, fitting(name), transform=axes.transAxes, va="center",
            color=style["color"], fontsize=SMALL_TEXT,
        )  # fmt: skip
