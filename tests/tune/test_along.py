"""Score and objective along one weight, against the slow objective at every point."""

import numpy as np
import pytest

from reference import slack as slow
from reference.pools import random_pool
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.metrics import Bleu
from tunesmith.tune.along import along_weight
from tunesmith.tune.oracle import greedy_oracle
from tunesmith.tune.scaling import feature_scale

BLEU = Bleu(tokenize="none")
VALUES = [-2.0, 0.0, 0.5, 3.0]


def test_every_point():
    pool = random_pool(3, sentences=8, hypotheses=6, dense=3, sparse=2)
    weights = Weights.from_vector(pool.names, np.array([2.0, -1.0, 0.5, 9.0, 9.0]))
    found = along_weight(pool, BLEU, weights, pool.names[1], VALUES, Q=30.0, l2=(0.5, 2.0))
    dense = pool.dense_only()
    scale = feature_scale(dense)
    standard = dense.scaled(1 / scale)
    given = np.array([2.0, -1.0, 0.5]) * scale
    given /= np.linalg.norm(given)
    assert found.feature == pool.names[1]
    assert found.here == pytest.approx(given[1])
    assert found.values.tolist() == VALUES
    assert set(found.objectives) == {0.5, 2.0}
    oracle = greedy_oracle(standard, BLEU).rows
    for i, value in enumerate(VALUES):
        point = given.copy()
        point[1] = value
        assert found.scores[i] == BLEU.score(dense.stats_of(dense.best(point / scale)))
        for l2, objectives in found.objectives.items():
            expected = slow.objective(
                lambda w: slow.one_slack(standard, oracle, BLEU.gain, 30.0, w), l2, point
            )
            assert objectives[i] == pytest.approx(expected)
    assert len(set(found.scores)) > 1


def test_defaults_and_what_is_refused():
    pool = random_pool(3, sentences=4, dense=2, sparse=1)
    weights = Weights.from_vector(pool.names, np.ones(3))
    assert list(along_weight(pool, BLEU, weights, pool.names[0], [1.0]).objectives) == [
        0.01, 1.0, 100.0,
    ]  # fmt: skip
    with pytest.raises(OptionError, match=f"no dense feature '{pool.names[2]}', expected one of"):
        along_weight(pool, BLEU, weights, pool.names[2], [1.0])
