"""Smaller graphs: the edges that matter, to a number per word or a distance from the best."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.graph.search import best
from tunesmith.graph.weights import weight_vector

BY = ("viterbi", "posterior")


def prune(
    pool: GraphPool,
    weights: Mapping[str, float],
    *,
    density: float | None = None,
    threshold: float | None = None,
    by: str = "viterbi",
    word_counts: Sequence[int] | None = None,
    scale: float = 1.0,
    engine: EngineLike = ALL_CORES,
) -> GraphPool:
    """Keep the edges that matter most, each with the best derivation through it.

    The best derivation of all is always kept, and no edge is left that leads nowhere.

    Parameters
    ----------
    density
        Keep this many edges per word at most (50 per reference word: Cherry & Foster 2012).
    threshold
        Drop edges whose value is this much (natural log) below the best edge's.
    by
        The value of an edge: ``"viterbi"``, the score of the best derivation through it, or
        ``"posterior"``, the logarithm of how often it is used on average.
    word_counts
        The words that `density` counts for each sentence: those of its reference, say. By default
        those of its best derivation.
    scale
        Scores are multiplied by this.
    """
    if by not in BY:
        raise OptionError(f"by is {by!r}, expected one of: {', '.join(BY)}")
    if density is None and threshold is None:
        raise OptionError("neither density nor threshold is given")
    if density is not None and not 0 < density < math.inf:
        raise OptionError(f"density is {density}, expected a number above 0")
    if threshold is not None and not threshold >= 0:
        raise OptionError(f"threshold is {threshold}, expected a number of at least 0")
    if not 0 < scale < math.inf:
        raise OptionError(f"scale is {scale}, expected a number above 0")
    limits = np.empty(0, dtype=np.int64)
    if density is not None:
        if word_counts is None:
            texts = best(pool, weights, engine=engine).best_texts()
            word_counts = [len(text.split(" ")) for text in texts]
        if len(word_counts) != len(pool):
            raise OptionError(f"{len(word_counts)} word counts for {len(pool)} sentences")
        counts = np.maximum(np.asarray(word_counts, dtype=np.int64), 1)
        limits = np.minimum(np.ceil(density * counts), pool.edges).astype(np.int64)
    parts = _core.graph_prune(
        pool.native,
        weight_vector(pool, weights, scale),
        by == "posterior",
        limits,
        math.inf if threshold is None else threshold,
        as_engine(engine).threads,
    )
    return pool.with_graphs(parts)
