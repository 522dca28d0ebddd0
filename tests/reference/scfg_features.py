"""Sparse features of hierarchical rules, as plainly as can be."""

from collections import Counter

from reference.chart import ScfgRule


def part(symbol):
    """A symbol as part of a name; the tests' words have nothing but these to escape."""
    if not isinstance(symbol, str):
        return f"<{symbol[0]}>"
    escaped = "".join("\\" + c if c in "_|\\" else c for c in symbol)
    return "\\" + escaped if symbol.startswith("<") else escaped


def numbered(symbol):
    return part(symbol) if isinstance(symbol, str) else f"<{symbol[0]}{symbol[1] + 1}>"


def rule_id(rule: ScfgRule):
    sides = ["_".join(map(numbered, side)) for side in (rule.source, rule.target)]
    label = [] if rule.label == "X" else [f"<{rule.label}>"]
    return Counter(["rule_id:" + "|".join([*label, *sides])])


def ngrams(symbols, size):
    return ["_".join(map(part, symbols[i : i + size])) for i in range(len(symbols) - size + 1)]


def src_ngram(rule, sizes=(2,)):
    return Counter(f"src_ngram:{one}" for size in sizes for one in ngrams(rule.source, size))


def tgt_ngram(rule, sizes=(2,)):
    return Counter(f"tgt_ngram:{one}" for size in sizes for one in ngrams(rule.target, size))


def pair_ngram(rule, sizes=(1,)):
    out = Counter()
    for size in sizes:
        for s in range(len(rule.source) - size + 1):
            for t in range(len(rule.target) - size + 1):
                source, target = rule.source[s : s + size], rule.target[t : t + size]
                linked = {(s, t), (s + size - 1, t + size - 1)} <= set(rule.links)
                if linked and all(isinstance(x, str) for x in (*source, *target)):
                    pair = "|".join("_".join(map(part, side)) for side in (source, target))
                    out[f"pair_ngram:{pair}"] += 1
    return out


def shape(rule):
    def side(symbols):
        kinds = ["w" if isinstance(s, str) else f"<{s[1] + 1}>" for s in symbols]
        return "_".join(k for i, k in enumerate(kinds) if k != "w" or kinds[i - 1 : i] != ["w"])

    return Counter([f"shape:{side(rule.source)}|{side(rule.target)}"])


def of_rule(rule):
    """All of them."""
    return (
        rule_id(rule)
        + src_ngram(rule)
        + tgt_ngram(rule, (1, 3))
        + pair_ngram(rule, (1, 2))
        + shape(rule)
    )
