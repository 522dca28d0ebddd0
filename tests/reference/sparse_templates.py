"""The templates of paper A's Big set, as plainly as can be."""

from collections import Counter

BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 1000, 10000, float("inf")]


def frequent(rules, words_of, size):
    """The most frequent words: rules count as often as they were extracted."""
    counts = Counter()
    for rule in rules:
        for word in words_of(rule):
            counts[word] += rule.counts[2] or 1
    ranked = sorted(counts, key=lambda word: (-counts[word], word.encode()))
    return ranked[:size]


def unaligned(rule):
    linked = {t for _, t in rule.links}
    return [word for j, word in enumerate(rule.target.split()) if j not in linked]


def tgt_unal(rule, words):
    return Counter(f"tgt_unal:{word}" for word in unaligned(rule) if word in words)


def count_bin(rule, exact=False):
    count = rule.counts[2]
    if count <= 0:
        return Counter()
    bound = count if exact else min(bound for bound in BOUNDS if bound >= count)
    return Counter([f"count_bin:{bound if bound == float('inf') else int(bound)}"])


def length_bin(rule):
    s, t = len(rule.source.split()), len(rule.target.split())
    return Counter([f"length_bin:src_{s}", f"length_bin:tgt_{t}", f"length_bin:{s}_{t}"])


def word_pair(rule, sources, targets):
    source, target = rule.source.split(), rule.target.split()
    out = Counter()
    pairs = {
        (i, j)
        for i, j in rule.links
        if sum(a == i for a, _ in rule.links) == 1 and sum(b == j for _, b in rule.links) == 1
    }
    for i, j in pairs:
        one = source[i] if source[i] in sources else "<other>"
        other = target[j] if target[j] in targets else "<other>"
        if (one, other) != ("<other>", "<other>"):
            out[f"word_pair:{one}_{other}"] += 1
    for i, word in enumerate(source):
        if word in sources and i not in {a for a, _ in pairs}:
            out[f"word_pair:{word}_<none>"] += 1
    for j, word in enumerate(target):
        if word in targets and j not in {b for _, b in pairs}:
            out[f"word_pair:<none>_{word}"] += 1
    return out
