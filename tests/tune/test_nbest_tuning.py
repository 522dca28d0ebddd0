"""`tune_nbest`: the scores around a result, and what a person is warned of."""

import dataclasses

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.metrics import Bleu
from tunesmith.metrics.column import Column
from tunesmith.metrics.resample import paired_bootstrap
from tunesmith.tune import make_tuner
from tunesmith.tune.base import start_vector
from tunesmith.tune.held_out import held_out
from tunesmith.tune.nbest import tune_nbest
from tunesmith.tune.oracle import greedy_oracle

BLEU = Bleu(tokenize="none")
MIRA = make_tuner("kb-mira", passes=3)


def column_pool(values, features):
    """Two hypotheses for each of some sentences, one feature, and a ready score (in points)."""
    values, features = np.array(values, float), np.array(features, float)
    pool = random_pool(1, sentences=len(values), hypotheses=1, dense=1, sparse=0)
    millionths = np.rint(1_000_000 * values.ravel())
    stats = np.column_stack([millionths, np.ones(values.size)]).astype(np.int32)
    rows = values.size
    return dataclasses.replace(
        pool,
        offsets=np.arange(0, rows + 1, 2),
        dense=features.reshape(rows, 1).astype(np.float32),
        sparse_offsets=np.zeros(rows + 1, np.int64),
        stats=stats,
        keys=np.arange(rows, dtype=np.uint64),
    )


def test_scores_are_those_of_the_parts():
    pool = random_pool(2, sentences=20, hypotheses=8)
    for threads in (1, 3):
        tuner = dataclasses.replace(MIRA, engine=threads)
        tuning = tune_nbest(pool, BLEU, tuner)
        assert dict(tuning.weights) == dict(MIRA.fit(pool, BLEU).weights)
        assert tuning.report.oracle == greedy_oracle(pool, BLEU).score
        assert tuning.report.first == BLEU.score(pool.stats_of(pool.offsets[:-1]))
        assert tuning.held_out == held_out(MIRA, pool, BLEU)
        assert tuning.seconds > 0
    assert tune_nbest(pool, BLEU, MIRA, estimate=False).held_out is None
    assert tune_nbest(random_pool(2, sentences=3), BLEU, MIRA).held_out is None
    assert tune_nbest(random_pool(2, sentences=4), BLEU, MIRA).held_out is not None


def test_one_hypothesis_each():
    pool = random_pool(1, sentences=6, hypotheses=1)
    (warning,) = tune_nbest(pool, BLEU, MIRA, estimate=False).report.warnings
    assert warning == "every sentence has one hypothesis only: tuning cannot change anything"


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("scale", [100.0, 1.0, 0.01])
@pytest.mark.parametrize(("room", "warned"), [(0.0, True), (0.02, True), (0.5, False)])
def test_no_room_is_judged_by_what_sentences_move(higher, scale, room, warned):
    """The second of each two is better by `room`; sentences differ by 1, whatever the scale."""
    sign = scale if higher else -scale
    values = [[sign * n, sign * (n + room)] for n in np.linspace(0.0, 1.0, 30)]
    pool = column_pool(values, [[1.0, 0.0]] * 30)
    report = tune_nbest(pool, Column("x", higher_is_better=higher), MIRA, estimate=False).report
    assert report.first == pytest.approx(sign * 0.5, rel=1e-3)
    assert report.oracle == pytest.approx(sign * (0.5 + room), rel=1e-3)
    expected = "even the best choice that greedy search finds in the lists scores "
    assert [warning.startswith(expected) for warning in report.warnings] == [True] * warned


@pytest.mark.parametrize("higher", [True, False])
def test_no_gain_on_sentences_that_were_not_seen(higher):
    """One half of the sentences wants the feature, the other half does not."""
    sign = 1 if higher else -1
    noise = np.random.default_rng(3).choice([-1, 1], size=40)
    noise *= sign * int(np.sign(noise.sum()))
    pool = column_pool([[50 + 10 * n, 50 - 10 * n] for n in noise], [[1.0, 0.0]] * 40)
    metric = Column("x", higher_is_better=higher)
    report = tune_nbest(pool, metric, MIRA).report
    assert sign * report.held_out <= sign * report.first
    (warning,) = report.warnings
    assert warning.startswith(
        f"on held-out sentences the weights score {report.held_out:.2f}, the first entries "
        f"{report.first:.2f}: do not expect a gain on new text"
    )
    good = column_pool([[50 - 10 * sign, 50 + 10 * sign]] * 40, [[0.0, 1.0]] * 40)
    assert tune_nbest(good, metric, MIRA).report.warnings == ()


def test_a_feature_that_is_better_alone_is_named():
    """Weights of other sentences must beat what needs no weights."""
    pool = random_pool(7, sentences=40, hypotheses=6, dense=3, sparse=0)
    values = np.random.default_rng(1).normal(size=pool.rows)
    stats = np.column_stack([1e5 * values, np.ones(pool.rows)]).astype(np.int32)
    # One feature is the metric itself: nothing beats it, and equals are said too.
    dense = np.column_stack([pool.dense[:, :2], values]).astype(np.float32)
    pool = dataclasses.replace(pool, dense=dense, stats=stats)
    report = tune_nbest(pool, Column("x"), MIRA).report
    assert str(report.alone) == pool.names[2]
    assert report.alone.score == report.oracle
    assert f"'{pool.names[2]}' alone {report.oracle:.{report.decimals}f}: " in report.warnings[0]
    costs = dataclasses.replace(pool, dense=-dense)
    assert str(tune_nbest(costs, Column("x"), MIRA).report.alone) == f"lowest {pool.names[2]}"


def test_the_interval_is_that_of_the_bootstrap():
    pool = random_pool(2, sentences=30, hypotheses=8)
    tuning = tune_nbest(pool, BLEU, MIRA)
    stats = [pool.stats[pool.offsets[:-1]], pool.stats[tuning.held_out.chosen]]
    drawn = paired_bootstrap(BLEU, stats, seed=MIRA.seed)
    differences = np.sort(drawn.resampled[:, 1] - drawn.resampled[:, 0])
    gain = tuning.report.gain
    assert (gain.low, gain.high) == (differences[25], differences[974])
    assert gain.difference == tuning.held_out.score - tuning.report.first


def test_the_default_start():
    pool = random_pool(2, sentences=3, dense=2, sparse=3)
    assert start_vector(pool, None).tolist() == [1.0, 1.0, 0.0, 0.0, 0.0]
