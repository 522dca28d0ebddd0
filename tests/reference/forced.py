"""Forced decoding by trying everything: every order of every segmentation, prefixes too."""

import itertools

from reference.unknown_words import copied_spans, gathers_unknown


def partial_derivations(words, rules_of, limit, max_length=7, vocabulary=None):
    """Every (steps, covered) that the distortion limit allows, from nothing to everything.

    A step is (begin, end, target words); `rules_of(source words)` gives target strings, and a
    word without rules of its own is copied; with a `vocabulary`, unknown words side by side as one.
    """
    copies = copied_spans(words, vocabulary)

    def options(begin, end):
        targets = [target.split() for target in rules_of(words[begin:end])]
        if not targets and (begin, end) in copies:
            targets = [words[begin:end]]
        return targets

    spans = {
        (b, e): options(b, e)
        for b in range(len(words))
        for e in range(b + 1, min(len(words), b + max_length) + 1)
    }

    def grow(steps, covered):
        yield steps, covered
        gap = next(i for i in itertools.count() if i not in covered)
        last_end = steps[-1][1] if steps else 0
        for (begin, end), targets in spans.items():
            if covered & set(range(begin, end)):
                continue
            if begin != gap and (abs(begin - last_end) > limit or end - gap > limit):
                continue
            last = [(*step[:2],) for step in steps[-1:]]
            if gathers_unknown(words, vocabulary, [*last, (begin, end)]):
                continue
            for target in targets:
                yield from grow(
                    [*steps, (begin, end, tuple(target))], covered | {*range(begin, end)}
                )

    yield from grow([], frozenset())


def gold_derivations(words, target, rules_of, limit, vocabulary=None):
    """All derivations of exactly `target`."""
    return [
        steps
        for steps, covered in partial_derivations(words, rules_of, limit, vocabulary=vocabulary)
        if len(covered) == len(words) and [w for *_, t in steps for w in t] == target
    ]


def prefix_pairs(words, target, rules_of, limit, least, vocabulary=None):
    """{source words: {target words: derivations}} of all reachable proper prefix pairs."""
    found = {}
    for steps, covered in partial_derivations(words, rules_of, limit, vocabulary=vocabulary):
        made = [w for *_, t in steps for w in t]
        i, j = len(covered), len(made)
        proper = least <= i < len(words) and 0 < j < len(target)
        if proper and covered == set(range(i)) and made == target[:j]:
            found.setdefault(i, {}).setdefault(j, []).append(steps)
    return found


def longest_prefix(words, target, rules_of, limit, least, vocabulary=None):
    """(source words, target words, derivations) of the longest reachable proper prefix pair."""
    found = prefix_pairs(words, target, rules_of, limit, least, vocabulary)
    if not found:
        return 0, 0, []
    i = max(found)
    j = max(found[i], key=lambda j: (len(found[i][j]), j))
    return i, j, found[i][j]
