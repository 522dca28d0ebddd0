"""Violations by their definition: the best good and bad derivations of every bin, one by one."""

from reference.forced import partial_derivations
from reference.phrase_decoder import derivation


def bins_of(words, target, rules_of, ngrams, weights, limit, *, dead_ends, whole):
    """{source words covered: (best good score, best bad score)} of all partial derivations.

    Equations (3) and (4) of Yu et al. (2013) without a beam. Good derivations make a beginning of
    the target, and all of it where they cover all words; without `dead_ends` they must be part of
    a derivation of all of it. Where the pair is no `whole` one, the sentence does not end.
    """

    def texts_of(source):
        return [rule.target for rule in rules_of(source)]

    def rule(begin, end, made):
        found = (rule for rule in rules_of(words[begin:end]) if rule.target.split() == list(made))
        return next(found, None)

    scored = []
    for steps, covered in partial_derivations(words, texts_of, limit):
        if not steps:
            continue
        order = [(step[:2], rule(*step)) for step in steps]
        complete = len(covered) == len(words)
        text, features, _ = derivation(words, order, ngrams, whole=whole and complete)
        made = text.split()
        good = made == target if complete else made == target[: len(made)]
        score = sum(w * h for w, h in zip(weights, features, strict=True))
        scored.append((steps, len(covered), good, score, complete))
    ways = [steps for steps, _, good, _, complete in scored if good and complete]
    bins = {}
    for steps, size, good, score, _ in scored:
        best = bins.setdefault(size, [None, None])
        if good and not dead_ends and not any(way[: len(steps)] == steps for way in ways):
            continue
        place = 0 if good else 1
        best[place] = score if best[place] is None else max(best[place], score)
    return bins
