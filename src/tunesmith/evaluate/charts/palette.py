"""Colours, marks and sizes of pictures."""

from typing import Any

#: Colours by their use; a page may put its own in their place.
INK, MUTED, GRID, PAPER = "#1d2026", "#565c66", "#dfe2e7", "#ffffff"
#: Of series, each dark enough for text on white.
COLOURS = ("#0067a8", "#b84300", "#007a59", "#9b3f78", "#7a5c00", "#00717f", "#4a4f57")
# The second and third time through the colours, lines are broken, bars hatched, marks others.
_DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.5)))
_HATCHES = (None, "///", "...")
_MARKS = ("o", "s", "^", "D", "v", "P", "X")

#: Sizes of text, in points, and of the marks of lines.
TEXT, SMALL_TEXT, TITLE, MARK = 10.0, 9.0, 11.5, 3.6


def line_style(number: int) -> dict[str, Any]:
    """How the series of a number is drawn; no two of the first 21 are alike."""
    turn = number // len(COLOURS)
    return {
        "color": COLOURS[number % len(COLOURS)],
        "linestyle": _DASHES[turn % len(_DASHES)],
        "marker": _MARKS[(number + turn) % len(_MARKS)],
    }


def hatch(number: int) -> str | None:
    """What tells a bar from that of the same colour."""
    return _HATCHES[number // len(COLOURS) % len(_HATCHES)]
