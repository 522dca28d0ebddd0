"""Alignment models by enumeration of all alignments: slow, obvious, for sentences of a few words.

One direction: the words of `given` generate those of `seen`; an alignment has for every seen word
the position of a given word, or None for NULL.
"""

import math
from collections import defaultdict
from itertools import product

from scipy.optimize import minimize_scalar
from scipy.special import digamma


class Parameters:
    """t[e][f], null[f], positions: 'ibm1', 'ibm2' with a tension, or 'hmm' with jump weights."""

    def __init__(self, model, t, null, p0, tension=4.0, jump=None, first=None, uniform=0.0):
        self.model, self.t, self.null, self.p0 = model, t, null, p0
        self.tension, self.jump, self.first, self.uniform = tension, jump, first, uniform

    def bucket(self, d):
        limit = len(self.first) - 1
        return max(-limit, min(limit, d)) + limit

    def jump_probability(self, d, i, n):
        norm = sum(self.jump[self.bucket(k - i)] for k in range(n))
        return (1 - self.uniform) * self.jump[self.bucket(d)] / norm + self.uniform / n

    def first_probability(self, i, n):
        weights = [self.first[min(k, len(self.first) - 1)] for k in range(n)]
        return (1 - self.uniform) * weights[i] / sum(weights) + self.uniform / n

    def position_probability(self, i, j, n, m, last):
        if self.model == "ibm1":
            return 1 / n
        if self.model == "ibm2":
            return diagonal(self.tension, i, j, n, m)
        return (
            self.first_probability(i, n)
            if last is None
            else self.jump_probability(i - last, last, n)
        )


def diagonal(tension, i, j, n, m):
    weights = [math.exp(-tension * abs((k + 1) / n - (j + 1) / m)) for k in range(n)]
    return weights[i] / sum(weights)


def alignments(given, seen, parameters):
    """All alignments with their joint probability."""
    n, m = len(given), len(seen)
    for a in product([None, *range(n)], repeat=m):
        probability, last = 1.0, None
        for j, i in enumerate(a):
            if i is None:
                probability *= parameters.p0 * parameters.null[seen[j]]
            else:
                position = parameters.position_probability(i, j, n, m, last)
                probability *= (1 - parameters.p0) * position * parameters.t[given[i]][seen[j]]
                last = i
        yield a, probability


def posteriors(given, seen, parameters):
    """(p[j][i], likelihood)"""
    total = 0.0
    p = [[0.0] * len(given) for _ in seen]
    for a, probability in alignments(given, seen, parameters):
        total += probability
        for j, i in enumerate(a):
            if i is not None:
                p[j][i] += probability
    return [[x / total for x in row] for row in p], total


def log_likelihood(pairs, parameters):
    return sum(math.log(posteriors(e, f, parameters)[1]) for e, f in pairs)


def em_step(pairs, forward, reverse, agreement=False, smoothing="none", alpha=0.01):
    """New parameters of both directions; `pairs` are (source, target)."""
    counts = [defaultdict(lambda: defaultdict(float)) for _ in range(2)]
    nulls = [defaultdict(float), defaultdict(float)]
    together = defaultdict(set)
    for e, f in pairs:
        p, _ = posteriors(e, f, forward)
        q, _ = posteriors(f, e, reverse)
        for i, j in product(range(len(e)), range(len(f))):
            together[e[i]].add(f[j])
            both = p[j][i] * q[i][j]
            counts[0][e[i]][f[j]] += both if agreement else p[j][i]
            counts[1][f[j]][e[i]] += both if agreement else q[i][j]
        for j, word in enumerate(f):
            nulls[0][word] += 1 - sum(p[j])
        for i, word in enumerate(e):
            nulls[1][word] += 1 - sum(q[i])
    swapped = [(f, e) for e, f in pairs]
    out = []
    for which, old, text in ((0, forward, pairs), (1, reverse, swapped)):
        new = Parameters(
            old.model,
            {g: normalise(row, smoothing, alpha) for g, row in counts[which].items()},
            normalise(nulls[which], smoothing, alpha),
            old.p0,
            old.tension,
            old.jump,
            old.first,
            old.uniform,
        )
        if old.model == "ibm2":
            new.tension = best_tension(text, old)
        if old.model == "hmm":
            new.jump, new.first = better_jumps(text, old)
        out.append(new)
    return out


def normalise(row, smoothing, alpha):
    total = sum(row.values())
    if smoothing == "none":
        return {w: c / total if total else 0.0 for w, c in row.items()}
    if smoothing == "dirichlet":
        return {w: (c + alpha) / (total + alpha * len(row)) for w, c in row.items()}
    norm = digamma(total + alpha * len(row))
    return {w: math.exp(digamma(c + alpha) - norm) for w, c in row.items()}


def best_tension(pairs, old):
    expected = []
    for e, f in pairs:
        p, _ = posteriors(e, f, old)
        for j, i in product(range(len(f)), range(len(e))):
            expected.append((p[j][i], i, j, len(e), len(f)))

    def loss(tension):
        return -sum(p * math.log(diagonal(tension, i, j, n, m)) for p, i, j, n, m in expected)

    return minimize_scalar(loss, bounds=(0.1, 20.0), method="bounded", options={"xatol": 1e-9}).x


def better_jumps(pairs, old):
    """One minorise-maximise step: expected uses over expected possible uses at the old norms."""
    jump, jump_mass = [0.0] * len(old.jump), [0.0] * len(old.jump)
    first, first_mass = [0.0] * len(old.first), [0.0] * len(old.first)
    end = len(old.first) - 1
    for e, f in pairs:
        n = len(e)
        every = list(alignments(e, f, old))
        total = sum(probability for _, probability in every)
        for a, probability in every:
            weight, last = probability / total, None
            for i in a:
                if i is None:
                    continue
                if last is None:
                    norm = sum(old.first[min(k, end)] for k in range(n))
                    share = (1 - old.uniform) * old.first[min(i, end)] / norm
                    uses = weight * share / old.first_probability(i, n)
                    first[min(i, end)] += uses
                    for k in range(n):
                        first_mass[min(k, end)] += uses / norm
                else:
                    norm = sum(old.jump[old.bucket(k - last)] for k in range(n))
                    share = (1 - old.uniform) * old.jump[old.bucket(i - last)] / norm
                    uses = weight * share / old.jump_probability(i - last, last, n)
                    jump[old.bucket(i - last)] += uses
                    for k in range(n):
                        jump_mass[old.bucket(k - last)] += uses / norm
                last = i

    def ratio(counts, mass, before):
        new = [c / m if m > 0 else b for c, m, b in zip(counts, mass, before, strict=True)]
        return [max(x / sum(new), 1e-12) for x in new]

    return ratio(jump, jump_mass, old.jump), ratio(first, first_mass, old.first)
