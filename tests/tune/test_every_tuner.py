"""What every tuner must do, whatever it optimises."""

import dataclasses

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.base.errors import DegenerateError, OptionError
from tunesmith.base.parameters import parameters_of
from tunesmith.base.weights import Weights
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.column import Column
from tunesmith.tune import TUNERS, make_tuner, tuner_class

BLEU = Bleu(tokenize="none")
# Fewer rounds than the defaults, where a tuner has such a setting: these tests are about edges.
FEWER = {"trials": 30, "restarts": 2, "passes": 5, "epochs": 3}


def quick(name, **options):
    known = {field.name for field in parameters_of(tuner_class(name))}
    return make_tuner(name, **{k: v for k, v in FEWER.items() if k in known}, **options)


def pool_for(name, seed, **options):
    pool = random_pool(seed, **options)
    return pool.dense_only() if tuner_class(name).dense_only else pool


def scored_pool(name, seed, *, planted, sentences=60, sparse=0):
    """A pool whose column metric is the score of planted weights: perfect weights exist."""
    pool = pool_for(name, seed, sentences=sentences, hypotheses=20, dense=5, sparse=sparse)
    truth = np.zeros(len(pool.names))
    truth[: len(planted)] = planted
    values = pool.scores(truth)
    stats = np.column_stack([np.round(values * 1000), np.ones(pool.rows)]).astype(np.int32)
    return dataclasses.replace(pool, stats=stats)


@pytest.fixture(params=list(TUNERS))
def name(request):
    return request.param


def test_same_bytes_for_any_number_of_threads(name):
    pool = pool_for(name, 11, sentences=70, hypotheses=30, dense=6, sparse=12)
    results = [quick(name, engine=threads).fit(pool, BLEU) for threads in (1, 2, 3)]
    vectors = [result.weights.vector(pool.names).tobytes() for result in results]
    assert vectors[0] == vectors[1] == vectors[2]
    assert results[0].history == results[1].history == results[2].history


def test_the_seed_repeats(name):
    pool = pool_for(name, 12, sentences=20, hypotheses=10)
    first, second = (quick(name, seed=7).fit(pool, BLEU) for _ in range(2))
    assert first.history == second.history


def test_planted_weights_are_found(name):
    planted = [1.0, -2.0, 0.5, 0.0, 1.5]
    pool = scored_pool(name, 5, planted=planted)
    metric = Column("gain")
    start = Weights.from_vector(pool.names, np.array([-1.0, 1.0, 1.0, 1.0, -1.0]))
    best = np.maximum.reduceat(pool.stats[:, 0], pool.offsets[:-1]).sum()
    best_score = metric.score([best, pool.sentences])
    result = make_tuner(name).fit(pool, metric, start)
    assert result.score - result.start_score > 0.9 * (best_score - result.start_score)


def test_features_of_very_different_scales_make_no_difference(name):
    pool = scored_pool(name, 6, planted=[1.0, -2.0, 0.5, 0.0, 1.5], sentences=40)
    # Powers of two: the standardised features are the same to the last bit.
    factors = np.array([2.0**10, 1.0, 2.0**-10, 4.0, 0.5])
    start = np.array([0.5, 1.0, 1.0, 0.25, 1.0])
    metric = Column("gain")
    plain = quick(name).fit(pool, metric, Weights.from_vector(pool.names, start))
    scaled = quick(name).fit(
        pool.scaled(factors), metric, Weights.from_vector(pool.names, start / factors)
    )
    assert scaled.score == plain.score
    ours = scaled.weights.vector(pool.names) * factors
    theirs = plain.weights.vector(pool.names)
    np.testing.assert_allclose(ours / np.abs(ours).sum(), theirs / np.abs(theirs).sum(), rtol=1e-9)


def check_sound(pool, result, metric):
    vector = result.weights.vector(pool.names)
    assert np.isfinite(vector).all()
    assert vector.any()
    sign = 1 if metric.higher_is_better else -1
    assert sign * result.score >= sign * result.start_score
    assert result.score == metric.score(pool.stats_of(pool.best(vector)))


