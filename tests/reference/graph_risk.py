"""Expected BLEU by looking at every derivation."""

from collections import Counter

import numpy as np

from reference.graphs import derivations


def ngrams(words, order):
    return Counter(
        tuple(words[i : i + n]) for n in range(1, order + 1) for i in range(len(words) - n + 1)
    )


def expected_stats(built, references, order, score):
    """Σ over sentences: clipped expected matches, n-grams, length, reference length."""
    sums = np.zeros(2 * order + 2)
    for nodes, reference in zip(built, references, strict=True):
        found = derivations(nodes)
        scores = np.array([score(one) for one in found])
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        counts, length = Counter(), 0.0
        for one, chance in zip(found, chances, strict=True):
            length += chance * len(one.words)
            for ngram, times in ngrams(one.words, order).items():
                counts[ngram] += chance * times
        for ngram, most in ngrams(reference.split(), order).items():
            sums[len(ngram) - 1] += min(counts[ngram], most)
        for n in range(order):
            sums[order + n] += max(length - n, 0.0)
        sums[2 * order] += length
        sums[2 * order + 1] += len(reference.split())
    return sums
