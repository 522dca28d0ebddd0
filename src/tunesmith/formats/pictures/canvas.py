"""What pictures are made of: boxes with words in them, lines, bars, and how wide words are."""

import re
import unicodedata
from html import escape

FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"
#: Pixels.
FONT_SIZE, SMALL, PAD, HEIGHT = 15.0, 11.5, 11.0, 34.0
# How much wider bold type is.
BOLD = 1.12
INK, GREY, LINE = "#1f2937", "#667085", "#d5dae3"
PLUS, MINUS = "#4c9f70", "#d1605e"
#: (fill, edge) of what belongs together; more than these begin again.
COLOURS = (
    ("#dbeafe", "#5b8def"), ("#fde8d3", "#e08e45"), ("#dcf2e0", "#57a773"), ("#f0e1f7", "#a46cc4"),
    ("#fdf3c7", "#c9a227"), ("#d9f0f2", "#3d9ca8"), ("#fbdfe4", "#d3677f"), ("#e6e8f4", "#7a84c0"),
)  # fmt: skip

# Parts of the size of the type. Readers have other typefaces: these are those of a wide one.
_NARROW, _USUAL, _BROAD, _WIDE = 0.36, 0.61, 0.96, 1.06
_NARROW_ONES = frozenset("iljftrI1.,:;'’!|()[]{}/\\-·` ")
_BROAD_ONES = frozenset("mwMW@%—…ÆŒæœ⟦⟧")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def width(text: str, size: float = FONT_SIZE) -> float:
    """How many pixels a text takes at most, as a guess."""
    return size * sum(map(_character, text))


def _character(one: str) -> float:
    if unicodedata.combining(one) or unicodedata.category(one) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(one) in "WF" or ord(one) > 0xFFFF:
        return _WIDE
    if one in _NARROW_ONES:
        return _NARROW
    if one in _BROAD_ONES:
        return _BROAD
    return 0.74 if one.isupper() or unicodedata.category(one) in ("Sm", "So") else _USUAL


def is_right_to_left(text: str) -> bool:
    """Whether most letters of a text are of scripts that are written so.

    >>> is_right_to_left("שלום abc"), is_right_to_left("abc")
    (True, False)
    """
    kinds = [unicodedata.bidirectional(one) for one in text]
    return sum(one in ("R", "AL") for one in kinds) > sum(one == "L" for one in kinds)


def written(
    text: str,
    x: float,
    y: float,
    *,
    anchor: str = "start",
    size: float = FONT_SIZE,
    colour: str = INK,
    weight: str = "",
) -> str:
    """A text; `y` is where it stands on."""
    clean = escape(_NOT_XML.sub("\ufffd", text))
    more = f' text-anchor="{anchor}"' if anchor != "start" else ""
    more += f' font-size="{size:g}"' if size != FONT_SIZE else ""
    more += f' fill="{colour}"' if colour != INK else ""
    more += f' font-weight="{weight}"' if weight else ""
    # A neutral sign at its end would jump to the other side.
    if is_right_to_left(text):
        more += ' direction="rtl" unicode-bidi="plaintext"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{clean}</text>'


def box(
    left: float,
    top: float,
    wide: float,
    high: float,
    colours: tuple[str, str],
    dashed: bool = False,
) -> str:
    """A box with round corners; dashed for what no table has."""
    fill, edge = colours
    more = ' stroke-dasharray="5 3"' if dashed else ""
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="7" '
        f'fill="{fill}" stroke="{edge}"{more}/>'
    )


def bar(left: float, top: float, wide: float, high: float, colour: str) -> str:
    """A bar."""
    return (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}" height="{high:.1f}" rx="2" '
        f'fill="{colour}"/>'
    )


def curve(x: float, y: float, to_x: float, to_y: float, colour: str) -> str:
    """A line from above to below that leaves and comes in upright."""
    middle = (y + to_y) / 2
    return (
        f'<path d="M{x:.1f} {y:.1f} C{x:.1f} {middle:.1f} {to_x:.1f} {middle:.1f} '
        f'{to_x:.1f} {to_y:.1f}" fill="none" stroke="{colour}" stroke-width="2"/>'
    )


def page(body: list[str], wide: float, high: float, title: str) -> str:
    """The whole picture, on white, so that it can be read on any ground."""
    clean = escape(_NOT_XML.sub("\ufffd", title))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:.0f}" height="{high:.0f}" '
            f'viewBox="0 0 {wide:.0f} {high:.0f}" role="img" font-family="{escape(FONT)}" '
            f'font-size="{FONT_SIZE:g}" fill="{INK}">',
            f"<title>{clean}</title>",
            f'<rect width="{wide:.0f}" height="{high:.0f}" rx="10" fill="#ffffff"/>',
            *body,
            "</svg>",
            "",
        ]
    )
