"""Consensus decoding: the translation that is most like all others, weighed by their scores."""

import math
from collections.abc import Mapping

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.graph.derivations import Derivations
from tunesmith.graph.search import MAX_SIZE
from tunesmith.graph.sums import MAX_EDGES, check_order
from tunesmith.graph.weights import weight_vector


def consensus(
    pool: GraphPool,
    weights: Mapping[str, float],
    *,
    scale: float = 10.0,
    candidates: int = 100,
    order: int = 4,
    engine: EngineLike = ALL_CORES,
) -> Derivations:
    """Fast consensus decoding with BLEU (DeNero, Chiang & Knight 2009), one per sentence.

    Of the best `candidates` of distinct words the one with the highest BLEU against the whole
    graph: expected n-gram counts take the place of a reference's counts, the expected length of
    its length.

    Parameters
    ----------
    scale
        Scores are multiplied by this before they become weights: small values listen to many
        derivations, large ones to the best only. The default is for weights whose absolute
        values sum to about 1.
    candidates
        How many translations are compared.
    order
        The longest n-grams that count.
    """
    check_order(order)
    if not 1 <= candidates <= MAX_SIZE:
        raise OptionError(f"candidates is {candidates}, expected 1 to {MAX_SIZE}")
    if not 0 < scale < math.inf:
        raise OptionError(f"scale is {scale}, expected a number above 0")
    found, _ = _core.graph_consensus(
        pool.native,
        weight_vector(pool, weights),
        scale,
        candidates,
        order,
        MAX_EDGES,
        as_engine(engine).threads,
    )
    return Derivations(pool, *found)
