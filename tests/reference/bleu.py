"""BLEU's statistics and its sentence-level kinds, written as the papers define them."""

import math
from collections import Counter
from fractions import Fraction


def ngrams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def bleu_stats(hypothesis, references, order, reference_length):
    """Matches, totals, both lengths (as fractions: an average need not be whole)."""
    words = hypothesis.split()
    lists = [reference.split() for reference in references]
    matches, totals = [], []
    for n in range(1, order + 1):
        most = Counter()
        for reference in lists:
            most |= ngrams(reference, n)
        own = ngrams(words, n)
        matches.append(sum((own & most).values()))
        totals.append(sum(own.values()))
    lengths = sorted(len(reference) for reference in lists)
    length = {
        "closest": min(lengths, key=lambda length: abs(length - len(words))),
        "shortest": lengths[0],
        "average": Fraction(sum(lengths), len(lengths)),
    }[reference_length]
    return matches, totals, len(words), length


def brevity_penalty(hypothesis_length, reference_length):
    if hypothesis_length >= reference_length:
        return 1.0
    return math.exp(1 - reference_length / hypothesis_length) if hypothesis_length else 0.0


def plain_bleu(matches, totals, hypothesis_length, reference_length):
    """No smoothing: the geometric mean of precisions, times the brevity penalty."""
    if 0 in matches or 0 in totals:
        return 0.0
    precisions = [m / t for m, t in zip(matches, totals, strict=True)]
    mean = math.prod(precisions) ** (1 / len(precisions))
    return mean * brevity_penalty(hypothesis_length, reference_length)


def add_1_bleu(matches, totals, hypothesis_length, reference_length):
    """Lin & Och 2004: one more match and n-gram for n > 1."""
    matches = [m + (n > 0) for n, m in enumerate(matches)]
    totals = [t + (n > 0) for n, t in enumerate(totals)]
    return plain_bleu(matches, totals, hypothesis_length, reference_length)


def longer_add_1_bleu(matches, totals, hypothesis_length, reference_length):
    """Nakov et al. 2012: the reference is one word longer, too."""
    return add_1_bleu(matches, totals, hypothesis_length, reference_length + 1)


def interpolated_bleu(matches, totals, hypothesis_length, reference_length):
    """Liang et al. 2006: Σ_i BLEU_i / 2^(N − i + 1)."""
    order = len(matches)
    return sum(
        plain_bleu(matches[:i], totals[:i], hypothesis_length, reference_length)
        / 2 ** (order - i + 1)
        for i in range(1, order + 1)
    )
