"""RAMPION with every vector spelled out (Gimpel & Smith 2012, algorithm 1, without decoding)."""

import numpy as np

from reference.mira import features


def augmented_best(pool, costs, factor, w):
    values = features(pool) @ w + factor * costs
    bounds = zip(pool.offsets[:-1], pool.offsets[1:], strict=True)
    return np.array([begin + np.argmax(values[begin:end]) for begin, end in bounds])


def epoch(pool, costs, hopes, order, anchor, w, *, fear_factor, rate, regularisation, batch):
    h = features(pool)
    total = 0.0
    for begin in range(0, len(order), batch):
        sentences = order[begin : begin + batch]
        values = h @ w + fear_factor * costs
        fears = augmented_best(pool, costs, fear_factor, w)
        total += sum(values[fears[s]] - h[hopes[s]] @ w for s in sentences)
        for s in sentences:
            pull = regularisation * (w - anchor)
            w = w - rate * (pull + h[fears[s]] - h[hopes[s]])
    return w, total / len(order)
