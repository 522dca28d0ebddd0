import dataclasses

import numpy as np
import pytest

from reference.pools import random_pool
from tunesmith.base.errors import OptionError
from tunesmith.metrics.bleu import Bleu
from tunesmith.metrics.column import Column
from tunesmith.tune import make_tuner
from tunesmith.tune.cross_validation import Trial, best_trial, cross_validate
from tunesmith.tune.held_out import held_out

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


def test_the_best_trial_of_a_metric_to_lower():
    trials = [Trial({"C": 1}, 5.0, 0.0), Trial({"C": 2}, 4.0, 0.0), Trial({"C": 3}, 4.0, 0.0)]
    assert best_trial(trials, Column("x", higher_is_better=False)).options == {"C": 2}
    assert best_trial(trials, BLEU).options == {"C": 1}


@pytest.mark.parametrize(
    ("grid", "message"),
    [
        (
            {"Q": [1]},
            "tuner 'kb-mira' has no option 'Q' to search over, expected one of: C, decay, "
            "interpolation, passes",
        ),
        ({"C": []}, "no values of 'C' to search over"),
        ({"C": [-1.0]}, "C is -1.0, expected more than 0"),
    ],
)
def test_bad_grids(grid, message):
    with pytest.raises(OptionError) as error:
        cross_validate(make_tuner("kb-mira"), grid, random_pool(1, sentences=4), BLEU)
    assert str(error.value) == message
