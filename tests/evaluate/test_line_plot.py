"""Plots against pictures kept in `golden`, and what must hold of every plot."""

import math
import re
import xml.dom.minidom
from pathlib import Path

import pytest

from tunesmith.evaluate.line_plot import line_plot

GOLDEN = Path(__file__).parent / "golden"
# To renew the pictures, write what these give into the folder and look at them.
PLOTS = {
    "plain.svg": lambda: line_plot(
        "Curves & <more>",
        "decoding",
        "BLEU",
        {
            "one": [(1, 30.0), (2, 41.5), (3, 41.7)],
            "two": [(1, 29.0, 0.5), (2, 41.4, 0.0), (3, math.nan), (4, 41.6, 0.25)],
            "three": [(1, 12.0), (4, 38.0)],
            "empty": [],
        },
        y_from=25.0,
    ),
    "logarithmic.svg": lambda: line_plot(
        "Sizes",
        "sentences",
        "derivations",
        {
            **{f"s{i}": [(100, 10.0**i), (1000, 2.0 * 10**i, 10.0**i)] for i in range(9)},
            "odd": [(0, 5.0), (400, -3.0), (400, 50.0, 60.0)],
        },
        log_x=True,
        log_y=True,
    ),
    "point.svg": lambda: line_plot("One", "x", "y", {"a": [(3, 7)]}),
    "nothing.svg": lambda: line_plot("None", "x", "y", {}),
}


@pytest.mark.parametrize("name", PLOTS)
def test_as_it_was(name):
    assert PLOTS[name]() == (GOLDEN / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PLOTS)
def test_well_formed_and_within_the_frame(name):
    picture = xml.dom.minidom.parseString(PLOTS[name]())
    for label in picture.getElementsByTagName("text"):
        assert 0 <= float(label.getAttribute("x")) <= 640
        assert 0 <= float(label.getAttribute("y")) <= 400
    for circle in picture.getElementsByTagName("circle"):
        assert 64 <= float(circle.getAttribute("cx")) <= 490


def test_higher_is_further_up_and_later_further_right():
    plot = line_plot("t", "x", "y", {"a": [(0, 1), (1, 2), (2, 5)]})
    places = [(float(x), float(y)) for x, y in re.findall(r'cx="([\d.]+)" cy="([\d.]+)"', plot)]
    xs, ys = zip(*places, strict=True)
    assert list(xs) == sorted(xs)
    assert list(ys) == sorted(ys, reverse=True)
    assert xs[2] - xs[1] == pytest.approx(xs[1] - xs[0], abs=0.11)
    assert ys[1] - ys[2] == pytest.approx(3 * (ys[0] - ys[1]), abs=0.31)
