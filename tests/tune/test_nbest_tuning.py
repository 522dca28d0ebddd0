"""`tune_nbest`: the scores around a result, and what a person is warned of."""

import dataclasses
import re

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.base.weights import Weights
from tunesmith.metrics import Bleu
from tunesmith.metrics.column import Column
from tunesmith.metrics.resample import paired_bootstrap
from tunesmith.tune import Step, Tuner, make_tuner
from tunesmith.tune.base import start_vector
from tunesmith.tune.held_out import folds, held_out
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


@dataclasses.dataclass
class Loses(Tuner):
    """Ends where the last feature alone chooses."""

    name = "loses"

    def steps(self, pool, metric, start):
        yield Step(-start, 0.0)


def test_a_start_that_nothing_beats_is_said_once():
    """Of the runs on halves the report tells what the estimate was made of."""
    chance = np.random.default_rng(5)
    values = 0.8 + 0.08 * np.sort(chance.random((40, 2)))
    pool = column_pool(values, [[0.0, 1.0]] * 40)
    report = tune_nbest(pool, Column("comet"), Loses()).report
    places = Column("comet").places(report.tuned, report.first)
    assert report.warnings[0] == (
        f"loses: no weights score better on the lists than the start ({report.tuned:.{places}f}; "
        f"best {report.first:.{places}f}); the best weights so far are kept"
    )
    # Turned, the feature is better on the whole and on one half of the lists.
    one, other = folds(40, 2, MIRA.seed)
    values = np.empty((40, 2))
    values[one], values[other] = [0.8, 0.81], [0.9, 0.8]
    report = tune_nbest(column_pool(values, [[0.0, 1.0]] * 40), Column("comet"), Loses()).report
    assert report.warnings[0] == (
        "held out: loses found nothing better than its start on one half of the lists, and took it"
    )
    better = column_pool([[0.9, 0.8]] * 40, [[0.0, 1.0]] * 40)
    assert tune_nbest(better, Column("comet"), Loses()).held_out.unchanged == 0


def test_what_tuning_begins_with_is_named():
    dense = random_pool(3, sentences=10, hypotheses=4, dense=3, sparse=0)
    mixed = random_pool(3, sentences=10, hypotheses=4, dense=3, sparse=2)
    sparse = random_pool(21, sentences=40, hypotheses=6, dense=0, sparse=4)
    first = dense.names[0]
    given = Weights.from_vector(dense.names, np.array([1.0, 2.0, 3.0]))
    bounded = make_tuner("kb-mira", passes=3, bounds={first: (-1.0, 0.0)})
    for pool, tuner, start, line in (
        (dense, MIRA, None, r"uniform +[\d.]+  one weight for all features"),
        (mixed, MIRA, None, r"uniform +[\d.]+  one weight for all dense features"),
        (dense, bounded, None, r"uniform +[\d.]+  one weight for all features, within the limits"),
        (dense, MIRA, given, r"start +[\d.]+  the weights given"),
        (dense, bounded, given, r"start +[\d.]+  the weights given, within the limits"),
        (sparse, MIRA, None, ""),
    ):
        lines = tune_nbest(pool, BLEU, tuner, start, estimate=False).report.lines()
        assert len(lines) == (7 if line else 6)
        assert not line or re.fullmatch(line, lines[2])


def test_one_feature_needs_others():
    report = tune_nbest(column_pool([[0.5, 0.6]] * 8, [[1.0, 0.0]] * 8), Column("x"), MIRA).report
    assert str(report).startswith("8 sentences, 16 hypotheses, 1 feature\n")
    same = tune_nbest(column_pool([[0.6, 0.5]] * 8, [[1.0, 0.0]] * 8), Column("x"), MIRA).report
    assert same.warnings[-1].endswith(
        "there is one feature only: add others (--add lm:text=…, --add mbr, …)"
    )


def test_the_default_start():
    pool = random_pool(2, sentences=3, dense=2, sparse=3)
    assert start_vector(pool, None).tolist() == [1.0, 1.0, 0.0, 0.0, 0.0]
