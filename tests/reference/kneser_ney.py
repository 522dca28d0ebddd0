"""Interpolated modified Kneser–Ney smoothing, straight from the definitions, with dictionaries."""

import math
from collections import Counter, defaultdict

FALLBACK = [0.0, 0.5, 1.0, 1.5]


def spelled(word):
    bare = word.lstrip("\\")
    return "\\" + word if bare in ("<s>", "</s>", "<unk>") else word


def estimate(lines, order, prune=(), allowed=None):
    """{n-gram: (log10 p, log10 back-off)} and, by order, whether discounts are the fallback."""
    occurrences = [Counter() for _ in range(order + 1)]
    words = set()
    for line in lines:
        tokens = [spelled(word) for word in line.split()]
        words.update(tokens)
        tokens = ["<s>", *tokens, "</s>"]
        for n in range(1, order + 1):
            for start in range(len(tokens) - n + 1):
                occurrences[n][tuple(tokens[start : start + n])] += 1

    def pruned(gram):
        n = len(gram)
        if n == 1 and gram[0] in ("<s>", "</s>", "<unk>"):
            return False
        if allowed is not None and any(
            word not in allowed and word not in ("<s>", "</s>") for word in gram
        ):
            return True
        threshold = prune[min(n, len(prune)) - 1] if prune else 0
        return occurrences[n][gram] <= threshold

    adjusted = [Counter() for _ in range(order + 1)]
    for n in range(1, order + 1):
        for gram, count in occurrences[n].items():
            if gram == ("<s>",):
                continue
            if n == order or gram[0] == "<s>":
                adjusted[n][gram] = count
            else:
                adjusted[n][gram] = sum(1 for longer in occurrences[n + 1] if longer[1:] == gram)

    def discounts_of(n):
        t = Counter(adjusted[n].values())
        if not (t[1] and t[2] and t[3]):
            return FALLBACK, True
        y = t[1] / (t[1] + 2 * t[2])
        discounts = [0.0] + [k - (k + 1) * y * t[k + 1] / t[k] for k in (1, 2, 3)]
        if any(not 0 <= discounts[k] <= k for k in (1, 2, 3)):
            return FALLBACK, True
        return discounts, False

    kept_words = [word for word in words if not pruned((word,))]
    probability = {(): 1.0 / (len(kept_words) + 2)}  # and </s>, and <unk>
    fallbacks = []
    backoff = {}
    out = {}
    for n in range(1, order + 1):
        discounts, fallback = discounts_of(n)
        fallbacks.append(fallback)
        by_context = defaultdict(list)
        for gram, count in adjusted[n].items():
            by_context[gram[:-1]].append((gram, count))
        for context, grams in by_context.items():
            total = sum(count for _, count in grams)
            left = sum(count if pruned(gram) else discounts[min(count, 3)] for gram, count in grams)
            backoff[context] = left / total
            for gram, count in grams:
                own = (count - discounts[min(count, 3)]) / total
                probability[gram] = own + backoff[context] * probability[gram[1:]]
        if n == 1:
            probability["<unk>",] = backoff[()] * probability[()]
            probability["<s>",] = 1.0
    for gram, p in probability.items():
        if gram and not pruned(gram):
            log10 = min(0.0, math.log10(p))
            out[gram] = (log10, math.log10(backoff.get(gram, 1.0)) if len(gram) < order else 0.0)
    return out, fallbacks
