import dataclasses

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.column import Column
from tunesmith.tune import make_tuner
from tunesmith.tune.held_out import folds, held_out


def test_folds_are_a_partition():
    for parts in (2, 3, 5):
        split = folds(17, parts, seed=4)
        assert sorted(np.concatenate(split)) == list(range(17))
        assert {len(part) for part in split} <= {17 // parts, 17 // parts + 1}


def test_both_ways_by_hand():
    pool = random_pool(2, sentences=20, hypotheses=8)
    metric = Bleu(tokenize="none")
    tuner = make_tuner("kb-mira", passes=3, seed=5)
    first, second = folds(20, 2, seed=5)
    sums = np.zeros(10, dtype=np.int64)
    for train, test in ((second, first), (first, second)):
        weights = tuner.fit(pool.select(train), metric).weights.vector(pool.names)
        unseen = pool.select(test)
        sums += unseen.stats_of(unseen.best(weights))
    estimate = held_out(tuner, pool, metric)
    assert estimate.score == metric.score(sums)
    assert estimate.start_score == metric.score(
        pool.stats_of(pool.best(np.repeat([1.0, 0.0], [3, 4])))
    )


@pytest.mark.parametrize("name", ["kb-mira", "risk"])
def test_the_same_for_any_number_of_threads(name):
    pool = random_pool(2, sentences=30, hypotheses=8)
    estimates = {
        held_out(make_tuner(name, engine=threads), pool, Bleu(), parts=3)
        for threads in (1, 2, 3, 7)
    }
    assert len(estimates) == 1


def test_progress_is_told_in_order():
    told = []
    pool = random_pool(2, sentences=20)
    held_out(make_tuner("kb-mira", engine=2), pool, Bleu(), parts=4, progress=told.append)
    assert told == [0, 1, 2, 3]


def test_noise_is_seen_through():
    """A metric that has nothing to do with the features cannot be learnt."""
    pool = random_pool(3, sentences=60, hypotheses=20, dense=20, sparse=0)
    values = np.random.default_rng(3).integers(0, 1_000_000, size=pool.rows)
    pool = dataclasses.replace(
        pool, stats=np.column_stack([values, np.ones(pool.rows)]).astype(np.int32)
    )
    start = Weights.from_vector(pool.names, np.ones(20))
    estimate = held_out(make_tuner("kb-mira"), pool, Column("noise"), start)
    assert estimate.tuned_score > 0.6
    assert abs(estimate.score - 0.5) < 0.1


def test_too_few_sentences():
    pool = random_pool(2, sentences=1)
    with pytest.raises(OptionError, match="1 sentences cannot be split into 2 parts"):
        held_out(make_tuner("kb-mira"), pool, Bleu())
