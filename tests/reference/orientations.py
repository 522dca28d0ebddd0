"""Examples of orientations as they are defined: every phrase pair, features by name."""

from collections import Counter

from reference.phrases import consistent_pairs, word_orientation


def phrase_features(source, target, links, pair, sided=True, classes=None):
    """The names of a phrase pair's features; `classes` maps words of (source, target)."""
    sb, se, _, _ = pair
    inside = {(source[s], target[t]) for s, t in links if sb <= s < se}
    beside = (
        ("before", source[sb - 1] if sb else None),
        ("behind" if sided else "before", source[se] if se < len(source) else None),
    )
    names = {("pair", f, e) for f, e in inside} | set(beside)
    if classes is not None:
        names |= {("class pair", classes[0][f], classes[1][e]) for f, e in inside}
        names |= {(f"class {side}", classes[0][f]) for side, f in beside if f is not None}
    return names


def slow_examples(corpus, max_length=7, cutoff=10, **options):
    """(features, previous, next) of every phrase pair, in no order; orientations are m, s or d."""
    found = []
    for source, target, links in corpus:
        for pair in consistent_pairs(len(source), len(target), links, max_length):
            names = phrase_features(source, target, links, pair, **options)
            found.append((names, word_orientation(links, len(source), len(target), pair)))
    counts = Counter(name for names, _ in found for name in names)
    kept = {name for name, count in counts.items() if count > cutoff}
    return [(frozenset(names & kept), *orientations) for names, orientations in found]
