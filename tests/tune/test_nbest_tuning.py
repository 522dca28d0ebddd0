"""`tune_nbest`: the scores around a result, and what a person is warned of."""

import dataclasses

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.base.weights import Weights
from tunesmith.metrics import Bleu
from tunesmith.metrics.column import Column
from tunesmith.tune import make_tuner
from tunesmith.tune.base import start_vector
from tunesmith.tune.held_out import held_out
from tunesmith.tune.nbest import NO_ROOM, tune_nbest
from tunesmith.tune.oracle import greedy_oracle

BLEU = Bleu(tokenize="none")
MIRA = make_tuner("kb-mira", passes=3)


def column_pool(values, features):
    """Two hypotheses for each of some sentences, one feature, and a ready score (in points)."""
    values, features = np.array(values, float), np.array(features, float)
    pool = random_pool(1, sentences=len(values), hypotheses=1, dense=1, sparse=0)
    stats = np.column_stack([1_000_000 * values.ravel(), np.ones(values.size)]).astype(np.int32)
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
        assert tuning.oracle_score == greedy_oracle(pool, BLEU).score
        assert tuning.held_out == held_out(MIRA, pool, BLEU)
        assert tuning.seconds > 0
    assert tune_nbest(pool, BLEU, MIRA, estimate=False).held_out is None
    assert tune_nbest(random_pool(2, sentences=3), BLEU, MIRA).held_out is None
    assert tune_nbest(random_pool(2, sentences=4), BLEU, MIRA).held_out is not None


def test_one_hypothesis_each():
    pool = random_pool(1, sentences=6, hypotheses=1)
    (warning,) = tune_nbest(pool, BLEU, MIRA, estimate=False).warnings
    assert warning == "every sentence has one hypothesis only: tuning cannot change anything"


@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize(("room", "warned"), [(0.4, True), (0.6, False), (5.0, False)])
def test_no_room_between_start_and_oracle(higher, room, warned):
    """The start chooses the first of each two; the second is better by `room` points."""
    assert NO_ROOM == 0.5
    better = 50.0 + room if higher else 50.0 - room
    pool = column_pool([[50.0, better]] * 6, [[1.0, 0.0]] * 6)
    metric = Column("x", higher_is_better=higher)
    start = Weights({pool.names[0]: 1.0})
    tuning = tune_nbest(pool, metric, MIRA, start, estimate=False)
    assert tuning.oracle_score == pytest.approx(better)
    assert tuning.result.start_score == pytest.approx(50.0)
    expected = f"even the best choice that greedy search finds in the lists scores {better:.2f}: "
    assert [warning.startswith(expected) for warning in tuning.warnings] == [True] * warned


@pytest.mark.parametrize("higher", [True, False])
def test_no_gain_on_sentences_that_were_not_seen(higher):
    """One half of the sentences wants the feature, the other half does not."""
    sign = 1 if higher else -1
    noise = np.random.default_rng(3).choice([-1, 1], size=40)
    pool = column_pool([[50 + 10 * n, 50 - 10 * n] for n in noise], [[1.0, 0.0]] * 40)
    metric = Column("x", higher_is_better=higher)
    start = Weights({pool.names[0]: float(sign * np.sign(noise.sum() or 1))})
    tuning = tune_nbest(pool, metric, MIRA, start)
    held = tuning.held_out
    assert sign * held.score <= sign * held.start_score
    (warning,) = tuning.warnings
    assert warning.startswith(
        f"on held-out sentences the weights score {held.score:.2f}, the start "
        f"{held.start_score:.2f}: do not expect a gain on new text"
    )
    good = column_pool([[60, 40]] * 40, [[sign * 1.0, 0.0]] * 40)
    wrong = Weights({good.names[0]: -1.0})
    assert tune_nbest(good, metric, MIRA, wrong).warnings == []


def test_the_default_start():
    pool = random_pool(2, sentences=3, dense=2, sparse=3)
    assert start_vector(pool, None).tolist() == [1.0, 1.0, 0.0, 0.0, 0.0]
