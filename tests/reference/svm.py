"""The structured SVM with fixed oracles as one quadratic programme, for a general solver."""

from itertools import pairwise

import numpy as np
from scipy.optimize import minimize

from reference.mira import features


def oracles(pool, costs, w, current=None):
    """The row of each oracle set that w scores highest; of equals the current one, or the first."""
    scores = features(pool) @ w
    chosen = []
    for s, (begin, end) in enumerate(pairwise(pool.offsets)):
        rows = [row for row in range(begin, end) if costs[row] <= 0]
        best = max(rows, key=lambda row: (scores[row], -row))
        if current is not None and scores[best] - scores[current[s]] < 1e-9:
            best = current[s]
        chosen.append(best)
    return np.array(chosen)


def objective(pool, costs, regularisation, chosen, w):
    scores = features(pool) @ w
    losses = np.maximum.reduceat(costs + scores, pool.offsets[:-1]) - scores[chosen]
    return regularisation / 2 * (w @ w) + losses.sum()


def solve(pool, costs, regularisation, chosen):
    """Variables w and one slack a sentence; one constraint a row: w·(h* − h) + ξ ≥ cost."""
    h = features(pool)
    size, sentences = h.shape[1], pool.sentences
    sentence_of = np.repeat(np.arange(sentences), np.diff(pool.offsets))
    constraints = np.zeros((pool.rows, size + sentences))
    constraints[:, :size] = h[chosen[sentence_of]] - h
    constraints[np.arange(pool.rows), size + sentence_of] = 1.0
    result = minimize(
        lambda x: regularisation / 2 * (x[:size] @ x[:size]) + x[size:].sum(),
        # w = 0 with slacks as large as the costs breaks no constraint.
        np.concatenate([np.zeros(size), np.maximum.reduceat(costs, pool.offsets[:-1])]),
        jac=lambda x: np.concatenate([regularisation * x[:size], np.ones(sentences)]),
        constraints={
            "type": "ineq",
            "fun": lambda x: constraints @ x - costs,
            "jac": lambda x: constraints,
        },
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    # Whether it reports success is a matter of rounding at this tolerance; the objective is what
    # the tests compare.
    return result.x[:size]
