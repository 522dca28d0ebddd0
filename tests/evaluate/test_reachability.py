"""How much of a corpus can be made: sums by hand, and the table and figures of them."""

from types import SimpleNamespace

import numpy as np
import pytest

from tunesmith.evaluate.charts import draw
from tunesmith.evaluate.reachability import (
    LengthRow,
    reachability,
    reachability_json,
    reachability_plots,
    reachability_table,
)

# Six pairs of 1 to 12 source words: two whole, two with a prefix, three given up for some reason.
LENGTHS = np.array([1, 5, 6, 10, 12, 12])
FOUND = SimpleNamespace(
    whole=np.array([True, False, True, False, False, False]),
    source_words=np.array([1, 0, 6, 5, 6, 0]),
    derivations=np.array([1.0, 0.0, 7.0, 0.0, 0.0, 0.0]),
    stopped=["", "nodes", "", "time", "length", "length"],
)


def report(limit=6, **options):
    return reachability(FOUND, LENGTHS, distortion_limit=limit, **options)


def test_sums():
    found = report()
    assert (found.distortion_limit, found.pairs) == (6, 6)
    assert found.whole_pairs == pytest.approx(2 / 6)
    assert found.whole_words == pytest.approx(7 / 46)
    assert found.used_pairs == pytest.approx(4 / 6)
    assert found.used_words == pytest.approx(18 / 46)
    assert (found.too_long, found.too_many_nodes, found.too_slow) == (2, 1, 1)
    assert found.rows == [
        LengthRow(1, 5, 2, 0.5, 1.0), LengthRow(6, 10, 2, 0.5, 7.0), LengthRow(11, 15, 2, 0.0, 0.0)
    ]  # fmt: skip
    assert [(row.low, row.high, row.pairs) for row in report(width=6).rows] == [
        (1, 6, 3), (7, 12, 3),
    ]  # fmt: skip
    assert (report().name, report(-1).name, report(0).name) == (
        "dist-6",
        "dist-unlimited",
        "dist-0",
    )


def test_lengths_that_no_pair_has_get_no_row():
    some = SimpleNamespace(
        whole=np.array([True, True]), source_words=np.array([2, 14]),
        derivations=np.array([1.0, 3.0]), stopped=["", ""],
    )  # fmt: skip
    found = reachability(some, np.array([2, 14]), distortion_limit=6)
    assert found.rows == [LengthRow(1, 5, 1, 1.0, 1.0), LengthRow(11, 15, 1, 1.0, 3.0)]


def test_an_empty_corpus():
    none = np.array([], dtype=np.int64)
    nothing = SimpleNamespace(
        whole=none.astype(bool), source_words=none, derivations=none, stopped=[]
    )
    found = reachability(nothing, none, distortion_limit=6)
    assert (found.pairs, found.whole_pairs, found.used_words, found.rows) == (0, 0.0, 0.0, [])


TABLE = """\
                   pairs     words   +prefix     words  too long     nodes      time
dist-6            33.3 %    15.2 %    66.7 %    39.1 %         2         1         1
dist-unlimited    33.3 %    15.2 %    66.7 %    39.1 %         2         1         1

words                pairs          dist-6  dist-unlimited   reachable
1–5                      2          50.0 %          50.0 %
6–10                     2          50.0 %          50.0 %
11–15                    2           0.0 %           0.0 %

words                pairs          dist-6  dist-unlimited   derivations
1–5                      2               1               1
6–10                     2               7               7
11–15                    2               0               0"""


def test_the_table():
    assert reachability_table([report(), report(-1)]) == TABLE


def test_the_figures():
    pictures = reachability_plots([report(), report(0)])
    assert set(pictures) == {"reachability", "derivations"}
    for chart in pictures.values():
        assert list(chart.series) == ["dist-6", "dist-0"]
    # In the middle of their lengths, in per cent.
    places = [(point.x, point.y) for point in pictures["reachability"].series["dist-6"]]
    assert places == [(3, 50), (8, 50), (13, 0)]
    # On a logarithmic axis only what is not 0 is drawn.
    assert pictures["derivations"].log_y
    lines = draw(pictures["derivations"]).axes[0].get_lines()
    assert [len(line.get_xdata()) for line in lines if line.get_gid()] == [2, 2]


def test_plain_values():
    (values,) = reachability_json([report()])
    assert values["whole_pairs"] == pytest.approx(2 / 6)
    assert values["rows"][1]["derivations"] == 7.0
