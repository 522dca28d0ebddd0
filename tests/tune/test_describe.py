"""What each weight does, against the obvious way: set it to 0 and look."""

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.metrics import Bleu, Wer
from tunesmith.tune.describe import describe_weights
from tunesmith.tune.scaling import feature_spread

BLEU = Bleu(tokenize="none")


def score(pool, metric, vector):
    return metric.score(pool.stats_of(pool.best(vector)))


@pytest.mark.parametrize("metric", [BLEU, Wer()])
def test_every_feature(metric):
    pool = random_pool(5, sentences=12, hypotheses=8, dense=3, sparse=4)
    # One sparse feature is never positive, another never negative: hypotheses without it have 0.
    pool.sparse_values[:] = np.abs(pool.sparse_values) * np.where(pool.sparse_ids == 1, -1, 1)
    if metric.name == "wer":
        pool = type(pool)(**{**vars(pool), "stats": np.ascontiguousarray(pool.stats[:, [0, 8]])})
    vector = np.array([1.0, -0.5, 0.0, 0.0, 0.7, 0.0, -0.2])
    rows = describe_weights(pool, metric, Weights.from_vector(pool.names, vector))
    by_name = {row.name: row for row in rows}
    # All dense features, and the sparse ones with a weight.
    assert set(by_name) == {*pool.dense_names, pool.sparse_names[1], pool.sparse_names[3]}
    spread = feature_spread(pool)
    say = np.abs(vector) * spread
    chosen = pool.best(vector)
    sign = 1 if metric.higher_is_better else -1
    for i, name in enumerate(pool.names):
        if name not in by_name:
            continue
        row = by_name[name]
        without = vector.copy()
        without[i] = 0.0
        assert row.weight == vector[i]
        assert row.spread == pytest.approx(spread[i])
        assert row.contribution == pytest.approx(say[i] / say.sum())
        lost = sign * (score(pool, metric, vector) - score(pool, metric, without))
        assert row.lost == pytest.approx(lost)
        assert row.changed == int((pool.best(without) != chosen).sum())
        if i < 3:
            values = pool.dense[:, i]
        else:
            found = pool.sparse_values[pool.sparse_ids == i - 3]
            values = np.append(found, 0.0)  # hypotheses without it
        assert (row.low, row.high) == (values.min(), values.max())
    assert any(row.changed for row in rows)
    shares = [row.contribution for row in rows]
    assert shares == sorted(shares, reverse=True)
    assert sum(shares) == pytest.approx(1.0)
    assert by_name[pool.dense_names[2]].lost == 0.0


def test_weights_that_say_nothing_are_refused():
    pool = random_pool(5, sentences=3, dense=2, sparse=0)
    first = pool.names[0]
    with pytest.raises(
        OptionError, match=f"no weight but 0 for the features of the lists: {first}"
    ):
        describe_weights(pool, BLEU, Weights({first: 0.0, "other": 1.0}))
