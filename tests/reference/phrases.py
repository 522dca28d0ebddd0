"""Phrase extraction as it is defined (Koehn, Och & Marcu 2003): try every pair of spans."""

from collections import Counter


def consistent_pairs(source_size, target_size, links, max_length):
    """All (source begin, end, target begin, end) with a link inside and none across."""
    pairs = []
    for sb in range(source_size):
        for se in range(sb + 1, min(source_size, sb + max_length) + 1):
            for tb in range(target_size):
                for te in range(tb + 1, min(target_size, tb + max_length) + 1):
                    inside = [(sb <= s < se, tb <= t < te) for s, t in links]
                    if any(i and j for i, j in inside) and all(i == j for i, j in inside):
                        pairs.append((sb, se, tb, te))
    return pairs


def phrase_counts(corpus, max_length):
    """Counts of phrase pairs over (source words, target words, links) triples."""
    counts = Counter()
    for source, target, links in corpus:
        for sb, se, tb, te in consistent_pairs(len(source), len(target), links, max_length):
            counts[" ".join(source[sb:se]), " ".join(target[tb:te])] += 1
    return counts


def word_orientation(links, source_size, target_size, pair):
    """(previous, next) as Moses' word-based model classes them: m, s or d."""
    sb, se, tb, te = pair
    points = {*links, (-1, -1), (source_size, target_size)}
    result = []
    for monotone, swap in (
        ((sb - 1, tb - 1) in points, (se, tb - 1) in points),
        ((se, te) in points, (sb - 1, te) in points),
    ):
        result.append("d" if monotone == swap else "m" if monotone else "s")
    return tuple(result)


def own_pairs(words, target, links):
    """The phrase pairs that a sentence pair teaches a table with these links."""
    return {
        (" ".join(words[sb:se]), " ".join(target[tb:te]))
        for sb, se, tb, te in consistent_pairs(len(words), len(target), links, 7)
    }
