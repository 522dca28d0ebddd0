"""A derivation of rules with gaps: a tree of boxes, each with both sides of its rule."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tunesmith.base.explanation import ExplainedStep
from tunesmith.formats.pictures.canvas import (
    BOLD,
    COLOURS,
    FONT_SIZE,
    GREY,
    LINE,
    PAD,
    SMALL,
    box,
    curve,
    width,
    written,
)
from tunesmith.formats.pictures.phrases import NOTHING, evidence

_HEIGHT, _BETWEEN, _GAP = 54.0, 46.0, 14.0


@dataclass
class _Node:
    step: ExplainedStep
    children: "list[_Node]" = field(default_factory=list)
    wide: float = 0.0
    """Of its box …"""
    span: float = 0.0
    """… and of all that is under it."""

    @classmethod
    def of(cls, step: ExplainedStep) -> "_Node":
        node = cls(step, [cls.of(child) for child in step.children])
        node.wide = 2 * PAD + max(
            width(step.source or NOTHING),
            width(step.target or NOTHING, FONT_SIZE * BOLD),
            width(evidence(step), SMALL),
        )
        node.span = max(node.wide, _row(node.children))
        return node


def _row(nodes: Sequence[_Node]) -> float:
    return sum(node.span for node in nodes) + _GAP * max(len(nodes) - 1, 0)


def tree_drawn(
    steps: Sequence[ExplainedStep], left: float, top: float
) -> tuple[list[str], float, float]:
    """The picture with its corner there, and how wide and high it is.

    What glue joins stands side by side.
    """
    nodes = [_Node.of(step) for step in steps]
    lines: list[str] = []
    boxes: list[str] = []
    lowest = top
    waiting = _placed(nodes, left, top)
    count = 0
    while waiting:
        node, x, y = waiting.pop(0)
        colours = COLOURS[count % len(COLOURS)]
        count += 1
        middle = x + node.span / 2
        boxes += _box(node, middle, y, colours)
        lowest = max(lowest, y + _HEIGHT)
        under = x + (node.span - _row(node.children)) / 2
        below = _placed(node.children, under, y + _HEIGHT + _BETWEEN)
        for number, (child, at, child_y) in enumerate(below, 1):
            to_x = at + child.span / 2
            lines.append(curve(middle, y + _HEIGHT, to_x, child_y, colours[1]))
            if len(below) > 1:
                sign = f"[{number}]"
                boxes.append(_label(sign, to_x, child_y - 12))
        waiting += below
    joined = [] if len(nodes) < 2 else _glue(nodes, left, top)
    return [*joined, *lines, *boxes], _row(nodes), lowest - top + 6


def _placed(nodes: Sequence[_Node], left: float, top: float) -> list[tuple[_Node, float, float]]:
    placed, x = [], left
    for node in nodes:
        placed.append((node, x, top))
        x += node.span + _GAP
    return placed


def _box(node: _Node, middle: float, y: float, colours: tuple[str, str]) -> list[str]:
    """Both sides of a rule, the source above."""
    step = node.step
    left = middle - node.wide / 2
    return [
        box(left, y, node.wide, _HEIGHT, colours, not step.in_table),
        written(step.source or NOTHING, middle, y + 21, anchor="middle"),
        f'<path d="M{left + 8:.1f} {y + 28:.1f} h{node.wide - 16:.1f}" stroke="{colours[1]}" '
        'stroke-opacity="0.45"/>',
        written(step.target or NOTHING, middle, y + 45, anchor="middle", weight="600"),
    ]


def _label(text: str, x: float, y: float) -> str:
    """A small sign on white beside a line."""
    wide = width(text, SMALL) + 6
    return "\n".join(
        [
            f'<rect x="{x - wide / 2:.1f}" y="{y - 11:.1f}" width="{wide:.1f}" height="15" rx="4" '
            'fill="#ffffff"/>',
            written(text, x, y, anchor="middle", size=SMALL, colour=GREY),
        ]
    )


def _glue(nodes: Sequence[_Node], left: float, top: float) -> list[str]:
    """A line along the boxes that are joined by nothing but their order."""
    first = left + nodes[0].span / 2
    last = left + _row(nodes) - nodes[-1].span / 2
    y = top + _HEIGHT / 2
    return [
        f'<path d="M{first:.1f} {y:.1f} H{last:.1f}" stroke="{LINE}" stroke-width="3" '
        'stroke-dasharray="2 5" stroke-linecap="round"/>'
    ]
