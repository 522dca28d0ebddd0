"""Best derivations: Viterbi and exact k-best lists."""

from numbers import Integral

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.graph.derivations import Derivations
from tunesmith.graph.weights import GraphWeights, weight_vector

# The longest list of a sentence's translations: they take some 2.5 kB of memory each.
MAX_SIZE = 100_000


def best(pool: GraphPool, weights: GraphWeights, *, engine: EngineLike = ALL_CORES) -> Derivations:
    """The derivation of the highest score of every sentence.

    >>> from tunesmith.base.graph_pool import Edge
    >>> start = [Edge(("the",), {"lm": -1.0}), Edge(("a",), {"lm": -1.5})]
    >>> goal = [Edge((0, "house"), {"lm": -2.0}, tails=(0,))]
    >>> found = best(GraphPool.build([[start, goal]]), {"lm": 1.0})
    >>> found.best_texts(), found.scores.tolist()
    (['the house'], [-3.0])
    """
    return kbest(pool, weights, 1, engine=engine)


def check_size(size: object) -> None:
    """Refuse a length of lists that nobody means: memory and time grow with it."""
    if not isinstance(size, Integral) or not 1 <= int(size) <= MAX_SIZE:
        raise OptionError(f"size is {size!r}, expected 1 to {MAX_SIZE}")


def kbest(
    pool: GraphPool,
    weights: GraphWeights,
    size: int,
    *,
    distinct: bool = True,
    engine: EngineLike = ALL_CORES,
) -> Derivations:
    """The `size` best derivations of every sentence, exactly (Huang & Chiang 2005, Algorithm 3).

    With `distinct`, of the derivations with the same words only the best is listed.
    """
    check_size(size)
    found = _core.graph_kbest(
        pool.native, weight_vector(pool, weights), size, distinct, as_engine(engine).threads
    )
    return Derivations(pool, *found)
