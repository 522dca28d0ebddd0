"""Expected BLEU of graphs, and which way it grows (Rosti et al. 2011; Li & Eisner 2009)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.base.graph_pool import GraphPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.graph.bleu import bleu_space
from tunesmith.graph.weights import GraphWeights, weight_vector
from tunesmith.metrics.base import Metric

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class ExpectedBleu:
    """What is to be expected of derivations that are drawn with P_w(d) ∝ exp(w · h(d))."""

    stats: Floats
    """The statistics of all sentences, summed; matches are clipped in expectation."""
    gain: float
    """BLEU of the background and these."""
    ids: npt.NDArray[np.uint32]
    """The features that the gradient of the gain has, ascending …"""
    gradient: Floats
    """… and its values for them."""
    lacks: Floats
    """[sentences] how far a derivation is, on average, from the best one; BLEU made linear."""


def expected_bleu(
    pool: GraphPool,
    weights: GraphWeights,
    metric: Metric,
    references: Sequence[Sequence[str]],
    *,
    background: npt.ArrayLike | None = None,
    engine: EngineLike = ALL_CORES,
) -> ExpectedBleu:
    """BLEU(background + Σ over sentences of E_w[statistics]), and its gradient, both exact.

    Inside–outside over graphs whose edges know which n-grams of the references they complete.

    Parameters
    ----------
    metric
        BLEU with the tokeniser ``"none"``: n-grams are those of the graphs' words.
    background
        Statistics of a text that the sentences are added to; nothing by default.
    """
    space = bleu_space(pool, metric, metric.prepare(references), "expected BLEU", engine=engine)
    given = np.zeros(metric.size) if background is None else background
    sums = np.ascontiguousarray(given, dtype=np.float64)
    stats, ids, gradient, lacks = space.gradient(
        metric.gain, weight_vector(pool, weights), sums, as_engine(engine).threads
    )
    return ExpectedBleu(stats, metric.gain(sums + stats), ids, gradient, lacks)
