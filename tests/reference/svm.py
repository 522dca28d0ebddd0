"""The structured SVM with fixed oracles as one quadratic programme, for a general solver."""

from itertools import pairwise

import numpy as np
import quadprog

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
    # The solver wants a positive definite matrix, so slacks cost a trifle more than linearly.
    quadratic = np.diag(np.concatenate([np.full(size, regularisation), np.full(sentences, 1e-8)]))
    linear = np.concatenate([np.zeros(size), -np.ones(sentences)])
    sentence_of = np.repeat(np.arange(sentences), np.diff(pool.offsets))
    constraints = np.zeros((pool.rows, size + sentences))
    constraints[:, :size] = h[chosen[sentence_of]] - h
    constraints[np.arange(pool.rows), size + sentence_of] = 1.0
    solution = quadprog.solve_qp(quadratic, linear, constraints.T, costs)[0]
    return solution[:size]
