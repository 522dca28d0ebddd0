"""The page of a tuner tells the defaults that the tuner has."""

import re
from pathlib import Path

import pytest

from tunesmith.base.parameters import parameters_of
from tunesmith.tune import GRAPH_TUNERS, TUNERS, make_tuner, tuner_class

PAGES = Path(__file__).parents[2] / "docs" / "tuners"
ROW = re.compile(r"^\| (`[a-zA-Z0-9_-]+`(?:, `[a-z_]+`)*) \| ([^|]*) \|", re.MULTILINE)


def shown(value):
    """A default as a page writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,.10g}" if isinstance(value, int | float) else str(value or "")


@pytest.mark.parametrize("name", [*TUNERS, *GRAPH_TUNERS])
def test_defaults(name):
    page = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    knobs = page.partition("## Knobs")[2].partition("\n## ")[0]
    told = {
        key.strip("`").replace("tuner-", ""): cell.strip()
        for keys, cell in ROW.findall(knobs)
        for key in keys.split(", ")
    }
    plain, looped = make_tuner(name), make_tuner(name, in_loop=True)
    for item in parameters_of(tuner_class(name)):
        value, other = getattr(plain, item.name), getattr(looped, item.name)
        if item.name not in told:
            continue
        expected = shown(value) if value == other else f"{shown(value)}; in a loop {shown(other)}"
        found = re.sub(r"(\.\d*?)0+\b", r"\1", told[item.name]).replace(". ", " ").rstrip(".")
        assert found == expected, item.name
    assert told.keys() <= {item.name for item in parameters_of(tuner_class(name))}
    assert told or name == "random"
