"""Consensus decoding against BLEU of every derivation with the averages of all."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.graphs import NAMES, derivations, graphs, lattices, ngrams, weight_vectors
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import Edge, GraphPool
from tunesmith.graph import consensus


def similarity(words, expected, length, order):
    if not words:
        return 1.0 if length == 0 else 0.0
    counts, logs = ngrams(words, order), []
    for n in range(1, min(order, len(words)) + 1):
        own = {ngram: count for ngram, count in counts.items() if len(ngram) == n}
        matched = sum(min(count, expected[ngram]) for ngram, count in own.items())
        logs.append(math.log(matched / sum(own.values())))
    return math.exp(sum(logs) / len(logs) + min(0.0, 1 - length / len(words)))


@given(
    graph=graphs() | lattices(nodes=6),
    weights=weight_vectors(),
    scale=st.sampled_from([0.25, 1.0]),
    order=st.integers(1, 4),
)
def test_the_consensus_is_most_like_the_average(graph, weights, scale, order):
    found = derivations(graph)
    values = [math.exp(scale * d.score(weights)) for d in found]
    expected, length = {}, 0.0
    for derived, value in zip(found, values, strict=True):
        for ngram, count in ngrams(derived.words, order).items():
            expected[ngram] = expected.get(ngram, 0.0) + value / sum(values) * count
        length += value / sum(values) * len(derived.words)
    likeness = {d.words: similarity(d.words, expected, length, order) for d in found}
    pool = GraphPool.build([[], graph], NAMES)
    chosen = consensus(pool, weights, scale=scale, order=order, candidates=1000)
    assert chosen.offsets.tolist() == [0, 0, 1]
    words = tuple(chosen.texts[0].split())
    assert likeness[words] == pytest.approx(max(likeness.values()), rel=1e-9)


def test_a_crowd_outvotes_the_best():
    graph = [
        [
            Edge(("x", "y", "z"), {"f": 1.0}),
            Edge(("a", "b", "c"), {"f": 0.9}),
            Edge(("a", "b", "d"), {"f": 0.8}),
            Edge(("a", "b", "e"), {"f": 0.7}),
        ]
    ]
    pool = GraphPool.build([graph])
    assert consensus(pool, {"f": 1.0}, scale=1.0).best_texts() == ["a b c"]
    assert consensus(pool, {"f": 1.0}, scale=100.0).best_texts() == ["x y z"]
    assert consensus(pool, {"f": 1.0}, scale=1.0, candidates=1).best_texts() == ["x y z"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scale": -1.0}, "scale is -1.0, expected a number above 0"),
        ({"candidates": 0}, "candidates is 0, expected 1 to 100000"),
        ({"order": 17}, "order is 17, expected 1 to 16"),
    ],
)
def test_senseless_options_are_refused(options, message):
    with pytest.raises(OptionError) as caught:
        consensus(GraphPool.build([[]]), {}, **options)
    assert str(caught.value) == message
