"""A line plot as SVG: a few series over a common axis, readable without a plotting package."""

import math
from collections.abc import Mapping, Sequence
from html import escape

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 640, 400, 70, 130, 40, 50
_COLOURS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000",
    "#7f3c8d", "#8c6d31", "#6b8e23", "#b22222", "#4682b4", "#708090",
)  # fmt: skip

Series = Mapping[str, Sequence[tuple[float, float]]]


def line_plot(
    title: str,
    x_label: str,
    y_label: str,
    series: Series,
    *,
    log_x: bool = False,
    log_y: bool = False,
) -> str:
    """The plot; points that are not finite, or not positive on a log axis, are left out.

    A log axis of x has its ticks at the values that the series have.

    >>> line_plot("t", "x", "y", {"one": [(0, 1), (1, 2)]}).count("<polyline")
    1
    """
    kept = {
        name: [
            (math.log10(x) if log_x else x, math.log10(y) if log_y else y)
            for x, y in points
            if _shown(x, log_x) and _shown(y, log_y)
        ]
        for name, points in series.items()
    }
    xs = [x for points in kept.values() for x, _ in points] or [0.0]
    ys = [y for points in kept.values() for _, y in points] or [0.0]
    x_ticks = sorted(set(xs)) if log_x and len(set(xs)) > 1 else _ticks(min(xs), max(xs))
    y_ticks = _ticks(min(ys), max(ys))
    x_low, x_high = min(x_ticks[0], min(xs)), max(x_ticks[-1], max(xs))
    y_low, y_high = min(y_ticks[0], min(ys)), max(y_ticks[-1], max(ys))

    def place_x(x: float) -> float:
        return _LEFT + (x - x_low) / (x_high - x_low) * (_WIDTH - _LEFT - _RIGHT)

    def place_y(y: float) -> float:
        return _HEIGHT - _BOTTOM - (y - y_low) / (y_high - y_low) * (_HEIGHT - _TOP - _BOTTOM)

    right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
        _text(_WIDTH / 2, 22, title, anchor="middle", size=14),
        _text((_LEFT + right) / 2, _HEIGHT - 12, x_label, anchor="middle"),
        f'<g transform="rotate(-90 16 {(_TOP + bottom) / 2:.1f})">'
        + _text(16, (_TOP + bottom) / 2, y_label, anchor="middle")
        + "</g>",
    ]
    for x in x_ticks:
        parts.append(_line(place_x(x), _TOP, place_x(x), bottom))
        label = f"{10**x:.3g}" if log_x else f"{x:g}"
        parts.append(_text(place_x(x), bottom + 16, label, anchor="middle"))
    for y in y_ticks:
        label = f"1e{y:g}" if log_y else f"{y:g}"
        parts.append(_line(_LEFT, place_y(y), right, place_y(y)))
        parts.append(_text(_LEFT - 6, place_y(y) + 4, label, anchor="end"))
    for number, (name, points) in enumerate(kept.items()):
        colour = _COLOURS[number % len(_COLOURS)]
        path = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [
            f'<circle cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="2.5" fill="{colour}"/>'
            for x, y in points
        ]
        parts.append(_text(right + 8, _TOP + 16 + 18 * number, name, colour=colour))
    return "\n".join([*parts, "</svg>", ""])


def _shown(value: float, log: bool) -> bool:
    return math.isfinite(value) and (value > 0 or not log)


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


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'
