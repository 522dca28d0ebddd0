"""Which tags of a line belong together."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tunesmith.corpus.marks import matched
from tunesmith.corpus.protected import TAG, Unit

# Elements of HTML that have no end.
_VOID = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
     "track", "wbr")
)  # fmt: skip
#: Tags that end a line or part cells: what stands beside them is not one word.
BREAKS = re.compile(r"</?(?:br|hr|img|input|p|div|li|ul|ol|td|th|tr|h[1-6])\b", re.IGNORECASE)
_TAG = re.compile(r"<(/?)(\w[\w:.-]*)(.*?)(/?)>", re.DOTALL)
# Changes of font in manual pages, and those back to the usual one.
_FONT = re.compile(r"\\f(?:\[(?=.*\])|\(?)([A-Z0-9]*)\]?")
_ROMAN = frozenset(("", "R", "P", "1"))

# Pairs one inside the other; what is nested deeper keeps its place, tag by tag.
MAX_DEPTH = 50


@dataclass
class Element:
    """A pair of tags, by their places among the units of a line; of a lone tag both are one."""

    opening: int
    closing: int
    children: "list[Element]" = field(default_factory=list)

    @property
    def is_lone(self) -> bool:
        """A tag without a partner."""
        return self.opening == self.closing


def elements(texts: Sequence[str], units: Sequence[Unit]) -> list[Element]:
    """The tags of a line as a forest; what does not pair up properly is a lone tag.

    >>> line = ["<b>", "<br>", "{x}", "</b>", "</i>"]
    >>> kinds = [Unit(0, 0, "placeholder" if text == "{x}" else "tag") for text in line]
    >>> [(one.opening, one.closing, len(one.children)) for one in elements(line, kinds)]
    [(0, 3, 1), (4, 4, 0)]
    """
    pairs = zip(texts, units, strict=True)
    marks = ((n, *_mark(text)) for n, (text, unit) in enumerate(pairs) if unit.kind == TAG)
    partners = dict(matched(marks))
    roots: list[Element] = []
    open_: list[Element] = []
    for number, unit in enumerate(units):
        if unit.kind != TAG:
            continue
        if open_ and open_[-1].closing == number:
            open_.pop()
            continue
        partner = number if len(open_) == MAX_DEPTH else partners.get(number, number)
        element = Element(number, partner)
        (open_[-1].children if open_ else roots).append(element)
        if not element.is_lone:
            open_.append(element)
    return roots


def all_elements(forest: Sequence[Element]) -> Iterator[Element]:
    """The elements of a forest, each before those in it."""
    for element in forest:
        yield element
        yield from all_elements(element.children)


def _mark(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the name of a tag as a closing one, and the names of what closes it."""
    if text.startswith("&"):  # one of HTML inside of XML
        text = text.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">")
    name, closes = "", False
    if found := _TAG.fullmatch(text):
        slash, name, _, ends = found.groups()
        name, closes = "" if ends or name.lower() in _VOID else name.lower(), bool(slash)
    elif text == "[" or text.startswith(("](", "][")):  # a link of Markdown
        name, closes = "[", text != "["
    elif font := _FONT.fullmatch(text):
        name, closes = "\\f", font[1] in _ROMAN
    elif len(text) < 4 and text.endswith(("<", ">")):  # of POD: B<>, B<< >>
        name, closes = "<>", text.endswith(">")
    elif set(text) <= set("*_~"):
        return text, (text,)
    return (name, ()) if closes or not name else ("", (name,))
