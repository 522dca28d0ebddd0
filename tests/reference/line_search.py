"""The score along a line by brute force: exact fractions, all pairwise crossings, all midpoints."""

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np

# Intervals shorter than this (relative to max(1, |x|)) are left to rounding.
NARROW = 1e-9


def lines_of(pool, weights, direction):
    """Per sentence the exact lines (intercept, slope) of its hypotheses."""
    w, d = ([Fraction(float(x)) for x in vector] for vector in (weights, direction))
    sentences = []
    for s in range(pool.sentences):
        lines = []
        for row in range(pool.offsets[s], pool.offsets[s + 1]):
            h = [Fraction(float(x)) for x in pool.dense[row]]
            dot = [sum(a * b for a, b in zip(v, h, strict=True)) for v in (w, d)]
            lines.append((dot[0], dot[1]))
        sentences.append(lines)
    return sentences


def crossings_of(sentences):
    """All places where two lines of one sentence cross, on the envelope or not."""
    places = set()
    for lines in sentences:
        for (b1, m1), (b2, m2) in combinations(lines, 2):
            if m1 != m2:
                places.add((b1 - b2) / (m2 - m1))
    return sorted(places)


def gain_at(pool, gain, sentences, x):
    """The corpus gain of the winners at x; of equals the first row wins."""
    total = np.zeros(pool.stats.shape[1])
    for s, lines in enumerate(sentences):
        values = [b + x * m for b, m in lines]
        total += pool.stats[pool.offsets[s] + values.index(max(values))]
    return gain(total)


def intervals(pool, gain, weights, direction):
    """[(from, to, gain)] with neighbours of the same gain made one, narrow ones left out."""
    sentences = lines_of(pool, weights, direction)
    places = crossings_of(sentences)
    if not places:
        return [(-np.inf, np.inf, gain_at(pool, gain, sentences, Fraction(0)))]
    found = [(-np.inf, places[0], gain_at(pool, gain, sentences, places[0] - 1))]
    for a, b in pairwise(places):
        if b - a > NARROW * max(1, abs(a)):
            found.append((a, b, gain_at(pool, gain, sentences, (a + b) / 2)))
    found.append((places[-1], np.inf, gain_at(pool, gain, sentences, places[-1] + 1)))
    return merged([(float(a), float(b), g) for a, b, g in found])


def merged(found):
    """Neighbours with the same gain as one interval."""
    out = []
    for begin, end, gain in found:
        if out and gain == out[-1][2]:
            out[-1] = (out[-1][0], end, gain)
        else:
            out.append((begin, end, gain))
    return out


def smoothed_gain(pool, gain, weights, sharpness):
    """Och's smoothed error count: statistics weighted by posteriors."""
    scores = pool.dense.astype(np.float64) @ weights
    total = np.zeros(pool.stats.shape[1])
    for a, b in pairwise(pool.offsets):
        p = np.exp(sharpness * (scores[a:b] - scores[a:b].max()))
        total += (p / p.sum()) @ pool.stats[a:b]
    return gain(total)
