"""The envelope of a graph is that of the lines of all its derivations."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reference.graph_bleu import envelope, follow
from reference.graphs import NAMES, derivations, graphs, lattices, weight_vectors
from tunesmith import _core
from tunesmith.base.graph_pool import GraphPool


def vector(weights):
    return np.array([weights[name] for name in NAMES])


@given(
    st.one_of(graphs(nodes=5), graphs(nodes=4, arity=3), lattices(nodes=6)),
    weight_vectors(),
    weight_vectors(),
)
def test_the_envelope_is_that_of_all_derivations(nodes, weights, direction):
    pool = GraphPool.build([nodes], NAMES)
    lines, (_, offsets, edges) = _core.graph_envelope(
        pool.native, 0, vector(weights), vector(direction)
    )
    wanted = envelope([(one.score(weights), one.score(direction)) for one in derivations(nodes)])
    # Values are multiples of 1/64, so lines are compared exactly.
    assert [tuple(line) for line in lines.tolist()] == wanted
    for i, (intercept, slope) in enumerate(wanted):
        _, features = follow(nodes, edges[offsets[i] : offsets[i + 1]].tolist())
        assert sum(weights[name] * value for name, value in features.items()) == intercept
        assert sum(direction[name] * value for name, value in features.items()) == slope


def test_an_empty_graph_has_no_lines():
    pool = GraphPool.build([[]], NAMES)
    lines, (_, offsets, edges) = _core.graph_envelope(pool.native, 0, np.ones(4), np.ones(4))
    assert lines.shape == (0, 2)
    assert offsets.tolist() == [0]
    assert len(edges) == 0
