"""The slacks of Hayashi et al. (2009), and the lowest point along a feature, the slow way."""

from itertools import pairwise

import numpy as np


def s_slack(pool, oracle, losses, weights):
    """1/S Σ_s max(0, max over e ≠ e* of Δ_s(e) − w·(h(e*) − h(e)))."""
    slacks = []
    for s in range(pool.sentences):
        slack = 0.0
        for row in range(pool.offsets[s], pool.offsets[s + 1]):
            if row != oracle[s]:
                difference = pool.dense[oracle[s]].astype(float) - pool.dense[row]
                slack = max(slack, losses[row] - weights @ difference)
        slacks.append(slack)
    return np.mean(slacks)


def one_slack(pool, oracle, gain, scale, weights, *, rivals_only=False):
    """Q (gain of e* − gain of ê) − 1/S Σ_s w·(h(e*_s) − h(ê_s)), which may be below 0."""
    chosen = []
    for s in range(pool.sentences):
        rows = list(range(pool.offsets[s], pool.offsets[s + 1]))
        if rivals_only and len(rows) > 1:
            rows.remove(oracle[s])
        chosen.append(max(rows, key=lambda row: (weights @ pool.dense[row].astype(float), -row)))
    loss = scale * (
        gain(pool.stats_of(oracle).astype(float))
        - gain(pool.stats_of(np.array(chosen)).astype(float))
    )
    margins = [
        weights @ (pool.dense[o].astype(float) - pool.dense[c])
        for o, c in zip(oracle, chosen, strict=True)
    ]
    return loss - np.mean(margins)


def objective(slack, l2, weights):
    """λ/2 ‖w‖² + ξ with ξ ≥ 0."""
    return l2 / 2 * weights @ weights + max(0.0, slack(weights))


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


def lowest_along(pool, slack, l2, extra, weights, feature, *, right_ends, inside):
    """(step, value) of the lowest objective among the points that the search may take.

    `pool` has what the weights choose from. Between two corners the slack is a straight line, so
    the lowest point is that of a parabola, with the slack or without it, or where they meet.
    """
    scores = pool.dense.astype(float) @ weights + extra
    slopes = pool.dense[:, feature].astype(float)
    ends = [-np.inf, *corners(pool, scores, slopes), np.inf]
    unit = np.eye(len(weights))[feature]
    best = (0.0, objective(slack, l2, weights))
    for low, high in pairwise(ends):
        a = low + inside * max(1.0, abs(low)) if np.isfinite(low) else min(high, 0.0) - 1e4
        b = high - inside * max(1.0, abs(high)) if np.isfinite(high) else max(low, 0.0) + 1e4
        if a > b:
            continue
        if right_ends and len(ends) > 2:
            points = [b if np.isfinite(high) else a]
        else:
            at_a, at_b = slack(weights + a * unit), slack(weights + b * unit)
            rise = (at_b - at_a) / (b - a) if b > a else 0.0
            meet = a - at_a / rise if rise else a
            vertices = [-weights[feature], -weights[feature] - rise / l2, meet]
            points = [a, b, *np.clip(vertices, a, b)]
        for x in points:
            value = objective(slack, l2, weights + x * unit)
            if value < best[1]:
                best = (x, value)
    return best
