"""The score and an objective along one weight: Figure 2 of Hayashi et al. (2009).

Weights are in the units of the structural SVMs: features divided by their spread, and the given
weights scaled to length 1. One of them takes other values, the rest stay.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tunesmith.base.errors import OptionError
from tunesmith.base.pool import KBestPool
from tunesmith.base.weights import Weights
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.metrics.base import Metric
from tunesmith.tune.base import Vector, start_vector, unit_length
from tunesmith.tune.oracle import greedy_oracle
from tunesmith.tune.scaling import feature_scale
from tunesmith.tune.svm_slack import OneSlack


@dataclass(frozen=True)
class Along:
    """What happens along the weight of `feature`."""

    feature: str
    here: float
    """What the given weights have."""
    values: Vector
    scores: Vector
    """The metric's, of what the weights choose."""
    objectives: dict[float, Vector]
    """λ → the objective of svm-1-slack, which it minimises."""


def along_weight(
    pool: KBestPool,
    metric: Metric,
    weights: Weights,
    feature: str,
    values: Sequence[float],
    *,
    Q: float = 1000.0,
    l2: Sequence[float] = (0.01, 1.0, 100.0),
    engine: EngineLike = ALL_CORES,
) -> Along:
    """Score `pool` with other `values` of one weight; Q and λ are of the SVM, as in the paper."""
    if feature not in pool.dense_names:
        raise OptionError(
            f"no dense feature '{feature}', expected one of: {', '.join(pool.dense_names)}"
        )
    place = pool.dense_names.index(feature)
    dense = pool.dense_only() if pool.sparse_names else pool
    scale = feature_scale(dense, engine=engine)
    standardised = dense.scaled(1.0 / scale)
    given = unit_length(start_vector(dense, weights) * scale)
    points = np.tile(given, (len(values), 1))
    points[:, place] = values
    oracle = greedy_oracle(standardised, metric, engine=engine)
    problems = {
        strength: OneSlack(Q=Q, l2=strength, engine=engine).problem(standardised, metric, oracle)
        for strength in l2
    }
    return Along(
        feature=feature,
        here=float(given[place]),
        values=np.asarray(values, dtype=np.float64),
        scores=np.array(
            [
                metric.score(
                    dense.stats_of(dense.best(point / scale, threads=as_engine(engine).threads))
                )
                for point in points
            ]
        ),
        objectives={
            strength: np.array([problem.lowest_along(point, place)[0] for point in points])
            for strength, problem in problems.items()
        },
    )
