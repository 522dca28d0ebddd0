"""Phrase-based translation by trying everything: all segmentations, orders and rules.

Feature values follow their definitions, one derivation at a time; nothing is shared with the
decoder but the tables.
"""

import itertools
import math

from reference.unknown_words import copied_spans, gathers_unknown


def segmentations(size, max_length):
    """All ways to cut words 0..size into consecutive phrases."""
    if size == 0:
        yield []
        return
    for length in range(1, min(size, max_length) + 1):
        for rest in segmentations(size - length, max_length):
            yield [*rest, (size - length, size)]


def within_limit(order, limit):
    """Whether every jump, and every way back to the first gap, is short enough."""
    covered, last_end = set(), 0
    for begin, end in order:
        gap = next(i for i in itertools.count() if i not in covered)
        if begin != gap and (abs(begin - last_end) > limit or end - gap > limit):
            return False
        covered.update(range(begin, end))
        last_end = end
    return True


def arpa_score(ngrams, words, *, whole=True):
    """Natural log of the probability of a sentence or its beginning, by the rules of back-off."""
    order = max(len(ngram) for ngram in ngrams)

    def word_score(context, word):
        if (*context, word) in ngrams:
            return ngrams[(*context, word)][0]
        if not context:
            return ngrams[("<unk>",)][0]
        backoff = ngrams[context][1] if context in ngrams else 0.0
        return backoff + word_score(context[1:], word)

    history, total = ["<s>"], 0.0
    for word in [*words, "</s>"] if whole else words:
        known = word if (word,) in ngrams else "<unk>"
        total += word_score(tuple(history[-(order - 1) :]) if order > 1 else (), known)
        history.append(known)
    return total * math.log(10)


def orientation(last, span):
    """m, s or d as 0, 1, 2; the start of the sentence is a phrase that ends at 0."""
    if span[0] == last[1]:
        return 0
    return 1 if span[1] == last[0] else 2


def all_derivations(
    words,
    rules_of,
    ngrams,
    limit,
    max_length=7,
    *,
    rules_too=False,
    scores=4,
    vocabulary=None,
    of_unknown=None,
):
    """(target words, feature values, steps) of every derivation; the rules instead of the steps.

    `rules_of(source words)` gives Rule objects with so many scores; a word without rules of its own
    is copied (None). With a `vocabulary` unknown words keep their order, and words that are copied
    have the reordering scores `of_unknown`.
    """
    derivations = []
    copies = copied_spans(words, vocabulary)
    for segments in segmentations(len(words), max_length):
        choices = []
        for begin, end in segments:
            rules = list(rules_of(words[begin:end]))
            if not rules and (begin, end) in copies:
                rules = [None]
            choices.append(rules)
        if not all(choices):
            continue
        for picked in itertools.product(*choices):
            derivations += [
                derivation(
                    words, order, ngrams, rules_too=rules_too, scores=scores, of_unknown=of_unknown
                )
                for order in itertools.permutations(zip(segments, picked, strict=True))
                if within_limit([span for span, _ in order], limit)
                and not gathers_unknown(words, vocabulary, [span for span, _ in order])
            ]
    return derivations


def derivation(words, order, ngrams, *, rules_too=False, whole=True, scores=4, of_unknown=None):
    """(target words, feature values, steps) of (span, rule) one after the other."""
    table, reordering, penalties = [0.0] * scores, [0.0] * 6, [0.0] * 4
    target, last, last_reordering = [], (None, 0), None
    for span, rule in order:
        if rule is None:
            target += words[span[0] : span[1]]
            size = span[1] - span[0]
            penalties[3] -= size
        else:
            target += rule.target.split()
            size = len(rule.target.split())
            for i in range(scores):
                table[i] += rule.scores[i]
        o = orientation(last, span)
        own = of_unknown if rule is None else rule.reordering
        if own is not None:
            reordering[o] += own[o]
        if last_reordering is not None:
            reordering[3 + o] += last_reordering[3 + o]
        penalties[0] -= abs(span[0] - last[1])
        penalties[1] -= size
        penalties[2] += 1
        last, last_reordering = span, own
    features = [*table, *reordering, *penalties, arpa_score(ngrams, target, whole=whole)]
    return " ".join(target), features, [rule if rules_too else span for span, rule in order]
