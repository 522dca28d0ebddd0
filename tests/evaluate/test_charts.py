"""Pictures: what is drawn of the data, what is left out, and that equal data give equal bytes."""

import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from tunesmith.base.errors import InputError, OptionError
from tunesmith.evaluate.charts import (
    DotChart,
    IntervalChart,
    LineChart,
    Point,
    check_picture,
    draw,
    learning_chart,
    over_runs,
    png,
    run_curve,
    save,
    svg,
)
from tunesmith.evaluate.charts.palette import line_style

CURVES = LineChart(
    "Curves & <more>",
    "decoding",
    "BLEU",
    {
        "one": [Point(1, 30.0), Point(2, 41.5), Point(3, 41.7)],
        "two $x^": [Point(1, 29.0, 28.5, 29.5), Point(2, 41.4), Point(3, math.nan), Point(4, 41.6)],
        "three": [Point(1, 12.0), Point(4, 38.0)],
        "_empty": [],
    },
    whole_x=True,
)
CHARTS = {
    "curves": CURVES,
    "logarithmic": LineChart(
        "Sizes",
        "sentences",
        "derivations",
        {
            **{f"s{i}": [Point(100, 10.0**i), Point(1000, 2.0 * 10**i)] for i in range(9)},
            "odd": [Point(0, 5.0), Point(400, -3.0), Point(400, 50.0, -10.0, 110.0)],
        },
        log_x=True,
        log_y=True,
    ),
    "point": LineChart("One", "x", "y", {"a": [Point(3, 7, 6, 8)]}, whole_x=True),
    "nothing": LineChart("None", "x", "y", {}),
    "control": LineChart("a\x00b\x1b", "x\x01", "y", {"n\x02\n": [Point(0, 1)]}),
    "dots": DotChart(
        "By length", "words", "BLEU", ["1–5\n20", "6–10\n2"],
        {"a": [Point(0, 30, 28, 31), Point(1, 20)], "b": [Point(1, 25, 24, 26)]},
    ),
    "bars": DotChart("n", "order", "%", ["1"], {"a": [Point(0, 50)]}, from_zero=True),
    "intervals": IntervalChart("Differences", "BLEU", {"a over b": Point(0, 0.5, 0.1, 0.9)}),
    "no intervals": IntervalChart("Differences", "BLEU", {}),
    "日本語": LineChart("日本語", "文", "点", {"系統": [Point(1, 1), Point(2, 2)]}),
}  # fmt: skip


def series(chart, panel=0):
    """What is drawn of each series, by its number."""
    axes = draw(chart).axes[panel]
    lines = [line for line in axes.get_lines() if (line.get_gid() or "").startswith("series-")]
    return [list(zip(line.get_xdata(), line.get_ydata(), strict=True)) for line in lines]


@pytest.mark.parametrize("name", CHARTS)
def test_well_formed_and_the_same_every_time(name, tmp_path):
    picture = svg(CHARTS[name])
    root = ET.fromstring(picture)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert picture == svg(CHARTS[name])
    assert png(CHARTS[name]) == png(CHARTS[name])
    # A date would be another one in a second.
    assert not re.search(r"\d{4}-\d\d-\d\dT", picture)
    save(CHARTS[name], tmp_path / "a.SVG")
    assert (tmp_path / "a.SVG").read_text(encoding="utf-8") == picture


def test_texts_are_texts():
    texts = [
        one.text for one in ET.fromstring(svg(CURVES)).iter("{http://www.w3.org/2000/svg}text")
    ]
    for wanted in ("Curves & <more>", "decoding", "BLEU", "one", "two $x^", "three"):
        assert wanted in texts
    assert "_empty" not in texts  # it has no line


def test_all_points_that_have_a_place_are_drawn():
    assert series(CURVES) == [
        [(1, 30.0), (2, 41.5), (3, 41.7)],
        [(1, 29.0), (2, 41.4), (4, 41.6)],
        [(1, 12.0), (4, 38.0)],
        [],
    ]
    odd = series(CHARTS["logarithmic"])[-1]
    assert odd == [(400, 50.0)]
    low, high = draw(CURVES).axes[0].get_ylim()
    assert low < 12
    assert high > 41.7


def test_ticks_of_iterations_are_whole():
    axes = draw(CURVES).axes[0]
    assert all(tick == int(tick) for tick in axes.get_xticks())
    low, high = axes.get_xlim()
    assert [tick for tick in axes.get_xticks() if low <= tick <= high] == [1, 2, 3, 4]


