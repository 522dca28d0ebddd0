"""Hope, fear and oracle on graphs are those of all derivations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graph_bleu import choose, follow
from reference.graphs import NAMES, WORDS, derivations, graphs, lattices, weight_vectors
from tunesmith import _core
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.metrics import Bleu

SENTENCES = st.lists(st.sampled_from((*WORDS, "d")), max_size=6).map(" ".join)
LENGTHS = st.sampled_from(["closest", "shortest", "average"])


def space_of(pool, scorer, threads=1):
    ids = np.arange(pool.sentences, dtype=np.uint32)
    return _core.BleuSpace(pool.native, pool.vocabulary.native, scorer, ids, threads)


def check(nodes, weights, metric, references, background, factor, beam=0):
    """What was found, and the best there is: each as (total, score, gain, statistics)."""
    pool = GraphPool.build([nodes], NAMES)
    scorer = metric.prepare([[reference] for reference in references])
    vector = np.array([weights[name] for name in NAMES])
    (sentences, offsets, edges), stats, scores, gains = space_of(pool, scorer).best(
        metric.gain, vector, background, background, factor, beam, 1
    )
    assert sentences.tolist() == [0]
    assert offsets.tolist() == [0, len(edges)]
    words, features = follow(nodes, edges.tolist())
    assert scorer.stats([" ".join(words)], np.zeros(1, np.uint32), 1).tolist() == stats.tolist()
    score = sum(weights[name] * value for name, value in features.items())
    assert score == pytest.approx(scores[0])
    sums = background + stats[0]
    assert factor * metric.gain(sums) == pytest.approx(gains[0])
    best = choose(
        derivations(nodes),
        scorer,
        0,
        lambda one: one.score(weights),
        metric.gain,
        background,
        factor,
    )
    return scores[0] + gains[0], best[0]


@given(
    st.one_of(graphs(nodes=5), lattices(nodes=6)),
    weight_vectors(),
    st.integers(1, 4),
    LENGTHS,
    st.lists(SENTENCES, min_size=1, max_size=2),
    st.floats(0.1, 5.0),
    st.sampled_from([30.0, -30.0, 1000.0]),
)
def test_without_a_beam_hope_and_fear_are_exact(
    nodes, weights, order, length, references, size, factor
):
    metric = Bleu(order=order, tokenize="none", reference_length=length)
    # Around the size of a sentence BLEU is anything but linear.
    background = size * np.array([2.0] * order + [3.0] * order + [3.0, 3.0])
    found, best = check(nodes, weights, metric, references, background, factor)
    assert found == pytest.approx(best, abs=1e-9)


@given(graphs(nodes=5), weight_vectors(), st.lists(SENTENCES, min_size=1, max_size=2))
def test_a_beam_finds_derivations_that_exist(nodes, weights, references):
    background = np.array([50.0] * 3 + [80.0] * 3 + [90.0, 95.0])
    metric = Bleu(order=3, tokenize="none")
    found, best = check(nodes, weights, metric, references, background, 40.0, beam=1)
    assert found <= best + 1e-9


def test_matches_are_clipped_across_the_tails_of_an_edge():
    """Both halves have the reference's only b: one of them counts."""
    halves = [[Edge(("a", "b"))], [Edge(("b", "c")), Edge(("c", "c"), {"f0": -0.01})]]
    nodes = [*halves, [Edge((0, 1), {}, (0, 1))]]
    metric = Bleu(order=1, tokenize="none")
    background = np.array([10.0, 20.0, 20.0, 20.0])
    weights = dict.fromkeys(NAMES, 1.0)
    for factor in (1.0, -1.0):
        found, best = check(nodes, weights, metric, ["a b c c"], background, factor)
        assert found == pytest.approx(best)


@given(st.lists(graphs() | lattices(), min_size=2, max_size=3), st.randoms())
def test_the_oracle_is_a_corpus_that_no_single_substitution_betters(sentences, random):
    metric = Bleu(order=2, tokenize="none", smoothing="add-k")
    references = [[" ".join(random.choices(WORDS, k=random.randint(1, 5))) for _ in sentences]]
    scorer = metric.prepare(references)
    pool = GraphPool.build(sentences, NAMES)
    (ids, *_), stats, _, _ = space_of(pool, scorer).oracle(metric.gain, np.zeros(len(NAMES)), 0)
    assert ids.tolist() == list(range(len(sentences)))
    sums = stats.sum(axis=0).astype(float)
    for s, nodes in enumerate(sentences):
        best = choose(
            derivations(nodes), scorer, s, lambda one: 0.0, metric.gain, sums - stats[s], 1.0
        )
        assert best[0] <= metric.gain(sums) + 1e-9


def test_sentences_without_derivations_are_left_out():
    pool = GraphPool.build([[], [[Edge(("a",), {"f0": 1.0})]]], NAMES)
    metric = Bleu(tokenize="none")
    scorer = metric.prepare([["a b", "a"]])
    zeros = np.ones(10)
    (ids, *_), *_ = space_of(pool, scorer).best(metric.gain, np.ones(4), zeros, zeros, 1.0, 5, 2)
    assert ids.tolist() == [1]


def test_what_does_not_fit_is_refused():
    pool = GraphPool.build([[[Edge(("a",), {"f0": 1.0})]]], NAMES)
    words, tokens = Bleu(tokenize="none"), Bleu(tokenize="13a")
    with pytest.raises(ValueError, match="BLEU of words"):
        space_of(pool, tokens.prepare([["a"]]))
    with pytest.raises(ValueError, match="a sentence without references"):
        _core.BleuSpace(
            pool.native,
            pool.vocabulary.native,
            words.prepare([["a"]]),
            np.array([1], np.uint32),
            1,
        )
    space = space_of(pool, words.prepare([["a"]]))
    with pytest.raises(ValueError, match="one weight per feature"):
        space.best(words.gain, np.ones(3), np.ones(10), np.ones(10), 1.0, 5, 1)
    with pytest.raises(ValueError, match="one background count"):
        space.best(words.gain, np.ones(4), np.ones(9), np.ones(10), 1.0, 5, 1)
