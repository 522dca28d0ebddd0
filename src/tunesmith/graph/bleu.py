"""Derivations that BLEU likes or dislikes: hope and fear, and the oracle (Chiang et al. 2008)."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.graph.derivations import Derivations
from tunesmith.graph.weights import GraphWeights, weight_vector
from tunesmith.metrics.base import Metric, Scorer
from tunesmith.metrics.bleu import Bleu

# Items that a node keeps while the best are sought.
BEAM = 10


def with_bleu(
    pool: GraphPool,
    weights: GraphWeights,
    metric: Metric,
    references: Sequence[Sequence[str]],
    *,
    factor: float,
    background: npt.ArrayLike | None = None,
    around: npt.ArrayLike | None = None,
    beam: int = BEAM,
    engine: EngineLike = ALL_CORES,
) -> Derivations:
    """The derivations of the highest w · h + factor × BLEU(background + statistics).

    With a positive factor these are the hopes of MIRA, with a negative one the fears.

    The counts of BLEU are tracked along the graph exactly: the last words (the first ones too where
    edges have two tails), clipped matches, and length. A node keeps `beam` items, judged by BLEU
    made linear at `around`; 0 keeps all, and the result is the true argmax.

    Parameters
    ----------
    metric
        BLEU with the tokeniser ``"none"``: n-grams are those of the graphs' words.
    references
        One sequence of sentences per reference file.
    factor
        What 1.0 of BLEU (100 points) is worth.
    background
        Statistics of a pseudo-corpus that every derivation is added to; a little of everything
        by default, so that BLEU is that of a sentence.
    around
        Statistics of a text of about the same quality; the background by default.
    """
    space = bleu_space(pool, metric, metric.prepare(references), "hope and fear", engine=engine)
    given = np.full(metric.size, 0.5) if background is None else background
    sums = np.ascontiguousarray(given, dtype=np.float64)
    vector = weight_vector(pool, weights)
    place = sums if around is None else np.ascontiguousarray(around, dtype=np.float64)
    paths, _, scores, _ = space.best(
        metric.gain, vector, sums, place, factor, beam, as_engine(engine).threads
    )
    return derivations_of(pool, paths, scores)


def oracle(
    pool: GraphPool,
    metric: Metric,
    references: Sequence[Sequence[str]],
    weights: GraphWeights | None = None,
    *,
    beam: int = BEAM,
    engine: EngineLike = ALL_CORES,
) -> Derivations:
    """Derivations whose corpus BLEU no other derivation of a single sentence betters.

    Greedy substitution (Venugopal & Vogel 2005) from the best derivations under `weights`, with a
    search like `with_bleu` for every sentence.

    >>> from tunesmith.base.graph_pool import Edge
    >>> start = [Edge(("the",), {"lm": -1.0}), Edge(("a",), {"lm": -1.5})]
    >>> goal = [Edge((0, "house"), {"lm": -2.0}, tails=(0,))]
    >>> pool = GraphPool.build([[start, goal]])
    >>> oracle(pool, Bleu(order=2, tokenize="none"), [["a house"]]).best_texts()
    ['a house']
    """
    space = bleu_space(pool, metric, metric.prepare(references), "the oracle", engine=engine)
    vector = np.zeros(len(pool.names)) if weights is None else weight_vector(pool, weights)
    paths, _, scores, _ = space.oracle(metric.gain, vector, beam)
    return derivations_of(pool, paths, scores)


def check_bleu(metric: Metric, who: str) -> None:
    """Refuse metrics that cannot be followed along the edges of a graph."""
    if not isinstance(metric, Bleu) or metric.tokenize != "none":
        raise OptionError(
            f"{who} looks for n-grams along the words of the graphs: it takes BLEU with the "
            f"tokeniser 'none', not {metric.name}"
            + (f" with '{metric.tokenize}'" if isinstance(metric, Bleu) else "")
        )


def bleu_space(
    pool: GraphPool, metric: Metric, scorer: Scorer, who: str, *, engine: EngineLike
) -> _core.BleuSpace:
    """The native graphs with the n-grams of their references."""
    check_bleu(metric, who)
    sentences = np.arange(len(pool), dtype=np.uint32)
    if len(pool) > scorer.sentences:
        raise OptionError(f"graphs of {len(pool):,} sentences, references of {scorer.sentences:,}")
    return _core.BleuSpace(
        pool.native, pool.vocabulary.native, scorer, sentences, as_engine(engine).threads
    )


Paths = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.uint32]]
"""Sentences, where the edges of each path begin, edges."""


def derivations_of(
    pool: GraphPool, paths: Paths, scores: npt.NDArray[np.float64] | None = None
) -> Derivations:
    """Native (sentences, offsets, edges), in any order, as derivations by sentence."""
    sentences, offsets, edges = paths
    order = np.argsort(sentences, kind="stable")
    lengths = np.diff(offsets)
    starts = np.concatenate([[0], np.cumsum(lengths[order])]).astype(np.int64)
    places = np.repeat(offsets[order] - starts[:-1], lengths[order]) + np.arange(starts[-1])
    counts = np.bincount(sentences, minlength=len(pool))
    return Derivations(
        pool,
        offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        scores=np.zeros(len(sentences)) if scores is None else scores[order],
        edge_offsets=starts,
        edges=edges[places],
    )