def test_ticks_of_a_logarithmic_axis_are_the_values():
    assert list(draw(CHARTS["logarithmic"]).axes[0].get_xticks()) == [100, 400, 1000]


def test_spread_is_a_band_that_closes_where_there_is_none():
    bands = draw(CURVES).axes[0].collections
    assert len(bands) == 1
    (corners,) = [path.vertices.tolist() for path in bands[0].get_paths()]
    assert [1, 28.5] in corners
    assert [1, 29.5] in corners
    assert [4, 41.6] in corners


def test_the_spread_of_a_single_point_is_a_bar():
    (bar,) = draw(CHARTS["point"]).axes[0].collections
    assert [path.vertices.tolist() for path in bar.get_paths()] == [[[3, 6], [3, 8]]]


def test_curves_of_runs():
    assert run_curve([[1, 2, 3], [3, 4]]) == [
        over_runs(1, [1, 3]), over_runs(2, [2, 4]), over_runs(3, [3, 4]),
    ]  # fmt: skip
    point = over_runs(1, [1, 3])
    assert (point.y, point.high - point.y) == (2, pytest.approx(math.sqrt(2)))
    assert over_runs(1, [5]) == Point(1, 5)
    assert math.isnan(over_runs(1, []).y)
    assert run_curve([]) == run_curve([[]]) == []


def test_what_the_first_iterations_flatten_is_drawn_again():
    flat = learning_chart("t", "x", "y", {"a": [Point(i, y) for i, y in enumerate(
        [10, 30, 41, 41.2, 41.3, 41.4], 1)]})  # fmt: skip
    assert flat.detail_from == 4
    assert [len(draw(flat).axes)] == [2]
    assert series(flat, 0) == [[(1, 10), (2, 30), (3, 41), (4, 41.2), (5, 41.3), (6, 41.4)]]
    assert series(flat, 1) == [[(4, 41.2), (5, 41.3), (6, 41.4)]]
    steep = learning_chart("t", "x", "y", {"a": [Point(i, 10 * i) for i in range(1, 7)]})
    assert steep.detail_from is None
    # Without a fourth iteration, or if nothing moves after it, there is nothing to see.
    for ys in ([1, 2], [1, 2, 3, 4, 4, 4], []):
        points = [Point(i, y) for i, y in enumerate(ys, 1)]
        assert learning_chart("t", "x", "y", {"a": points}).detail_from is None


def test_names_stand_at_the_ends_of_their_lines():
    axes = draw(LineChart("t", "x", "y", {
        "low": [Point(0, 0), Point(1, 1)], "high": [Point(0, 0), Point(1, 100)],
        "as low": [Point(0, 3), Point(1, 1)],
    })).axes[0]  # fmt: skip
    places = {text.get_text(): text.get_position()[1] for text in axes.texts}
    assert places["high"] > 0.9
    assert places["low"] < 0.2
    assert places["as low"] < 0.2
    assert abs(places["low"] - places["as low"]) > 0.03  # not on one another


def test_many_series_are_told_apart_without_their_colours():
    styles = [line_style(number) for number in range(21)]
    assert len({tuple(map(str, style.values())) for style in styles}) == 21
    assert len({(style["marker"], str(style["linestyle"])) for style in styles}) == 21


@pytest.mark.parametrize("kind", ["lines", "bars"])
def test_a_picture_grows_with_the_names_beside_it(kind):
    series = {f"s{i}": [Point(0, i / 9), Point(1, i / 9)] for i in range(40)}
    if kind == "lines":
        figure = draw(LineChart("t", "x", "y", series))
    else:
        figure = draw(DotChart("t", "x", "y", ["a", "b"], series, from_zero=True))
    places = sorted(text.get_position()[1] for text in figure.axes[0].texts)
    assert len(places) == 40
    assert places[0] >= 0
    assert places[-1] <= 1
    height = figure.get_size_inches()[1] * figure.axes[0].get_position().height
    assert all(b - a >= 0.18 / height for a, b in pairwise(places))


def test_other_formats_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"a\.pdf: the ending '\.pdf', expected a name that ends"):
        check_picture("a.pdf")
    with pytest.raises(InputError, match="the ending '', expected"):
        save(CURVES, tmp_path / "picture")
    assert not list(tmp_path.iterdir())


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(OptionError, match=r"pip install 'tunesmith\[plots\]'"):
        svg(CURVES)


def test_nothing_is_imported_before_it_is_needed():
    code = (
        "import sys, tunesmith.evaluate.charts, tunesmith.cli.describe\n"
        "print('matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
