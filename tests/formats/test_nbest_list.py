"""`NbestList`: whole lists of sentences with their sources, and rows in another order."""

import numpy as np
import pytest

from reference.nbest_rows import make_nbest, rows_of
from tunesmith.base.errors import OptionError

ROWS = [
    (0, "a b", {"lm": -1.0, "tm": 2.0, "w_x": 1.0}),
    (0, "a", {"lm": -2.0, "tm": 1.0}),
    (1, "", {"lm": 0.0, "tm": 0.0, "w_y": 3.0}),
    (2, "ä", {"lm": -5.0, "tm": 4.0, "w_x": 2.0, "w_y": 1.0}),
    (2, "c", {"lm": -6.0, "tm": 4.0}),
]


@pytest.fixture
def nbest():
    return make_nbest(ROWS, ["lm", "tm"], totals=[5, 4, 3, 2, 1], extras=["0-0", "", "", "1-1", ""])


def test_a_sentence_comes_whole_with_its_source(nbest):
    with_sources = nbest.with_sources(["eins zwei", "", "drei"])
    assert [one.texts for one in with_sources] == [["a b", "a"], [""], ["ä", "c"]]
    assert [one.source for one in with_sources] == ["eins zwei", "", "drei"]
    assert [(one.sentence, one.id, len(one)) for one in with_sources] == [
        (0, "0", 2), (1, "1", 1), (2, "2", 2)
    ]  # fmt: skip
    assert with_sources[2].column("lm").tolist() == [-5.0, -6.0]
    assert [one.source for one in nbest] == [None, None, None]
    assert with_sources.names == nbest.names


def test_what_is_not_there_is_said(nbest):
    with pytest.raises(
        OptionError, match="2 source sentences for a list of 3, expected one for each"
    ):
        nbest.with_sources(["a", "b"])
    with pytest.raises(OptionError, match="no feature 'x'; there are: lm, tm"):
        nbest[0].column("x")
    with pytest.raises(IndexError, match="sentence 3 of 3"):
        nbest[3]


def test_rows_in_another_order_take_everything_with_them(nbest):
    order = np.array([1, 0, 2, 4, 3])
    moved = nbest.of_rows(order)
    assert rows_of(moved) == [rows_of(nbest)[row] for row in order]
    assert moved.totals.tolist() == [4, 5, 3, 1, 2]
    assert list(moved.extras) == ["", "0-0", "", "", "1-1"]


def test_a_list_is_shown_in_a_line(nbest):
    assert repr(nbest) == "<n-best list: 3 sentences, 5 hypotheses, 4 features: lm, tm, w_x, w_y>"
    assert repr(nbest.texts) == "<5 texts>"


def test_texts_of_rows(nbest):
    assert nbest.texts_at(np.array([1, -1, 3])) == ["a", "", "ä"]
