"""Expected cost and its stochastic descent, with every probability and gradient spelled out."""

import numpy as np

from reference.mira import features


def expected_cost(pool, costs, h, w, sentence):
    rows = np.arange(pool.offsets[sentence], pool.offsets[sentence + 1])
    scores = h[rows] @ w
    p = np.exp(scores - scores.max())
    p /= p.sum()
    return p @ costs[rows], rows, p


def objective(pool, costs, regularisation, w):
    h = features(pool)
    total = sum(expected_cost(pool, costs, h, w, s)[0] for s in range(pool.sentences))
    return regularisation / 2 * (w @ w) + total


def epoch(pool, costs, order, w, *, regularisation, rate, batch, time):
    h = features(pool)
    decay = regularisation / pool.sentences
    for begin in range(0, len(order), batch):
        gradients = []
        for s in order[begin : begin + batch]:
            expected, rows, p = expected_cost(pool, costs, h, w, s)
            gradients.append((p * (costs[rows] - expected)) @ h[rows])
        for gradient in gradients:
            eta = rate / (1 + rate * decay * time)
            w = w - eta * (decay * w + gradient)
            time += 1
    return w, time
