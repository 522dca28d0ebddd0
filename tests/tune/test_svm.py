from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference import svm as slow
from reference.pools import random_pool
from tunesmith import _core
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import make_tuner
from tunesmith.tune.gains import costs_of, standard_gains

BLEU = Bleu(tokenize="none")


def problem(seed, regularisation, *, threads=1, slack=0.0, **options):
    pool = random_pool(seed, **{"hypotheses": 10, **options})
    costs = np.maximum(costs_of(pool, standard_gains(pool, BLEU)) - slack, 0.0)
    start = np.random.default_rng(seed).normal(size=len(pool.names))
    svm = _core.StructuredSvm(
        pool.native, costs, regularisation=regularisation, start=start, threads=threads
    )
    return pool, costs, start, svm


@given(
    seed=st.integers(0, 10_000),
    regularisation=st.sampled_from([0.1, 1.0, 30.0]),
    sparse=st.sampled_from([0, 4]),
    threads=st.sampled_from([1, 2]),
)
@settings(max_examples=60)
def test_cutting_planes_equal_a_general_solver(seed, regularisation, sparse, threads):
    pool, costs, start, svm = problem(seed, regularisation, threads=threads, sparse=sparse)
    svm.select_oracles()
    value, gap, _ = svm.optimise(1e-9, 10_000, 1)
    chosen = slow.oracles(pool, costs, start)
    expected = slow.solve(pool, costs, regularisation, chosen)
    best = slow.objective(pool, costs, regularisation, chosen, expected)
    assert gap <= 1e-9 * value + 1e-12
    assert value == pytest.approx(best, rel=1e-6, abs=1e-6)
    np.testing.assert_allclose(svm.weights(), expected, atol=1e-3)


@given(seed=st.integers(0, 10_000), slack=st.sampled_from([0.0, 0.7]))
@settings(max_examples=40)
def test_selections_equal_the_alternation_with_a_general_solver(seed, slack):
    """The second problem starts from the first one's multipliers; its optimum must not care."""
    pool, costs, start, svm = problem(seed, 1.0, slack=slack, sentences=4)
    svm.select_oracles()
    svm.optimise(1e-9, 10_000, 1)
    first = svm.weights()
    before = slow.oracles(pool, costs, start)
    after = slow.oracles(pool, costs, first, before)
    assert svm.select_oracles() == (before != after).sum()
    value, *_ = svm.optimise(1e-9, 10_000, 2)
    expected = slow.solve(pool, costs, 1.0, after)
    assert value == pytest.approx(
        slow.objective(pool, costs, 1.0, after, expected), rel=1e-6, abs=1e-6
    )
    assert slow.objective(pool, costs, 1.0, after, svm.weights()) == pytest.approx(value)


def test_every_selection_lowers_the_objective():
    pool = random_pool(6, sentences=60, hypotheses=20)
    result = make_tuner("svm", gap=1e-7, gain="own").fit(pool, BLEU)
    objectives = [entry.objective for entry in result.history]
    assert len(objectives) > 1
    assert all(later <= earlier * (1 + 1e-6) for earlier, later in pairwise(objectives))


def test_the_papers_settings():
    pool = random_pool(6, sentences=40, hypotheses=20)
    pool.dense[:, 0] = pool.stats[:, 0] / pool.stats[:, 4]
    result = make_tuner("svm", gain="interpolated", oracle_slack=0.0).fit(pool, BLEU)
    assert result.score > result.start_score
