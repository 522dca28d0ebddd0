"""A line plot as SVG: a few series over a common axis, readable without a plotting package."""

import math
from collections.abc import Mapping, Sequence
from html import escape

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 400, 64, 150, 40, 50
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#444444")
# The second and third time through the colours, lines are broken.
_DASHES = ("", "6 3", "2 2")
_LABEL_HEIGHT = 15

#: Points (x, y), or (x, y, deviation of y) to be shown with a bar.
Series = Mapping[str, Sequence[tuple[float, ...]]]


def line_plot(
    title: str,
    x_label: str,
    y_label: str,
    series: Series,
    *,
    log_x: bool = False,
    log_y: bool = False,
    y_from: float | None = None,
) -> str:
    """The plot; points that are not finite, or not positive on a log axis, are left out.

    A log axis of x has its ticks at the values that the series have. What lies below `y_from` is
    cut off. The names stand at the ends of their lines, in the same order.

    >>> line_plot("t", "x", "y", {"one": [(0, 1), (1, 2)]}).count("<polyline")
    1
    """
    kept = {
        name: [
            (
                math.log10(x) if log_x else x,
                *(math.log10(y) if log_y else y for y in (y, *_ends(y, more, log_y))),
            )
            for x, y, *more in points
            if _shown(x, log_x) and _shown(y, log_y)
        ]
        for name, points in series.items()
    }
    xs = [point[0] for points in kept.values() for point in points] or [0.0]
    ys = [y for points in kept.values() for point in points for y in point[1:]] or [0.0]
    if y_from is not None:
        ys = [max(y, y_from) for y in ys]
    x_low, x_high = min(xs), max(xs)
    if x_low == x_high:
        x_low, x_high = x_low - 0.5, x_high + 0.5
    margin = 0.02 * (x_high - x_low)
    x_low, x_high = x_low - margin, x_high + margin
    if log_x:
        x_ticks = sorted(set(xs))
    else:
        x_ticks = [x for x in _ticks(min(xs), max(xs)) if x_low <= x <= x_high]
    y_ticks = _ticks(min(ys), max(ys))
    y_low, y_high = y_ticks[0], y_ticks[-1]

    def place_x(x: float) -> float:
        return _LEFT + (x - x_low) / (x_high - x_low) * (_WIDTH - _LEFT - _RIGHT)

    def place_y(y: float) -> float:
        return _HEIGHT - _BOTTOM - (y - y_low) / (y_high - y_low) * (_HEIGHT - _TOP - _BOTTOM)

    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<clipPath id="frame"><rect x="{_LEFT}" y="{_TOP - 4}" width="{right - _LEFT + 4}" '
        f'height="{bottom - _TOP + 4}"/></clipPath>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text((_LEFT + right) / 2, 22, title, anchor="middle", size=14),
        _text((_LEFT + right) / 2, _HEIGHT - 12, x_label, anchor="middle"),
        f'<g transform="rotate(-90 16 {(_TOP + bottom) / 2:.1f})">'
        + _text(16, (_TOP + bottom) / 2, y_label, anchor="middle")
        + "</g>",
    ]
    for x in x_ticks:
        parts.append(_line(place_x(x), _TOP, place_x(x), bottom))
        label = f"{10**x:.6g}" if log_x else f"{x:g}"
        parts.append(_text(place_x(x), bottom + 16, label, anchor="middle"))
    for y in y_ticks:
        label = f"1e{y:g}" if log_y else f"{y:g}"
        parts.append(_line(_LEFT, place_y(y), right, place_y(y)))
        parts.append(_text(_LEFT - 6, place_y(y) + 4, label, anchor="end"))
    styles = {name: _style(number) for number, name in enumerate(kept)}
    parts.append('<g clip-path="url(#frame)">')
    for name, points in kept.items():
        colour, dash = styles[name]
        path = " ".join(f"{place_x(point[0]):.1f},{place_y(point[1]):.1f}" for point in points)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>'
        )
        for x, y, *ends in points:
            if ends:
                low, high = (place_y(end) for end in ends)
                parts.append(_line(place_x(x), low, place_x(x), high, colour))
            parts.append(
                f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="2.5" fill="{colour}"/>'
            )
    parts.append("</g>")
    ends_of = {name: place_y(points[-1][1]) for name, points in kept.items() if points}
    for name, y in _spread(ends_of, _TOP + 8, bottom).items():
        colour, dash = styles[name]
        parts.append(_line(right + 6, y - 4, right + 24, y - 4, colour, f' stroke-width="2"{dash}'))
        parts.append(_text(right + 28, y, name, colour=colour))
    return "\n".join([*parts, "</svg>", ""])


def _ends(y: float, more: Sequence[float], log: bool) -> list[float]:
    """Where the bar of a deviation ends; none where there is no deviation."""
    if not more or not more[0] or (log and y <= more[0]):
        return []
    return [y - more[0], y + more[0]]


def _shown(value: float, log: bool) -> bool:
    return math.isfinite(value) and (value > 0 or not log)


def _style(number: int) -> tuple[str, str]:
    """Colour and dashes of a line."""
    dash = _DASHES[number // len(_COLOURS) % len(_DASHES)]
    shown = f' stroke-dasharray="{dash}"' if dash else ""
    return _COLOURS[number % len(_COLOURS)], shown


def _spread(places: Mapping[str, float], top: float, bottom: float) -> dict[str, float]:
    """Places as near to the given ones as their labels allow, in the same order.

    >>> _spread({"a": 50, "b": 51, "c": 90}, 0, 100)
    {'a': 43.0, 'b': 58.0, 'c': 90.0}
    """
    groups: list[tuple[list[str], float]] = []
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        names, middle = [name], min(max(place, top), bottom)
        # A label too close to those above it joins them, and the group is centred anew.
        while groups:
            above, centre = groups[-1]
            if middle - centre >= _LABEL_HEIGHT * (len(above) + len(names)) / 2:
                break
            middle = (centre * len(above) + middle * len(names)) / (len(above) + len(names))
            names = [*above, *names]
            groups.pop()
        half = _LABEL_HEIGHT * (len(names) - 1) / 2
        groups.append((names, max(min(middle, bottom - half), top + half)))
    return {
        name: float(round(middle + _LABEL_HEIGHT * (i - (len(names) - 1) / 2)))
        for names, middle in groups
        for i, name in enumerate(names)
    }


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from below `low` to above `high`.

    >>> _ticks(3, 41)
    [0.0, 10.0, 20.0, 30.0, 40.0, 50.0]
    """
    spread = (high - low) or max(abs(high), 1.0)
    power = 10.0 ** math.floor(math.log10(spread / 4))
    step = next(power * m for m in (1, 2, 5, 10) if spread / (power * m) <= 6)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(step * i, 10) for i in range(first, max(last, first + 1) + 1)]


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", size: int = 12, colour: str = "#222"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" '
        f'fill="{colour}">{escape(text)}</text>'
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str = "#ddd", style: str = "") -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"{style}/>'
    )
