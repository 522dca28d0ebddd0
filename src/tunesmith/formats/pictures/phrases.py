"""A derivation of phrases: those of both sides in their order, joined by links."""

from collections.abc import Sequence

from tunesmith.base.explanation import ExplainedStep
from tunesmith.formats.pictures.canvas import (
    COLOURS,
    GREY,
    HEIGHT,
    PAD,
    SMALL,
    box,
    curve,
    is_right_to_left,
    width,
    written,
)

_GAP, _BETWEEN = 10.0, 76.0
# What is shown for no words.
NOTHING = "∅"


def phrases_drawn(
    steps: Sequence[ExplainedStep], left: float, top: float
) -> tuple[list[str], float, float]:
    """The picture with its corner there, and how wide and high it is."""
    order = sorted(range(len(steps)), key=lambda number: steps[number].span)
    notes = [evidence(step) for step in steps]
    above = _row([steps[number].source or NOTHING for number in order], [""] * len(steps))
    below = _row([step.target or NOTHING for step in steps], notes)
    wide = max((x + w for x, w in (*above, *below)), default=0.0)
    places = dict(zip(order, _turned(above, wide, [one.source for one in steps]), strict=True))
    targets = _turned(below, wide, [one.target for one in steps])
    bottom = top + HEIGHT + _BETWEEN
    links, boxes = [], []
    for number, step in enumerate(steps):
        colours = COLOURS[number % len(COLOURS)]
        (x, w), (to_x, to_w) = places[number], targets[number]
        x, to_x = x + left, to_x + left
        links.append(curve(x + w / 2, top + HEIGHT, to_x + to_w / 2, bottom, colours[1]))
        for at, size, y, text in ((x, w, top, step.source), (to_x, to_w, bottom, step.target)):
            boxes.append(box(at, y, size, HEIGHT, colours, not step.in_table))
            boxes.append(written(text or NOTHING, at + size / 2, y + 22, anchor="middle"))
        if notes[number]:
            at, y = to_x + to_w / 2, bottom + HEIGHT + 16
            boxes.append(written(notes[number], at, y, anchor="middle", size=SMALL, colour=GREY))
    return [*links, *boxes], wide, bottom + HEIGHT + 22 - top


def evidence(step: ExplainedStep) -> str:
    """What training has seen of a rule, in few signs."""
    if not step.in_table:
        return "not in the table"
    return "" if step.probability is None else f"p = {step.probability:.2f}"


def _row(texts: Sequence[str], notes: Sequence[str]) -> list[tuple[float, float]]:
    """Left edge and width of each box, side by side."""
    places, x = [], 0.0
    for text, note in zip(texts, notes, strict=True):
        wide = max(width(text) + 2 * PAD, width(note, SMALL) + 4)
        places.append((x, wide))
        x += wide + _GAP
    return places


def _turned(
    places: Sequence[tuple[float, float]], wide: float, texts: Sequence[str]
) -> list[tuple[float, float]]:
    """The same from the right, where words are written so; a short row stands in the middle."""
    size = max((x + w for x, w in places), default=0.0)
    shift = (wide - size) / 2
    if is_right_to_left(" ".join(texts)):
        return [(shift + size - x - w, w) for x, w in places]
    return [(shift + x, w) for x, w in places]
