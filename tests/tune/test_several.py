import dataclasses

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.base.errors import OptionError
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import make_tuner
from tunesmith.tune.several import join_pools

BLEU = Bleu(tokenize="none")


def features(pool, row):
    named = dict(zip(pool.dense_names, pool.dense[row].tolist(), strict=True))
    for i in range(pool.sparse_offsets[row], pool.sparse_offsets[row + 1]):
        named[pool.sparse_names[pool.sparse_ids[i]]] = float(pool.sparse_values[i])
    return named


@pytest.fixture
def pools():
    first = random_pool(1, sentences=4, sparse=4)
    second = random_pool(2, sentences=12, sparse=3)
    shuffled = dataclasses.replace(
        second,
        dense=np.ascontiguousarray(second.dense[:, [2, 0, 1]]),
        dense_names=("d2", "d0", "d1"),
        sparse_names=("x", "s3", "s0"),
    )
    return [first, shuffled]


def test_features_are_matched_by_name(pools):
    joined, _ = join_pools(pools, BLEU)
    assert joined.names == ("d0", "d1", "d2", "s0", "s1", "s2", "s3", "x")
    expected = [features(pool, row) for pool in pools for row in range(pool.rows)]
    assert [features(joined, row) for row in range(joined.rows)] == expected
    for row in range(joined.rows):
        ids = joined.sparse_ids[joined.sparse_offsets[row] : joined.sparse_offsets[row + 1]]
        assert (np.diff(ids.astype(int)) > 0).all()


@pytest.mark.parametrize("weights", [None, [1, 3]])
def test_the_score_is_the_weighted_mean_of_the_pools(pools, weights):
    joined, metric = join_pools(pools, BLEU, weights)
    vector = np.random.default_rng(1).normal(size=len(joined.names))
    by_name = dict(zip(joined.names, vector, strict=True))
    scores = []
    for pool in pools:
        own = np.array([by_name[name] for name in pool.names])
        scores.append(BLEU.score(pool.stats_of(pool.best(own))))
    expected = np.average(scores, weights=weights)
    assert metric.score(joined.stats_of(joined.best(vector))) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["kb-mert", "kb-mira", "svm-1-slack"])
def test_tuners_take_the_two(pools, name):
    joined, metric = join_pools([pool.dense_only() for pool in pools], BLEU)
    result = make_tuner(name).fit(joined, metric)
    assert result.score > result.start_score


def test_pools_that_do_not_fit(pools):
    with pytest.raises(OptionError, match="no pools"):
        join_pools([], BLEU)
    with pytest.raises(OptionError, match="2 pools, but 1 weights"):
        join_pools(pools, BLEU, [1.0])
    odd = dataclasses.replace(pools[1], dense_names=("d2", "d0", "y"))
    with pytest.raises(OptionError, match="pools 0 and 1 differ in dense features: 'd1'"):
        join_pools([pools[0], odd], BLEU)
    with pytest.raises(OptionError, match="pool 0 has statistics of another metric than bleu"):
        join_pools(pools, Bleu(order=2))
