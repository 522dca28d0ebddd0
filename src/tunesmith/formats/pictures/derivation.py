"""`derivation_svg`: how translations came about, and why the first is before the second."""

from collections.abc import Sequence

from tunesmith.base.explanation import Explanation, differences
from tunesmith.formats.pictures.canvas import (
    BOLD,
    FONT_SIZE,
    GREY,
    LINE,
    MINUS,
    PLUS,
    SMALL,
    bar,
    is_right_to_left,
    page,
    width,
    written,
)
from tunesmith.formats.pictures.phrases import phrases_drawn
from tunesmith.formats.pictures.tree import tree_drawn

_MARGIN, _ROW, _BARS, _NUMBERS, _LEAST = 22.0, 21.0, 250.0, 64.0, 620.0
# Features that are shown; what all others add is one more bar.
_FEATURES = 8


def derivation_svg(
    explanations: Sequence[tuple[Explanation, Explanation | None]], *, features: int = _FEATURES
) -> str:
    """One picture of all sentences, one under the other.

    Each is what became of it and, where there is one, another translation that it is compared with.
    """
    body: list[str] = []
    wide, y = _LEAST, _MARGIN
    for number, (explanation, other) in enumerate(explanations):
        if number:
            body.append(f'<path d="M{_MARGIN} {y:.1f} h{_LEAST - 2 * _MARGIN}" stroke="{LINE}"/>')
            y += _MARGIN
        parts, across, down = _sentence(explanation, other, y, features)
        body += parts
        wide, y = max(wide, across), y + down + _MARGIN
    title = " / ".join(one.translation for one, _ in explanations)
    return page(body, wide, y, f"How this translation came about: {title}")


def _sentence(
    explanation: Explanation, other: Explanation | None, top: float, features: int
) -> tuple[list[str], float, float]:
    draw = tree_drawn if any(step.children for step in explanation.steps) else phrases_drawn
    body, wide, high = draw(explanation.steps, _MARGIN, top)
    y = top + high + 26
    heading = written(explanation.translation, _MARGIN, y + 4, weight="600")
    if is_right_to_left(explanation.translation):
        wide = max(wide, width(explanation.translation, FONT_SIZE * BOLD))
        heading = written(explanation.translation, _MARGIN + wide, y + 4, weight="600")
    body.append(heading)
    wide = max(wide, width(explanation.translation, FONT_SIZE * BOLD))
    y += 24
    if other is None:
        values = [(one.name, one.adds) for one in explanation.features]
        note = f"score {_signed(explanation.score)} = sum of weight × feature"
    else:
        found = differences(explanation, other)
        values = [(one.name, one.difference) for one in found]
        note = (
            f"score {_signed(explanation.score)}: "
            f"{abs(explanation.score - other.score):.2f} before this one, by these features"
        )
    body.append(written(note, _MARGIN, y, size=SMALL, colour=GREY))
    wide = max(wide, width(note, SMALL))
    y += 14
    if other is not None:
        body.append(written(other.translation, _MARGIN, y + 8, colour=GREY))
        wide = max(wide, width(other.translation))
        y += 22
    bars, across, down = _bars(values, y, features)
    return [*body, *bars], max(wide, across) + 2 * _MARGIN, y + down - top


def _bars(
    values: Sequence[tuple[str, float]], top: float, features: int
) -> tuple[list[str], float, float]:
    """What features add: those that add most, and the rest as one."""
    order = sorted(values, key=lambda one: (-abs(one[1]), one[0]))
    rows = [one for one in order[:features] if one[1]]
    rest = [one for one in order[features:] if one[1]]
    if rest:
        rows.append((f"{len(rest)} others", sum(value for _, value in rest)))
    if not rows:
        return [], 0.0, 0.0
    names = max(width(name, FONT_SIZE - 1) for name, _ in rows) + 14
    largest = max(abs(value) for _, value in rows) or 1.0
    left = _MARGIN + names
    reach = [max((sign * value for _, value in rows), default=0.0) for sign in (-1, 1)]
    negative, positive = (max(one, 0.0) for one in reach)
    scale = _BARS / (negative + positive or largest)
    zero = left + negative * scale
    end = left + _BARS + _NUMBERS
    parts = [f'<path d="M{zero:.1f} {top:.1f} v{_ROW * len(rows):.1f}" stroke="{LINE}"/>']
    for number, (name, value) in enumerate(rows):
        y = top + number * _ROW
        size = abs(value) * scale
        parts.append(written(name, _MARGIN, y + 15, size=FONT_SIZE - 1))
        parts.append(
            bar(zero - size if value < 0 else zero, y + 4, max(size, 0.5), 13,
                MINUS if value < 0 else PLUS)
        )  # fmt: skip
        parts.append(written(_signed(value), end, y + 15, anchor="end", size=FONT_SIZE - 1))
    return parts, names + _BARS + _NUMBERS, _ROW * len(rows) + 4


def _signed(value: float) -> str:
    return f"{value:+.2f}".replace("-", "\N{MINUS SIGN}")
