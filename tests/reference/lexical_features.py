"""Lexical features of a rule in its place by their definition: names, and the keys behind them."""

import struct
import unicodedata
from itertools import combinations, product

MASK = (1 << 64) - 1
COSTS = {
    "word": 5, "character": 3, "cluster": 3, "cluster6": 2, "cluster4": 2, "pos": 2, "type": 1,
}  # fmt: skip
# Places in the order of their numbers, and the edge from which a word is seen.
PLACES = (
    ("source_first", "left"), ("source_last", "right"), ("target_first", "left"),
    ("target_last", "right"), ("before", "right"), ("after", "left"),
)  # fmt: skip
TARGET = {"target_first", "target_last"}
NOTHING = 0x6E6F6E65


def mix(x):
    """splitmix64's finaliser."""
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & MASK
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def combine(seed, value):
    return mix(seed * 0x9E3779B97F4A7C15 + value + 0x632BE59BD9B4E019 & MASK)


def hashed(text):
    """Eight bytes at a time; what remains with zeros behind it."""
    data = text.encode()
    h = combine(0, len(data))
    for at in range(0, len(data), 8):
        h = combine(h, struct.unpack("<Q", data[at : at + 8].ljust(8, b"\0"))[0])
    return h


def part(word):
    """A word as part of a name; the tests' words have nothing but these to escape."""
    if word in ("<s>", "</s>"):
        return word
    escaped = "".join("\\" + c if c in "_|\\" else c for c in word)
    return "\\" + escaped if word.startswith("<") else escaped


def kind(word):
    """(number, name) of a word's type: what its characters are, the first of these that one is."""
    found = {
        "ideograph" if "IDEOGRAPH" in unicodedata.name(c, "") and c.isalpha() else
        unicodedata.category(c)[0]
        for c in word
    }  # fmt: skip
    for number, name, categories in (
        (5, "ideographs", {"ideograph"}), (3, "letters", {"L"}), (2, "digits", {"N"}),
        (1, "punctuation", {"P", "S"}),
    ):  # fmt: skip
        if found & categories:
            return number, name
    return 4, "other"


class Twin:
    """Features by options (of `LexicalFeatures`), the levels in use, and classes by level."""

    def __init__(self, options, levels, source_classes, target_classes):
        self.options, self.levels = options, levels
        self.source_only = options.source_levels.split(",")
        self.classes = {"source": source_classes, "target": target_classes}

    def atom(self, side, word, level, edge):
        """(hash, text) of a word at a level."""
        if word is None:
            return NOTHING, "<none>"
        if level == "word":
            return hashed(word), part(word)
        if level == "character":
            character = word[:1] if edge == "left" else word[-1:]
            return hashed(character), ("\\" + character if character in "_|\\<" else character)
        if level == "type":
            return kind(word)
        name = self.classes[side][level].get(word)
        return (0, "<none>") if name is None else (hashed(name), part(name))

    def rule_id(self, source, target):
        h = 0x73726300
        for word in source:
            h = combine(h, hashed(word))
        h = combine(h, 0x74677400)
        for word in target:
            h = combine(h, hashed(word))
        return h

    def salt(self, number):
        return mix(combine(0x61746F6D, number))

    def local(self, source, target, before, after):
        """{name: key} of a rule between two source words, whatever comes before it."""
        options, levels = self.options, self.levels
        found = {}
        pair = "_".join(map(part, source)) + "|" + "_".join(map(part, target))
        if options.rule_ids:
            found[f"rule:{pair}"] = combine(0x72756C65, self.rule_id(source, target))
        if not options.edges:
            return found
        words = {
            "source_first": source[0], "source_last": source[-1], "before": before, "after": after,
            "target_first": target[0] if target else None,
            "target_last": target[-1] if target else None,
        }  # fmt: skip
        length = mix(len(source) + self.salt(len(PLACES) * len(levels)) & MASK)
        most = options.max_atoms or len(PLACES) + 1
        for size in range(min(most, len(PLACES)) + 1):
            for places in combinations(range(len(PLACES)), size):
                if not options.source_edges and not TARGET & {PLACES[p][0] for p in places}:
                    continue
                for chosen in product(range(len(levels)), repeat=size):
                    if sum(COSTS[levels[level]] for level in chosen) > options.budget:
                        continue
                    if any(
                        PLACES[place][0] in TARGET and levels[level] in self.source_only
                        for place, level in zip(places, chosen, strict=True)
                    ):
                        continue
                    total, texts = 0, []
                    for place, level in zip(places, chosen, strict=True):
                        name, edge = PLACES[place]
                        side = "target" if name in TARGET else "source"
                        value, text = self.atom(side, words[name], levels[level], edge)
                        number = place * len(levels) + level
                        total += mix(value + self.salt(number) & MASK)
                        texts.append(f"{name}.{levels[level]}={text}")
                    if texts:
                        found["edges:" + "|".join(texts)] = mix(total & MASK)
                    if size < most:
                        texts.append(f"length={len(source)}")
                        found["edges:" + "|".join(texts)] = mix(total + length & MASK)
        return found

    def history(self, source, target, last_rule, before, last):
        """{name: key} of a rule behind a rule (source, target; or None) and two target words."""
        pair = "_".join(map(part, source)) + "|" + "_".join(map(part, target))
        own = self.rule_id(source, target)
        found = {}
        if self.options.rule_pairs:
            other = "<none>"
            if last_rule is not None:
                other = "|".join("_".join(map(part, side)) for side in last_rule)
            number = 0 if last_rule is None else self.rule_id(*last_rule)
            found[f"rules:{other}|{pair}"] = combine(combine(0x70616972, number), own)
        for i, level in enumerate(self.levels if self.options.history else ()):
            if 2 * COSTS[level] <= self.options.budget and level not in self.source_only:
                atoms = [self.atom("target", word, level, "right") for word in (before, last)]
                h = combine(combine(0x68697374 + i, atoms[0][0]), atoms[1][0])
                name = f"history.{level}:{atoms[0][1]}_{atoms[1][1]}|{pair}"
                found[name] = combine(h, own)
        return found
