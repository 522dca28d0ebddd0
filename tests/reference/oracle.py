"""Greedy and exhaustive search for the best corpus score, by trying everything."""

import itertools

import numpy as np


def exhaustive_oracle(pool, gain, *, lowest=False):
    """The best gain of all configurations."""
    lists = [range(a, b) for a, b in itertools.pairwise(pool.offsets)]
    gains = [
        gain(pool.stats[list(rows)].sum(axis=0).astype(np.float64))
        for rows in itertools.product(*lists)
    ]
    return min(gains) if lowest else max(gains)


def greedy_oracle(pool, gain, rows, *, lowest=False):
    """Venugopal & Vogel 2005; every candidate is scored from scratch."""
    rows, sign = list(rows), -1 if lowest else 1

    def value(configuration):
        return sign * gain(pool.stats[configuration].sum(axis=0).astype(np.float64))

    changed = True
    while changed:
        changed = False
        for s in range(pool.sentences):
            candidates = range(pool.offsets[s], pool.offsets[s + 1])
            trials = {row: value([*rows[:s], row, *rows[s + 1 :]]) for row in candidates}
            best = max(trials, key=lambda row: (trials[row], -row))
            if trials[best] > value(rows):
                rows[s], changed = best, True
    return rows
