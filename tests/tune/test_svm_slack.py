import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference import slack as slow
from reference.pools import random_pool
from tunesmith import _core
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import make_tuner
from tunesmith.tune.oracle import greedy_oracle

BLEU = Bleu(tokenize="none")
INSIDE = 1e-6


def case(seed, **options):
    pool = random_pool(seed, sparse=0, **options)
    weights = np.random.default_rng([seed, 1]).normal(size=len(pool.names))
    return pool, weights, _core.Columns(pool.native, 1), greedy_oracle(pool, BLEU).rows


def oracle_sums(pool, oracle):
    return pool.dense[oracle].sum(axis=0, dtype=float)


def substitution_losses(pool, oracle, scale):
    losses = np.zeros(pool.rows)
    best = BLEU.gain(pool.stats_of(oracle).astype(float))
    for s in range(pool.sentences):
        for row in range(pool.offsets[s], pool.offsets[s + 1]):
            changed = oracle.copy()
            changed[s] = row
            losses[row] = scale * (best - BLEU.gain(pool.stats_of(changed).astype(float)))
    return losses


SETTINGS = {
    "seed": st.integers(0, 10_000),
    "feature": st.integers(0, 2),
    "l2": st.sampled_from([0.01, 1.0, 10.0]),
    "scale": st.sampled_from([1.0, 30.0]),
    "right_ends": st.booleans(),
}


@given(**SETTINGS)
def test_s_slack_equals_the_slow_twin(seed, feature, l2, scale, right_ends):
    pool, weights, columns, oracle = case(seed, hypotheses=6)
    losses = substitution_losses(pool, oracle, scale)

    def slack(w):
        return slow.s_slack(pool, oracle, losses, w)

    step, value = slow.lowest_along(
        pool, slack, l2, losses, weights, feature, right_ends=right_ends, inside=INSIDE
    )
    problem = _core.SlackProblem.s_slack(columns, oracle_sums(pool, oracle), losses, l2, right_ends)
    here, found_step, found = problem.lowest_along(weights, feature)
    assert here == pytest.approx(slow.objective(slack, l2, weights), abs=1e-9)
    assert found == pytest.approx(value, rel=1e-6, abs=1e-6)
    assert found_step == pytest.approx(step, rel=1e-3, abs=1e-3)
    there = weights + found_step * np.eye(3)[feature]
    assert found == pytest.approx(slow.objective(slack, l2, there), abs=1e-9)


@given(**SETTINGS, rivals_only=st.booleans())
def test_1_slack_equals_the_slow_twin(seed, feature, l2, scale, right_ends, rivals_only):
    pool, weights, _, _ = case(seed, hypotheses=6)
    tuner = make_tuner(
        "svm-1-slack", Q=scale, l2=l2, right_ends=right_ends, rivals_only=rivals_only
    )
    oracle = greedy_oracle(pool, BLEU)
    problem = tuner.problem(pool, BLEU, oracle)

    def slack(w):
        return slow.one_slack(pool, oracle.rows, BLEU.gain, scale, w, rivals_only=rivals_only)

    rivals = pool.without(oracle.rows) if rivals_only else pool
    _, value = slow.lowest_along(
        rivals, slack, l2, 0.0, weights, feature, right_ends=right_ends, inside=INSIDE
    )
    here, found_step, found = problem.lowest_along(weights, feature)
    assert here == pytest.approx(slow.objective(slack, l2, weights), abs=1e-9)
    assert found == pytest.approx(value, rel=1e-6, abs=1e-5)
    there = weights + found_step * np.eye(3)[feature]
    assert found == pytest.approx(slow.objective(slack, l2, there), abs=1e-9)


def test_rivals_are_all_but_the_oracle():
    pool, _, _, oracle = case(2, sentences=4, hypotheses=5)
    rivals = pool.without(oracle)
    assert np.diff(pool.offsets).tolist() == [5, 2, 1, 2]
    assert np.diff(rivals.offsets).tolist() == [4, 1, 1, 1]  # a sentence never loses all
    lost = np.setdiff1d(oracle, [oracle[2]])
    np.testing.assert_array_equal(rivals.stats, np.delete(pool.stats, lost, axis=0))
    np.testing.assert_array_equal(rivals.dense, np.delete(pool.dense, lost, axis=0))


@pytest.mark.parametrize(
    ("name", "options"),
    [("svm-s-slack", {}), ("svm-1-slack", {}), ("svm-1-slack", {"rivals_only": True})],
)
def test_the_tuner_minimises_the_papers_objective(name, options):
    pool, _, _, _ = case(5, sentences=25, hypotheses=15, dense=4)
    result = make_tuner(name, Q=100.0, restarts=3, **options).fit(pool, BLEU)
    objectives = [entry.objective for entry in result.history]
    assert objectives == sorted(objectives)  # given with a minus: higher is better
    assert result.score >= result.start_score


@pytest.mark.parametrize("seed", range(5))
def test_more_rounds_never_end_higher(seed):
    pool, weights, columns, oracle = case(seed, sentences=25, hypotheses=15)
    losses = substitution_losses(pool, oracle, 100.0)
    problem = _core.SlackProblem.s_slack(columns, oracle_sums(pool, oracle), losses, 1.0, False)

    def objective(w):
        return slow.objective(lambda v: slow.s_slack(pool, oracle, losses, v), 1.0, w)

    values = [problem.lowest_along(weights, 0)[0]]
    for rounds in range(1, 8):
        ends, (value,) = problem.climb(weights[None, :], rounds, 1, 1)
        assert value == pytest.approx(objective(ends[0]), rel=1e-12)
        values.append(value)
    assert (np.diff(values) <= 1e-12).all()
    # Convex, so nothing nearby is much lower.
    chance = np.random.default_rng(seed)
    for _ in range(50):
        nearby = ends[0] + 0.1 * chance.normal(size=3)
        assert objective(nearby) >= values[-1] * (1 - 0.02)


def test_arguments_that_do_not_fit():
    pool, weights, columns, oracle = case(1, sentences=3)
    losses, sums = np.zeros(pool.rows), oracle_sums(pool, oracle)
    with pytest.raises(ValueError, match="one sum of the oracle per dense feature"):
        _core.SlackProblem.s_slack(columns, sums[:2], losses, 1.0, False)
    with pytest.raises(ValueError, match="one loss per hypothesis"):
        _core.SlackProblem.s_slack(columns, sums, losses[1:], 1.0, False)
    with pytest.raises(ValueError, match="l2 must be above 0"):
        _core.SlackProblem.s_slack(columns, sums, losses, 0.0, False)
    problem = _core.SlackProblem.s_slack(columns, sums, losses, 1.0, False)
    with pytest.raises(ValueError, match="one weight per dense feature"):
        problem.lowest_along(weights[:2], 0)
