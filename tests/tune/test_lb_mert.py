"""Lattice MERT: the line search of lists, on graphs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graph_pools import all_derivations, random_graphs
from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.metrics import Bleu, parse_metric
from tunesmith.tune import make_tuner
from tunesmith.tune.graph_space import GraphSpace

BLEU = Bleu(tokenize="none", order=2)


def search_of(pool, metric, references, scale):
    scorer = metric.prepare(references)
    return _core.GraphLineSearch(pool.native, pool.vocabulary.native, scorer, metric.gain, scale, 1)


@given(seed=st.integers(0, 10_000), metric=st.sampled_from(["bleu", "chrf", "ter"]))
def test_lines_of_graphs_are_those_of_all_derivations(seed, metric):
    """The score at the middle of every interval is that of the best of all derivations there."""
    metric = parse_metric(metric, tokenize="none")
    pool, built, references = random_graphs(seed, sentences=3, nodes=3)
    rows = all_derivations(built, pool.names, metric.prepare(references))
    chance = np.random.default_rng(seed)
    weights, direction = chance.normal(size=(2, len(pool.names)))
    scale = chance.uniform(0.2, 5.0, size=len(pool.names))
    rows.dense = rows.dense / scale
    intervals, here = search_of(pool, metric, references, scale).along(
        weights, direction, -np.inf, np.inf
    )
    assert intervals[here][0] <= 0.0 <= intervals[here][1]
    assert intervals[0][0] == -np.inf
    assert intervals[-1][1] == np.inf
    assert np.all(np.diff(intervals[:, 0]) > 0)
    for low, high, gain in intervals:
        low, high = max(low, -1e3), min(high, 1e3)
        if high - low < 1e-6:
            continue
        scores = rows.dense @ (weights + 0.5 * (low + high) * direction)
        best = [
            begin + int(np.argmax(scores[begin:end]))
            for begin, end in zip(rows.offsets, rows.offsets[1:], strict=False)
        ]
        assert metric.gain(rows.stats[best].sum(axis=0).astype(float)) == pytest.approx(gain)


def list_and_graph(seed, *, sentences=30, hypotheses=20, features=4):
    """The same hypotheses as a pool of lists and as graphs of one edge for each."""
    chance = np.random.default_rng(seed)
    names = tuple(f"f{i}" for i in range(features))
    references = [" ".join(chance.choice(list("abcdefgh"), size=8)) for _ in range(sentences)]
    built, texts, dense = [], [], []
    for reference in references:
        # Distinct texts, close to the reference and to one another.
        mine = {}
        while len(mine) < hypotheses:
            words = np.array(reference.split())
            change = chance.random(len(words)) < 0.4
            words[change] = chance.choice(list("abcdefgh"), size=int(change.sum()))
            mine[" ".join(words)] = chance.normal(size=features).astype(np.float32).tolist()
        edges = [
            Edge(tuple(text.split()), dict(zip(names, row, strict=True)))
            for text, row in mine.items()
        ]
        built.append([edges])
        texts += mine
        dense += mine.values()
    scorer = BLEU.prepare([references])
    rows = len(texts)
    ids = np.repeat(np.arange(sentences), hypotheses).astype(np.uint32)
    lists = KBestPool(
        offsets=np.arange(0, rows + 1, hypotheses),
        dense=np.array(dense, dtype=np.float32),
        dense_names=names,
        sparse_offsets=np.zeros(rows + 1, dtype=np.int64),
        sparse_ids=np.empty(0, dtype=np.uint32),
        sparse_values=np.empty(0, dtype=np.float32),
        sparse_names=(),
        stats=scorer.stats(texts, ids, 1),
        keys=np.arange(rows, dtype=np.uint64),
    )
    return lists, GraphSpace(GraphPool.build(built, names), [references])


@pytest.mark.parametrize("directions", [0, 2])
@pytest.mark.parametrize("seed", range(5))
def test_on_graphs_that_are_lists_it_ends_where_kb_mert_ends(seed, directions):
    lists, space = list_and_graph(seed)
    options = {"restarts": 0, "combinations": 0, "random_directions": directions}
    start = Weights(dict.fromkeys(lists.names, 1.0))
    on_lists = make_tuner("kb-mert", **options).fit(lists, BLEU, start)
    on_graphs = make_tuner("lb-mert", **options).fit(space, BLEU, start)
    assert on_graphs.score == on_lists.score > on_lists.start_score
    # Lists are standardised in single precision, graphs in double.
    np.testing.assert_allclose(
        on_graphs.weights.vector(lists.names), on_lists.weights.vector(lists.names), atol=1e-7
    )


def test_no_accepted_step_lowers_the_score():
    pool, _, references = random_graphs(5, sentences=12, words="abcdefgh")
    start = Weights({"f0": 1.0, "f1": 1.0, "f2": 1.0})
    result = make_tuner("lb-mert", restarts=4).fit(GraphSpace(pool, references), BLEU, start)
    scores = [result.start_score, *(entry.score for entry in result.history)]
    assert scores == sorted(scores)
    assert result.score == scores[-1]


def test_limits_hold():
    pool, _, references = random_graphs(5, sentences=8)
    start = Weights({"f0": 1.0, "f1": 1.0, "f2": 0.5})
    tuner = make_tuner("lb-mert", fixed="f2", bounds="f1=0.5:2", restarts=2, combinations=2)
    weights = tuner.fit(GraphSpace(pool, references), BLEU, start).weights
    assert weights["f2"] == pytest.approx(0.5)
    assert 0.5 - 1e-9 <= weights["f1"] <= 2 + 1e-9


def test_sparse_features_are_refused():
    pool = GraphPool.build([[[Edge(("a",), {"lm": 1.0, "a": 1.0})]]], sparse=["a"])
    with pytest.raises(OptionError, match=r"lb-mert .* dense ones only, but the graphs have 1 "):
        make_tuner("lb-mert").fit(GraphSpace(pool, [["a"]]), BLEU, Weights({"lm": 1.0}))
