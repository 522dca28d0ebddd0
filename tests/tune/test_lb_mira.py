"""Lattice MIRA: Algorithm 1 over all derivations, and what a tuner of graphs must do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graph_pools import all_derivations, random_graphs
from reference.graphs import derivations
from reference.mira import batch_mira
from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.metrics.bleu import Bleu
from tunesmith.tune import make_tuner
from tunesmith.tune.graph_space import GraphSpace

BLEU = Bleu(tokenize="none")
START = Weights({"f0": 1.0, "f1": 1.0, "f2": 1.0})


def native_space(pool, scorer, threads=1):
    ids = np.arange(pool.sentences, dtype=np.uint32)
    return _core.BleuSpace(pool.native, pool.vocabulary.native, scorer, ids, threads)


@given(
    seed=st.integers(0, 10_000),
    step_cap=st.sampled_from([0.01, 0.3, 100.0]),
    decay=st.sampled_from([0.5, 0.999, 1.0]),
    gain_scale=st.sampled_from([0.1, 1.0, 10.0]),
    order=st.sampled_from([2, 4]),
    threads=st.sampled_from([1, 2]),
)
def test_passes_equal_the_slow_twin(seed, step_cap, decay, gain_scale, order, threads):
    """Without a beam, hope and fear of a graph are those of the list of all its derivations."""
    pool, built, references = random_graphs(seed, sentences=3, nodes=3, references=2)
    metric = Bleu(order=order, tokenize="none")
    scorer = metric.prepare(references)
    rows = all_derivations(built, pool.names, scorer)
    chance = np.random.default_rng(seed)
    start = chance.normal(size=len(pool.names))
    scale = chance.uniform(0.2, 5.0, size=len(pool.names))
    background = chance.uniform(0.1, 5.0, size=metric.size)
    orders = [chance.permutation(pool.sentences) for _ in range(3)]
    options = {"step_cap": step_cap, "decay": decay, "gain_scale": gain_scale}
    rows.dense = rows.dense / scale
    averages, losses = batch_mira(rows, metric.gain, start * scale, background, orders, **options)
    mira = _core.GraphMira(
        metric.gain,
        start,
        scale,
        background,
        background_size=1.0,
        beam=0,
        threads=threads,
        **options,
    )
    space = native_space(pool, scorer)
    for visits, average, loss in zip(orders, averages, losses, strict=True):
        assert mira.run_pass(space, visits) == pytest.approx(loss, abs=1e-6)
        np.testing.assert_allclose(mira.average() * scale, average, atol=1e-6)


def test_only_hopes_and_fears_are_kept():
    pool, built, references = random_graphs(4, sentences=3, nodes=3)
    result = make_tuner("lb-mira", passes=2).fit(GraphSpace(pool, references), BLEU, START)
    every = [len(derivations(nodes)) for nodes in built]
    kept = [len(derivations(result.memory.paths[s])) for s in range(3)]
    # Two passes choose two derivations each, at most.
    assert all(1 <= few <= min(4, many) for few, many in zip(kept, every, strict=True))
    # What was kept before stays.
    again = GraphSpace(pool, references, result.memory)
    more = make_tuner("lb-mira", passes=2, seed=2).fit(again, BLEU, result.weights)
    for s, few in enumerate(kept):
        assert {one.words for one in derivations(result.memory.paths[s])} <= {
            one.words for one in derivations(more.memory.paths[s])
        }
        assert len(derivations(more.memory.paths[s])) >= few


@pytest.mark.parametrize("seed", range(5))
def test_interpolation_stays_between_the_start_and_what_was_learnt(seed):
    pool, _, references = random_graphs(seed, sentences=4, nodes=4, references=1)
    whole, half = (
        make_tuner("lb-mira", interpolation=part, passes=1, C=1.0)
        .fit(GraphSpace(pool, references), BLEU, START, keep_better_start=False)
        .weights.vector(pool.names)
        for part in (1.0, 0.5)
    )
    ends = np.stack([START.vector(pool.names), whole], axis=1)
    assert np.linalg.matrix_rank(ends) == 2
    parts, residual, *_ = np.linalg.lstsq(ends, half)
    assert residual == pytest.approx(0, abs=1e-12)
    assert (parts > 0).all()