@pytest.mark.parametrize("seed", range(4))
def test_random_pools_with_ties_end_well(name, seed):
    pool = pool_for(name, seed, coarse=True)
    check_sound(pool, quick(name).fit(pool, BLEU), BLEU)


def test_one_hypothesis_per_sentence(name):
    pool = pool_for(name, 1, sentences=5, hypotheses=1)
    check_sound(pool, quick(name).fit(pool, BLEU), BLEU)


def test_one_sentence(name):
    pool = pool_for(name, 2, sentences=1, hypotheses=9)
    check_sound(pool, quick(name).fit(pool, BLEU), BLEU)


def test_all_features_equal(name):
    pool = pool_for(name, 3, sentences=5, hypotheses=8, sparse=0)
    pool.dense[:] = 1.0
    check_sound(pool, quick(name).fit(pool, BLEU), BLEU)


def test_all_features_zero(name):
    pool = pool_for(name, 3, sentences=5, hypotheses=8, sparse=0)
    pool.dense[:] = 0.0
    check_sound(pool, quick(name).fit(pool, BLEU), BLEU)


def test_constant_metric(name):
    pool = pool_for(name, 4, sentences=5, hypotheses=8)
    pool.stats[:] = [8, 6, 4, 2, 10, 9, 8, 7, 10, 10]
    check_sound(pool, quick(name).fit(pool, BLEU), BLEU)


def test_empty_hypotheses(name):
    pool = pool_for(name, 4, sentences=6, hypotheses=8)
    pool.stats[pool.offsets[:-1], :9] = 0
    check_sound(pool, quick(name).fit(pool, BLEU), BLEU)


def test_nothing_ever_matches(name):
    pool = pool_for(name, 4, sentences=6, hypotheses=8)
    pool.stats[:, :4] = 0
    check_sound(pool, quick(name).fit(pool, BLEU), BLEU)


def test_a_metric_to_lower(name):
    pool = scored_pool(name, 5, planted=[1.0, -2.0], sentences=20)
    metric = Column("cost", higher_is_better=False)
    check_sound(pool, quick(name).fit(pool, metric), metric)


def test_sparse_features(name):
    """Thousands of sparse features, of which a few carry the metric."""
    pool = random_pool(9, sentences=80, hypotheses=20, dense=2, sparse=6)
    spread = dataclasses.replace(
        pool,
        sparse_ids=(pool.sparse_ids * 1000).astype(np.uint32),
        sparse_names=tuple(f"s{i}" for i in range(5001)),
    )
    if tuner_class(name).dense_only:
        with pytest.raises(OptionError, match="takes dense ones only"):
            quick(name).fit(spread, BLEU)
        return
    truth = np.zeros(len(spread.names))
    truth[2::1000] = [3.0, -3.0, 2.0, 1.0, 0.0, -2.0]
    values = np.round(spread.scores(truth) * 1000)
    stats = np.column_stack([values, np.ones(pool.rows)]).astype(np.int32)
    spread = dataclasses.replace(spread, stats=stats)
    metric = Column("gain")
    result = make_tuner(name).fit(spread, metric)
    best = np.maximum.reduceat(stats[:, 0], pool.offsets[:-1]).sum()
    possible = metric.score([best, pool.sentences]) - result.start_score
    wanted = 0.3 if name == "random" else 0.8
    assert result.score - result.start_score > wanted * possible


def test_start_weights_of_other_features_are_left_out(name, caplog):
    pool = pool_for(name, 12, sentences=10, hypotheses=5)
    start = Weights.from_vector(pool.names, np.ones(len(pool.names)))
    alone = quick(name).fit(pool, BLEU, start)
    more = quick(name).fit(pool, BLEU, Weights({**start, "other": 5.0, "more": 1.0}))
    assert dict(more.weights) == dict(alone.weights)
    told = "start weights of unknown features are left out: other, more"
    assert told in caplog.messages


