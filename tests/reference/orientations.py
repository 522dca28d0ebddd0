"""Examples of orientations as they are defined: every phrase pair, features by name."""

from collections import Counter

from reference.phrases import consistent_pairs, word_orientation
from tunesmith.reorder.example_set import FEATURES

BORDER = (1 << 30) - 1
TEMPLATES = (
    "pair", "before", "behind", "class pair", "class before", "class behind", "constant", "edge",
    "class edge", "neighbours", "class neighbours", "phrase",
)  # fmt: skip
EDGES = (
    "source first", "source last", "target first", "target last", "before, first", "last, behind",
    "before, target first", "behind, target first", "before, target last", "behind, target last",
)  # fmt: skip


def phrase_features(source, target, links, pair, sided=True, classes=None, features="all"):
    """The names of a phrase pair's features; `classes` maps words of (source, target)."""
    sb, se, tb, te = pair
    chosen = FEATURES[features]
    inside = {(source[s], target[t]) for s, t in links if sb <= s < se}
    before = source[sb - 1] if sb else None
    behind = source[se] if se < len(source) else None
    names = {("pair", f, e) for f, e in inside}
    names |= {("before", before), ("behind" if sided else "before", behind)}
    if classes is not None:
        names |= {("class pair", classes[0][f], classes[1][e]) for f, e in inside}
    if "constant" in chosen:
        names.add(("constant",))
    if "phrases" in chosen:
        names.add(("phrase", tuple(source[sb:se]), tuple(target[tb:te])))
    # Where words stand → the words, each with its side.
    beside = {"before": (before, 0), "behind": (behind, 0)}
    edges = {
        "source first": (source[sb], 0), "source last": (source[se - 1], 0),
        "target first": (target[tb], 1), "target last": (target[te - 1], 1),
    }  # fmt: skip
    places = {**beside, **edges, "first": edges["source first"], "last": edges["source last"]}
    single = [("edge", which) for which in edges if "edges" in chosen]
    pairs = [name for name in EDGES if "," in name]
    pairs = [name for name in pairs if ("crossed" if "target" in name else "neighbours") in chosen]
    for kind, which in [*single, *(("neighbours", which) for which in pairs)]:
        words = [places[part] for part in which.split(", ")]
        names.add((kind, which, *(word for word, _ in words)))
        if classes is not None:
            its = (None if word is None else classes[side][word] for word, side in words)
            names.add((f"class {kind}", which, *its))
    if classes is not None:
        sides = (("before", before), ("behind" if sided else "before", behind))
        names |= {(f"class {side}", classes[0][word]) for side, word in sides if word is not None}
    return names


def feature_key(name, source, target):
    """The key of a feature; `source` and `target` map words to their ids."""
    kind, rest = name[0], name[1:]
    first = TEMPLATES.index(kind) + 1 << 60

    def number(word, ids):
        return BORDER if word is None else word if kind.startswith("class") else ids[word]

    if kind == "constant":
        return first
    if kind == "phrase":
        hashed = len(rest[0])
        for word in [source[word] for word in rest[0]] + [target[word] for word in rest[1]]:
            hashed = _combined(hashed, word)
        return first | hashed >> 4
    if kind.endswith("pair"):
        return first | number(rest[0], source) << 30 | number(rest[1], target)
    if kind.endswith(("before", "behind")):
        return first | number(rest[0], source) << 30
    which = EDGES.index(rest[0])
    sides = [target if "target" in part else source for part in rest[0].split(", ")]
    numbers = [number(word, ids) for word, ids in zip(rest[1:], sides, strict=True)]
    if kind.endswith("edge"):
        return first | numbers[0] << 30 | which
    return first | _combined(_combined(which, numbers[0]), numbers[1]) >> 4


def _combined(seed, value):
    """hash_combine of core/base/hash.hh."""
    whole = (1 << 64) - 1
    x = seed * 0x9E3779B97F4A7C15 + value + 0x632BE59BD9B4E019 & whole
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & whole
    x = (x ^ x >> 27) * 0x94D049BB133111EB & whole
    return x ^ x >> 31


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
