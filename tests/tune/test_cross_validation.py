import dataclasses

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.base.errors import OptionError
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.column import Column
from tunesmith.tune import make_tuner
from tunesmith.tune.cross_validation import Trial, best_trial, choose_by, cross_validate
from tunesmith.tune.held_out import folds, held_out
from tunesmith.tune.nbest import tune_nbest

BLEU = Bleu(tokenize="none")


def test_trials_are_held_out_estimates():
    pool = random_pool(1, sentences=20)
    tuner = make_tuner("kb-mira", seed=3)
    told = []
    trials = cross_validate(
        tuner, {"C": [0.01, 1.0], "passes": [2, 4]}, pool, BLEU, folds=3, progress=told.append
    )
    assert told == trials
    assert [t.options for t in trials] == [
        {"C": C, "passes": passes} for C in (0.01, 1.0) for passes in (2, 4)
    ]
    for trial in trials:
        estimate = held_out(dataclasses.replace(tuner, **trial.options), pool, BLEU, parts=3)
        assert trial.score == estimate.score
        assert trial.tuned_score == estimate.tuned_score


def test_regularisation_wins_on_noise():
    """Two features matter, thirty are noise, and there are few sentences."""
    pool = random_pool(4, sentences=30, hypotheses=30, dense=32, sparse=0)
    values = 1000 * (pool.dense[:, 0] + pool.dense[:, 1])
    values += 1000 * np.random.default_rng(4).normal(size=pool.rows)
    stats = np.column_stack([values, np.ones(pool.rows)]).astype(np.int32)
    pool = dataclasses.replace(pool, stats=stats)
    metric = Column("x")
    tuner = make_tuner("pro", threshold=1.0)
    trials = cross_validate(tuner, {"l2": [1e-3, 300.0]}, pool, metric)
    assert trials[0].tuned_score > trials[1].tuned_score
    assert best_trial(trials, metric).options == {"l2": 300.0}


def test_an_estimate_chooses_without_the_sentences_that_it_scores():
    """By hand: the settings of each half are the best trial of that half alone."""
    pool = random_pool(6, sentences=24, hypotheses=8)
    tuner = make_tuner("kb-mira", passes=3, seed=5)
    grid = {"C": [0.001, 0.05, 2.0]}
    first, second = folds(24, 2, seed=5)
    sums, chosen = np.zeros(10, dtype=np.int64), []
    for train, test in ((second, first), (first, second)):
        half = pool.select(train)
        chosen.append(best_trial(cross_validate(tuner, grid, half, BLEU, folds=3), BLEU).options)
        weights = dataclasses.replace(tuner, **chosen[-1]).fit(half, BLEU).weights
        unseen = pool.select(test)
        sums += unseen.stats_of(unseen.best(weights.vector(pool.names)))
    whole = best_trial(cross_validate(tuner, grid, pool, BLEU, folds=3), BLEU).options
    assert any(options != whole for options in chosen)  # so that it matters
    choose = choose_by(grid, BLEU, folds=3)
    assert held_out(tuner, pool, BLEU, choose=choose).score == BLEU.score(sums)
    tuning = tune_nbest(pool, BLEU, dataclasses.replace(tuner, **whole), choose=choose)
    assert tuning.held_out.score == BLEU.score(sums)


def test_noise_is_seen_through_however_many_settings_are_tried():
    """Of many settings one does well on given sentences by chance; on others it does not."""
    grid, metric = {"trials": [1, 2, 3, 5, 8, 13, 21, 34, 55, 89]}, Column("noise")
    naive, nested = [], []
    for seed in range(12):
        pool = random_pool(seed, sentences=40, hypotheses=12, dense=10, sparse=0)
        values = np.random.default_rng([seed, 3]).integers(0, 1_000_000, size=pool.rows)
        stats = np.column_stack([values, np.ones(pool.rows)]).astype(np.int32)
        pool = dataclasses.replace(pool, stats=stats)
        tuner = make_tuner("random", seed=seed)
        naive.append(best_trial(cross_validate(tuner, grid, pool, metric), metric).score)
        choose = choose_by(grid, metric, folds=2)
        nested.append(held_out(tuner, pool, metric, choose=choose).score)
    assert np.mean(naive) > 0.53
    assert abs(np.mean(nested) - 0.5) < 0.02


def test_parts_of_a_half_are_no_more_than_its_sentences():
    pool = random_pool(1, sentences=6)
    choose = choose_by({"C": [0.1, 1.0]}, BLEU, folds=5)
    assert choose(make_tuner("kb-mira", passes=2), pool.select([0, 1, 2])).C in (0.1, 1.0)


def test_the_best_trial_of_a_metric_to_lower():
    trials = [Trial({"C": 1}, 5.0, 0.0), Trial({"C": 2}, 4.0, 0.0), Trial({"C": 3}, 4.0, 0.0)]
    assert best_trial(trials, Column("x", higher_is_better=False)).options == {"C": 2}
    assert best_trial(trials, BLEU).options == {"C": 1}


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        (
            {"Q": [1]},
            "tuner 'kb-mira' has no option 'Q' to search over, expected one of: C, bounds, decay, "
            "fixed, interpolation, passes",
        ),
        ({"C": []}, "no values of 'C' to search over"),
        ({"C": [-1.0]}, "C is -1.0, expected more than 0"),
    ],
)
def test_bad_grids(grid, message):
    with pytest.raises(OptionError) as error:
        cross_validate(make_tuner("kb-mira"), grid, random_pool(1, sentences=4), BLEU)
    assert str(error.value) == message
