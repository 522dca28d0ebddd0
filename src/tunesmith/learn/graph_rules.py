"""How the graphs of a batch move the weights: the rules of `update_rules` for all derivations.

A graph has every derivation of the beam, those of equal words too, and no list of them is made.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith.base.graph_pool import GraphPool
from tunesmith.engine import EngineLike
from tunesmith.graph import best, expected_bleu, with_bleu
from tunesmith.learn.methods import METRIC
from tunesmith.learn.update_rules import Floats

# BLEU+1 is plain BLEU of these statistics and a sentence's own: one match and one n-gram more in
# all orders but the first.
ADD_ONE = np.array([0.0, *[1.0] * (METRIC.order - 1)] * 2 + [0.0, 0.0])
# A gain that is smaller than this is rounding.
SPECK = 1e-12
# What scores count beside BLEU where its best derivation is sought: they decide among equals.
TIES = 1e-7


@dataclass(frozen=True)
class GraphUpdate:
    """What a rule makes of the graphs of some sentences."""

    ids: npt.NDArray[np.uint32]
    """Features of the pool, each once …"""
    change: Floats
    """… and by how much their weights are to move."""
    violations: Floats
    """[sentences] how far the model's choice is from what it should be."""
    updated: npt.NDArray[np.bool_]
    """[sentences] whether there is anything to mend."""


#: Graphs, their weights as a vector, references, statistics of the text that sentences are judged
#: in, and what its gain is multiplied by.
GraphRule = Callable[[GraphPool, Floats, Sequence[str], Floats, float, EngineLike], GraphUpdate]


def expected(
    pool: GraphPool,
    weights: Floats,
    targets: Sequence[str],
    background: Floats,
    factor: float,
    engine: EngineLike,
) -> GraphUpdate:
    """Up the gradient of expected BLEU over all derivations (Rosti et al. 2011, equation 9).

    ∇ BLEU(b + Σ_s E_s[σ]) = Σ_s Cov_s(g, Φ): σ are the statistics of a derivation, b those of the
    text around the batch, and g is BLEU made linear at their sum. The same as for lists (He & Deng
    2012), where g_k needs no derivative; matches are clipped in expectation. The violation is how
    far E_s[g] is from the largest g of a derivation.
    """
    found = expected_bleu(pool, weights, METRIC, [targets], background=background, engine=engine)
    lacks = factor * found.lacks
    return GraphUpdate(found.ids, factor * found.gradient, lacks, lacks > SPECK)


def local(
    pool: GraphPool,
    weights: Floats,
    targets: Sequence[str],
    background: Floats,
    factor: float,
    engine: EngineLike,
) -> GraphUpdate:
    """Towards the derivation of the largest BLEU+1, away from the model's choice.

    Equations (9) and (10) of Yu et al. (2013), §3.4, as for lists: w ← w + ΔΦ(d⁺, d⁻). d⁺ is found
    with a beam for each node (see `with_bleu`).
    """
    chosen = best(pool, weights, engine=engine)
    scorer, sentences = METRIC.prepare([targets]), np.flatnonzero(np.diff(chosen.offsets))
    stats = METRIC.stats(chosen.texts, sentences, scorer, engine=engine)
    hopes = with_bleu(
        pool,
        weights,
        METRIC,
        [targets],
        factor=max(float(np.abs(weights).sum()), 1.0) / TIES,
        background=background,
        around=background + 0.5 + stats.sum(axis=0) / max(len(stats), 1),
        engine=engine,
    )
    hoped = METRIC.stats(hopes.texts, sentences, scorer, engine=engine)
    gains = [METRIC.sentence_gains(some, engine=engine) for some in (hoped, stats)]
    mended = gains[0] > gains[1] + SPECK
    violations, updated = np.zeros(len(pool)), np.zeros(len(pool), bool)
    violations[sentences] = np.where(mended, chosen.scores - hopes.scores, 0.0)
    updated[sentences] = mended
    towards, added = hopes.feature_sum(mended.astype(float))
    away, taken = chosen.feature_sum(-mended.astype(float))
    ids, places = np.unique(np.concatenate([towards, away]), return_inverse=True)
    change = np.bincount(places, np.concatenate([added, taken]), len(ids))
    return GraphUpdate(ids, change.astype(np.float64), violations, updated)


#: Methods that need graphs alone.
GRAPH_RULES: dict[str, GraphRule] = {"expected": expected, "local": local}
