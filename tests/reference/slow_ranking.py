"""Pairwise ranking and learning on shards, word by word as the paper has them, and slow."""

import numpy as np


def levels(gains, share):
    """HI, MID and LOW as lists of translations, best first; equal gains share a level."""
    order = sorted(range(len(gains)), key=lambda k: -gains[k])
    part = max(1, int(np.floor(share * len(order) + 0.5)))
    least_of_high, most_of_low = gains[order[part - 1]], gains[order[-part]]
    high = [k for k in order if gains[k] >= least_of_high]
    low = [k for k in order if gains[k] <= most_of_low and k not in high]
    return high, [k for k in order if k not in high and k not in low], low


def ranked(features, gains, weights, rates, share, margin):
    """The weights after all pairs of a list, and how often each translation was moved towards."""
    weights, counts = weights.copy(), np.zeros(len(gains))
    high, middle, low = levels(gains, share)
    pairs = [(i, j) for i in high for j in middle + low]
    pairs += [(i, j) for i in middle for j in low]

    def score(k):
        total = 0.0
        for weight, value in zip(weights, features[k], strict=True):
            total += weight * value
        return total

    mended = 0
    for better, worse in pairs:
        if score(better) - score(worse) <= margin:
            weights += rates * features[better]
            weights -= rates * features[worse]
            counts[better] += 1
            counts[worse] -= 1
            mended += 1
    return weights, counts, len(pairs), mended


def sgd(step, shard, weights, epochs):
    """Algorithm 1."""
    ends = []
    for _ in range(epochs):
        for example in shard:
            weights = step(weights, example)
        ends.append(weights)
    return sum(ends[1:], ends[0]) / epochs


def mix_sgd(step, shards, weights, epochs):
    """Algorithm 2."""
    return sum(sgd(step, shard, weights, epochs) for shard in shards) / len(shards)


def iter_mix_sgd(step, shards, weights, epochs):
    """Algorithm 3."""
    for _ in range(epochs):
        weights = sum(sgd(step, shard, weights, 1) for shard in shards) / len(shards)
    return weights


def iter_sel_sgd(step, shards, weights, epochs, keep):
    """Algorithm 4."""
    for _ in range(epochs):
        matrix = np.stack([sgd(step, shard, weights, 1) for shard in shards])
        norms = np.sqrt((matrix**2).sum(axis=0))
        best = sorted(range(len(norms)), key=lambda column: (-norms[column], column))[:keep]
        weights = np.zeros(len(norms))
        weights[best] = matrix.sum(axis=0)[best] / len(shards)
    return weights
