"""Which derivation wins where on a line through the weights (Macherey et al. 2008)."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from tunesmith import _core
from tunesmith.base.graph_pool import GraphPool
from tunesmith.graph.bleu import derivations_of
from tunesmith.graph.derivations import Derivations
from tunesmith.graph.weights import weight_vector


@dataclass(frozen=True)
class Envelope:
    """The winners along w + γ d, from γ = −∞ on."""

    crossings: list[float]
    """Where each winner gives way to the next; one fewer than winners."""
    derivations: Derivations
    """The winners; `scores` are those at γ = 0."""
    slopes: list[float]
    """d · h of the winners, ascending."""


def envelope(
    pool: GraphPool,
    sentence: int,
    weights: Mapping[str, float],
    direction: Mapping[str, float],
) -> Envelope:
    """All derivations of a sentence (from 0) that win somewhere on the line w + γ d.

    Works on graphs of any arity (Kumar et al. 2009): sums of convex envelopes along an edge, the
    hull of all edges at a node.

    >>> from tunesmith.base.graph_pool import Edge
    >>> short = Edge(("short",), {"len": -1.0, "lm": -1.0})
    >>> longer = Edge(("longer", "one"), {"len": -2.0, "lm": -1.5})
    >>> pool = GraphPool.build([[[short, longer]]])
    >>> found = envelope(pool, 0, {"lm": 1.0, "len": 0.0}, {"lm": 0.0, "len": 1.0})
    >>> list(found.derivations.texts), found.crossings
    (['longer one', 'short'], [-0.5])
    """
    lines, paths = _core.graph_envelope(
        pool.native, sentence, weight_vector(pool, weights), weight_vector(pool, direction)
    )
    rows = lines.tolist()
    crossings = [(low[0] - high[0]) / (high[1] - low[1]) for low, high in pairwise(rows)]
    found = derivations_of(pool, paths, lines[:, 0].copy())
    return Envelope(crossings, found, [slope for _, slope in rows])
