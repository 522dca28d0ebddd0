"""Expected scores of the texts of a list, slow and obvious."""

import math
from collections import Counter


def expected_score(scorer, text, texts, weights):
    """Σ weight × sentence score by sacreBLEU, the text itself among the references."""
    return sum(
        weight * scorer.sentence_score(text, [other]).score
        for other, weight in zip(texts, weights, strict=True)
    )


def ngrams(symbols, order):
    return Counter(tuple(symbols[i : i + order]) for i in range(len(symbols) - order + 1))


def average(texts, split, order):
    """The average counts of n-grams (Vamvas & Sennrich 2024, section 3)."""
    total = Counter()
    for text in texts:
        total.update(ngrams(split(text), order))
    return {ngram: count / len(texts) for ngram, count in total.items()}


def aggregated_bleu(text, texts):
    words = text.split()
    matched = []
    for order in range(1, 5):
        mean = average(texts, str.split, order)
        counts = ngrams(words, order)
        matched.append(sum(min(count, mean.get(n, 0)) for n, count in counts.items()))
    if not any(matched):
        return 0.0
    logs, halves = [], 1.0
    for order, match in enumerate(matched):
        total = len(words) - order
        if total <= 0:
            break
        if match == 0:
            halves *= 2
            match = 1 / halves
        logs.append(math.log(match / total))
    length = sum(len(other.split()) for other in texts) / len(texts)
    brevity = min(0.0, 1 - length / len(words))
    return 100 * math.exp(sum(logs) / len(logs) + brevity)


def aggregated_chrf(text, texts, beta=2):
    def split(line):
        return "".join(line.split())

    precisions, recalls = [], []
    for order in range(1, 7):
        mean = average(texts, split, order)
        counts = ngrams(split(text), order)
        match = sum(min(count, mean.get(n, 0)) for n, count in counts.items())
        ours, theirs = sum(counts.values()), sum(mean.values())
        if ours > 0 and theirs > 0:
            precisions.append(match / ours)
            recalls.append(match / theirs)
    if not precisions:
        return 0.0
    precision, recall = sum(precisions) / len(precisions), sum(recalls) / len(recalls)
    if precision + recall == 0:
        return 0.0
    return 100 * (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
