"""Brown's mutual information by its definition, and the tree of merges without any short cut."""

import math
from collections import Counter
from itertools import combinations

BOUNDARY = "<boundary>"


def bigrams(lines):
    """How often a word stands before another; a boundary stands around every sentence."""
    counts = Counter()
    for line in lines:
        if words := line.split():
            counts.update(zip([BOUNDARY, *words], [*words, BOUNDARY], strict=True))
    return counts


def information(counts, class_of):
    """Σ p(c,d) ln p(c,d) / (p(c) p(d)) in nats; words that `class_of` does not know are alone."""
    pairs, left, right = Counter(), Counter(), Counter()
    for (one, other), count in counts.items():
        c, d = class_of.get(one, one), class_of.get(other, other)
        pairs[c, d] += count
        left[c] += count
        right[d] += count
    total = sum(pairs.values())
    return math.fsum(
        n / total * math.log(n * total / (left[c] * right[d])) for (c, d), n in pairs.items()
    )


def best_exchange(counts, class_of):
    """The largest information that one word in another class would give."""
    classes = set(class_of.values())
    return max(
        information(counts, {**class_of, word: other})
        for word, own in class_of.items()
        for other in classes - {own}
    )


def greedy_paths(counts, class_of):
    """Class → path: merge the two classes whose union keeps most information, again and again."""
    sizes = Counter()
    for (word, _), count in counts.items():
        if word in class_of:
            sizes[class_of[word]] += count
    members = {name: [name] for name in sizes}
    paths = dict.fromkeys(sizes, "")
    merged = dict(class_of)
    while len(members) > 1:
        joined = {
            (a, b): information(counts, {w: a if c == b else c for w, c in merged.items()})
            for a, b in combinations(sorted(members), 2)
        }
        a, b = max(joined, key=joined.get)
        zero, one = (a, b) if sizes[a] >= sizes[b] else (b, a)
        for bit, side in (("0", zero), ("1", one)):
            for name in members[side]:
                paths[name] = bit + paths[name]
        members[a] += members.pop(b)
        sizes[a] += sizes.pop(b)
        merged = {w: a if c == b else c for w, c in merged.items()}
    return paths
