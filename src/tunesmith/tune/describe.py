"""What each weight does: how far its feature moves scores, and what the score loses without it."""

from dataclasses import dataclass

import numpy as np

from tunesmith.base.errors import OptionError
from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import start_vector
from tunesmith.tune.scaling import feature_scale


@dataclass(frozen=True)
class WeightDescription:
    """One feature under given weights."""

    name: str
    weight: float
    low: float
    """The smallest value in the lists."""
    high: float
    spread: float
    """Its standard deviation within the sentences."""
    contribution: float
    """|weight| × spread, as a part of the sum over all features: its say in the choices."""
    lost: float
    """Points that the score loses when the weight is 0 (negative: it gains)."""
    changed: int
    """Sentences whose choice changes when the weight is 0."""


def describe_weights(
    pool: KBestPool, metric: Metric, weights: Weights, *, engine: EngineLike = ALL_CORES
) -> list[WeightDescription]:
    """Every dense feature and every sparse one with a weight, the largest contribution first."""
    known = [name for name in pool.names if name in weights]
    if not any(weights[name] for name in known):
        raise OptionError(
            "no weight but 0 for the features of the lists: "
            f"{', '.join(pool.names[:5])} (weights: {', '.join(list(weights)[:5])})"
        )
    vector = start_vector(pool, weights)
    scale = feature_scale(pool, engine=engine)
    say = np.abs(vector) * scale
    total = say.sum() or 1.0
    chosen = pool.best(vector, threads=as_engine(engine).threads)
    score = metric.score(pool.stats_of(chosen))
    sign = 1.0 if metric.higher_is_better else -1.0
    dense = len(pool.dense_names)
    rows = []
    for i, name in enumerate(pool.names):
        if i >= dense and vector[i] == 0.0:
            continue
        without = vector.copy()
        without[i] = 0.0
        other = pool.best(without, threads=as_engine(engine).threads) if vector[i] else chosen
        if i < dense:
            values = pool.dense[:, i]
        else:
            values = pool.sparse_values[pool.sparse_ids == i - dense]
        rows.append(
            WeightDescription(
                name=name,
                weight=float(vector[i]),
                low=float(values.min(initial=0.0)) if i >= dense else float(values.min()),
                high=float(values.max(initial=0.0)) if i >= dense else float(values.max()),
                spread=float(scale[i]),
                contribution=float(say[i] / total),
                lost=sign * (score - metric.score(pool.stats_of(other))),
                changed=int((other != chosen).sum()),
            )
        )
    return sorted(rows, key=lambda row: -row.contribution)