def test_sparse_features_alone_begin_with_the_first_entries(name):
    if tuner_class(name).dense_only:
        return
    pool = random_pool(21, sentences=40, hypotheses=6, dense=0, sparse=4)
    # One label is on the best entries: lists of systems look like this.
    gains = BLEU.sentence_gains(pool.stats)
    labelled = gains > np.median(gains)
    pool = dataclasses.replace(
        pool,
        sparse_offsets=np.arange(pool.rows + 1, dtype=np.int64),
        sparse_ids=labelled.astype(np.uint32),
        sparse_values=np.ones(pool.rows, dtype=np.float32),
    )
    result = quick(name).fit(pool, BLEU)
    assert result.start_score == BLEU.score(pool.stats_of(pool.offsets[:-1]))
    assert result.score > result.start_score
    vector = result.weights.vector(pool.names)
    assert vector[1] > vector[0]
    assert np.abs(vector).sum() == pytest.approx(1.0)


def test_the_first_of_a_list_has_no_advantage_where_features_are_sparse(name):
    """Systems' outputs, always in the same order: the last is the best."""
    if tuner_class(name).dense_only:
        return
    chance = np.random.default_rng(23)
    quality = np.array([0.42, 0.40, 0.44]) + 0.1 * chance.normal(size=(200, 3))
    pool = random_pool(23, sentences=200, hypotheses=1, dense=0, sparse=3)
    rows = quality.size
    pool = dataclasses.replace(
        pool,
        offsets=np.arange(0, rows + 1, 3),
        dense=np.empty((rows, 0), dtype=np.float32),
        sparse_offsets=np.arange(rows + 1, dtype=np.int64),
        sparse_ids=np.tile(np.arange(3, dtype=np.uint32), 200),
        sparse_values=np.ones(rows, dtype=np.float32),
        stats=np.column_stack([1e6 * quality.ravel(), np.ones(rows)]).astype(np.int32),
        keys=np.arange(rows, dtype=np.uint64),
    )
    result = quick(name).fit(pool, Column("x"))
    assert result.score == pytest.approx(quality[:, 2].mean(), abs=1e-5)


def test_nothing_to_learn_from_sparse_features_alone_is_said(name):
    if tuner_class(name).dense_only:
        return
    pool = random_pool(22, sentences=5, hypotheses=3, dense=0, sparse=2)
    empty = dataclasses.replace(
        pool,
        sparse_offsets=np.zeros(pool.rows + 1, dtype=np.int64),
        sparse_ids=np.empty(0, dtype=np.uint32),
        sparse_values=np.empty(0, dtype=np.float32),
    )
    with pytest.raises(DegenerateError, match="no weights that choose better than the first"):
        quick(name).fit(empty, BLEU)


@pytest.mark.parametrize("tuner", ["pro", "ramp", "risk", "svm"])
def test_the_corpus_score_decides_between_kinds_of_gain(tuner):
    for seed in range(6):
        pool = random_pool(30 + seed, sentences=40, hypotheses=15)
        each, both = (
            [
                quick(tuner, gain=kind).fit(pool, BLEU, keep_better_start=False).score
                for kind in kinds
            ]
            for kinds in (("add-1", "add-1-longer"), ("",))
        )
        assert both == [max(each)]


def test_a_metric_with_one_kind_of_gain_is_tried_once():
    pool = random_pool(40, sentences=20, hypotheses=10)
    assert len(quick("pro").fit(pool, BLEU).history) == 2
    assert len(quick("pro", gain="own").fit(pool, BLEU).history) == 1
    column = Column("x")
    stats = np.column_stack([pool.stats[:, 0], np.ones(pool.rows)]).astype(np.int32)
    values = dataclasses.replace(pool, stats=stats)
    assert len(quick("pro").fit(values, column).history) == 1
