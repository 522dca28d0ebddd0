"""A drawn chart as a part of a page: its colours are the page's, its ids its own."""

import re

from tunesmith.evaluate.charts import Chart, svg
from tunesmith.evaluate.charts.palette import COLOURS, GRID, INK, MUTED, PAPER
from tunesmith.evaluate.report.html import Html, text

#: Colours of a picture → what the page calls them.
VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    PAPER: "--paper",
    **{colour: f"--series-{number}" for number, colour in enumerate(COLOURS)},
}


def inline_picture(chart: Chart, prefix: str) -> Html:
    """The SVG element of a chart; `prefix` is before its ids, as a page has many pictures."""
    picture = svg(chart)
    picture = picture[picture.index("<svg") :]
    picture = re.sub(r"<metadata>.*?</metadata>\s*", "", picture, flags=re.DOTALL)
    picture = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>\s*", "", picture, flags=re.DOTALL)
    picture = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{prefix}-", picture)
    for colour, variable in VARIABLES.items():
        picture = picture.replace(colour, f"var({variable})")
    # The page says how wide it is; what it shows is said to those who do not see it.
    head, rest = picture.split(">", 1)
    head = re.sub(r' (width|height)="[^"]*"', "", head)
    label = text(f"{chart.title}: the numbers are in the table below")
    return Html(f'{head} role="img" aria-label="{label}">{rest}'.strip())
