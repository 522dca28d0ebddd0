"""Lists sorted by weights: every column goes with its hypothesis."""

import numpy as np

from tunesmith.base.weights import Weights
from tunesmith.formats.nbest import read_nbest
from tunesmith.tune.rerank import sorted_by

LIST = """\
0 ||| a ||| LM= 1 TM= 5 d_x= 2 ||| -1 ||| 0-0
0 ||| b ||| LM= 3 TM= 5 d_y= 1 d_x= 1 ||| -2 ||| 0-1
0 ||| c ||| LM= 3 TM= 5 ||| -3 ||| 0-2
1 ||| d ||| LM= -1 TM= 0 d_y= 7 ||| -4 ||| 1-1
1 ||| e ||| LM= 0 TM= 0 ||| -5 ||| 1-2
"""


def rows(nbest):
    """Each hypothesis as what it is, whatever its place."""
    ids = nbest.sentence_ids()
    found = []
    for row in range(nbest.rows):
        span = slice(nbest.sparse_offsets[row], nbest.sparse_offsets[row + 1])
        names = [nbest.sparse_names[i] for i in nbest.sparse_ids[span]]
        sparse = dict(zip(names, nbest.sparse_values[span].tolist(), strict=True))
        found.append(
            (int(ids[row]), nbest.texts[row], nbest.dense[row].tolist(), sparse, nbest.extras[row])
        )
    return found


def test_best_first_and_of_equals_the_first(tmp_path):
    (tmp_path / "list").write_text(LIST)
    nbest = read_nbest(tmp_path / "list")
    weights = Weights({"LM": 1.0, "d_y": 0.0})
    sorted_list = sorted_by(nbest, weights)
    assert list(sorted_list.texts) == ["b", "c", "a", "e", "d"]
    assert sorted_list.totals.tolist() == [3.0, 3.0, 1.0, 0.0, -1.0]
    assert sorted_list.offsets.tolist() == nbest.offsets.tolist() == [0, 3, 5]
    assert sorted(rows(sorted_list), key=str) == sorted(rows(nbest), key=str)
    np.testing.assert_array_equal(sorted_list.scores(weights), sorted_list.totals)
    assert list(nbest.texts) == ["a", "b", "c", "d", "e"]  # the old list is as it was
    other = sorted_by(nbest, Weights({"d_y": 1.0, "TM": -0.1}))
    assert list(other.texts) == ["b", "a", "c", "d", "e"]


def test_without_alignments(tmp_path):
    (tmp_path / "list").write_text("0 ||| a ||| LM= 1 ||| -1\n0 ||| b ||| LM= 2 ||| -2\n")
    nbest = read_nbest(tmp_path / "list")
    assert nbest.extras is None
    assert sorted_by(nbest, Weights({"LM": 1.0})).extras is None
