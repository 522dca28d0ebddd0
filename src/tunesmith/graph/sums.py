"""Sums over all derivations: a derivation of score s has the weight exp(scale · s)."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.graph.weights import GraphWeights, weight_vector

# With n-gram states, a sentence's graph may grow to this many edges.
MAX_EDGES = 20_000_000


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Rows of numbers of which most are 0: row r has values[offsets[r]:offsets[r + 1]] at ids."""

    offsets: npt.NDArray[np.int64]
    ids: npt.NDArray[np.uint32]
    values: npt.NDArray[np.float64]
    size: int
    """The length of a row."""

    def dense(self) -> npt.NDArray[np.float64]:
        """[rows, size] the same with all zeros."""
        rows = len(self.offsets) - 1
        out = np.zeros((rows, self.size))
        out[np.repeat(np.arange(rows), np.diff(self.offsets)), self.ids] = self.values
        return out


def posteriors(
    pool: GraphPool,
    weights: Mapping[str, float],
    *,
    scale: float = 1.0,
    engine: EngineLike = ALL_CORES,
) -> npt.NDArray[np.float64]:
    """[edges] how often each edge is used on average (inside–outside, in log space)."""
    return _inside_outside(pool, weights, scale, engine)[0]


def log_sums(
    pool: GraphPool,
    weights: GraphWeights,
    *,
    scale: float = 1.0,
    engine: EngineLike = ALL_CORES,
) -> npt.NDArray[np.float64]:
    """[sentences] the logarithm of the sum of all weights; -inf without a derivation."""
    return _inside_outside(pool, weights, scale, engine)[1]


def _inside_outside(
    pool: GraphPool, weights: GraphWeights, scale: float, engine: EngineLike
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    posteriors, logs = _core.graph_posteriors(
        pool.native, weight_vector(pool, weights, scale), as_engine(engine).threads
    )
    return posteriors, logs


def max_marginals(
    pool: GraphPool, weights: Mapping[str, float], *, engine: EngineLike = ALL_CORES
) -> npt.NDArray[np.float64]:
    """[edges] the score of the best derivation that uses each edge; -inf where none does."""
    return _core.graph_max_marginals(
        pool.native, weight_vector(pool, weights), as_engine(engine).threads
    )


def expected_features(
    pool: GraphPool,
    weights: Mapping[str, float],
    *,
    scale: float = 1.0,
    engine: EngineLike = ALL_CORES,
) -> SparseRows:
    """[sentences, features] the features of a derivation on average."""
    offsets, ids, values = _core.graph_expected_features(
        pool.native, weight_vector(pool, weights, scale), as_engine(engine).threads
    )
    return SparseRows(offsets, ids, values, len(pool.names))


def expected_ngrams(
    pool: GraphPool,
    weights: Mapping[str, float],
    *,
    order: int = 4,
    scale: float = 1.0,
    engine: EngineLike = ALL_CORES,
) -> list[dict[tuple[str, ...], float]]:
    """For every sentence, how often each n-gram of 1 to `order` words is there on average.

    Exact: nodes are split by the words that n-grams across edges need, which can make a graph
    much larger; prune it first.
    """
    check_order(order)
    offsets, word_offsets, words, values = _core.graph_expected_ngrams(
        pool.native,
        weight_vector(pool, weights, scale),
        order,
        MAX_EDGES,
        as_engine(engine).threads,
    )
    texts = [pool.vocabulary.text(word) for word in words.tolist()]
    ngrams = [tuple(texts[a:b]) for a, b in pairwise(word_offsets)]
    return [dict(zip(ngrams[a:b], values[a:b].tolist(), strict=True)) for a, b in pairwise(offsets)]


def check_order(order: int) -> None:
    """Refuse n-grams of no words, and such that are longer than any use."""
    if not 1 <= order <= 16:
        raise OptionError(f"order is {order}, expected 1 to 16")
