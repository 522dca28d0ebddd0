"""The objectives of Hayashi et al. (2009), and their lowest point along a feature, the slow way."""

from itertools import pairwise

import numpy as np


def s_slack(pool, oracle, losses, l2, weights):
    """λ/2 ‖w‖² + 1/S Σ_s max(0, max over e ≠ e* of Δ_s(e) − w·(h(e*) − h(e)))."""
    slacks = []
    for s in range(pool.sentences):
        slack = 0.0
        for row in range(pool.offsets[s], pool.offsets[s + 1]):
            if row != oracle[s]:
                difference = pool.dense[oracle[s]].astype(float) - pool.dense[row]
                slack = max(slack, losses[row] - weights @ difference)
        slacks.append(slack)
    return l2 / 2 * weights @ weights + np.mean(slacks)


def one_slack(pool, oracle, gain, scale, l2, weights):
    """λ/2 ‖w‖² + Q (gain of e* − gain of ê) − 1/S Σ_s w·(h(e*_s) − h(ê_s))."""
    chosen = []
    for s in range(pool.sentences):
        rows = range(pool.offsets[s], pool.offsets[s + 1])
        chosen.append(max(rows, key=lambda row: (weights @ pool.dense[row].astype(float), -row)))
    loss = scale * (
        gain(pool.stats_of(oracle).astype(float))
        - gain(pool.stats_of(np.array(chosen)).astype(float))
    )
    margins = [
        weights @ (pool.dense[o].astype(float) - pool.dense[c])
        for o, c in zip(oracle, chosen, strict=True)
    ]
    return l2 / 2 * weights @ weights + loss - np.mean(margins)


def corners(pool, scores, slopes):
    """Where the highest line of a sentence changes: of all pairs, those that cross on top."""
    found = set()
    for s in range(pool.sentences):
        rows = range(pool.offsets[s], pool.offsets[s + 1])
        for a in rows:
            for b in rows:
                if slopes[a] < slopes[b]:
                    x = (scores[a] - scores[b]) / (slopes[b] - slopes[a])
                    if all(
                        scores[r] + x * slopes[r] <= scores[a] + x * slopes[a] + 1e-9 for r in rows
                    ):
                        found.add(x)
    return sorted(found)


def lowest_along(pool, objective, extra, weights, feature, *, right_ends, inside):
    """(step, value) of the lowest of `objective` among the points that the search may take.

    Between two corners the objective is a parabola; three of its values give its lowest point.
    """
    scores = pool.dense.astype(float) @ weights + extra
    slopes = pool.dense[:, feature].astype(float)
    ends = [-np.inf, *corners(pool, scores, slopes), np.inf]
    unit = np.eye(len(weights))[feature]
    best = (0.0, objective(weights))
    for low, high in pairwise(ends):
        a = low + inside * max(1.0, abs(low)) if np.isfinite(low) else min(high, 0.0) - 1e4
        b = high - inside * max(1.0, abs(high)) if np.isfinite(high) else max(low, 0.0) + 1e4
        if a > b:
            continue
        if right_ends and len(ends) > 2:
            points = [b if np.isfinite(high) else a]
        else:
            points = [a, b, _vertex(lambda x: objective(weights + x * unit), a, b)]
        for x in points:
            value = objective(weights + x * unit)
            if value < best[1]:
                best = (x, value)
    return best


def _vertex(function, a, b):
    """The lowest point in [a, b] of the parabola through three values."""
    middle = (a + b) / 2
    fa, fm, fb = function(a), function(middle), function(b)
    curvature = fa - 2 * fm + fb
    if curvature <= 0:
        return middle
    return float(np.clip(middle - (b - a) * (fb - fa) / (4 * curvature), a, b))
