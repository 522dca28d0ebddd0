"""Hierarchical rules as they are defined (Chiang 2007): try every place and every gap."""

import math
from collections import Counter, defaultdict
from itertools import pairwise, product


class Corpus:
    """All rules of (source words, target words, links) triples, by their source sides."""

    def __init__(self, pairs, options, left_out=()):
        self.pairs, self.options = pairs, options
        self.kept = [s for s in range(len(pairs)) if s not in left_out]
        self.places = Counter()
        """Of patterns: words and gaps (0), without a gap before and behind them."""
        self.counts = defaultdict(Counter)
        self.with_side = Counter()
        self.links = defaultdict(lambda: defaultdict(Counter))
        for s in self.kept:
            self._add(*pairs[s])

    def _add(self, source, target, links):
        for parts in placed_patterns(source, self.options):
            pattern = symbols(source, parts)
            self.places[pattern] += 1
            for lead, trail in product((False, True), repeat=2):
                found = rules_at(source, target, links, parts, lead, trail, self.options)
                side = (*(0,) * lead, *pattern, *(0,) * trail)
                self.with_side[side] += bool(found)
                if side == (source[parts[0][0]],) and self._unlinked(parts, links):
                    self.with_side[side] += 1
                    found = [((), ())]
                for rule, rule_links in found:
                    self.counts[side][rule] += 1
                    self.links[side][rule][rule_links] += 1

    def _unlinked(self, parts, links):
        return self.options["deletions"] and parts[0][0] not in {s for s, _ in links}

    def found_again(self):
        """Target sides of each source side that is looked for in the text itself."""
        for side, rules in self.counts.items():
            if any(fits(side, source, self.options) for source, _, _ in self.pairs):
                yield rules

    def pattern_count(self, side):
        return self.places[side[side[0] == 0 : len(side) - (side[-1] == 0)]]

    def target_count(self, rule):
        """How often the rarest run of words of a target side occurs."""
        texts = [self.pairs[s][1] for s in self.kept]
        return min(
            sum(words == text[i : i + len(words)] for text in texts for i in range(len(text)))
            for words in runs(rule)
        )


def placed_patterns(source, options):
    """All lists of parts [(begin, end), …] of a sentence within the limits."""

    def grow(parts):
        yield parts
        begin, end = parts[0][0], parts[-1][1]
        size = sum(e - b for b, e in parts) + len(parts) - 1
        last = min(len(source), begin + options["max_span"])
        if size < options["max_symbols"] and end < last:
            yield from grow([*parts[:-1], (parts[-1][0], end + 1)])
        if size + 2 <= options["max_symbols"] and len(parts) <= options["max_nonterminals"]:
            for place in range(end + options["min_gap"], last):
                yield from grow([*parts, (place, place + 1)])

    for begin in range(len(source)):
        yield from grow([(begin, begin + 1)])


def symbols(source, parts):
    out = []
    for begin, end in parts:
        out += [*([0] if out else []), *source[begin:end]]
    return tuple(out)


def phrase(begin, end, links, tight):
    """The target span of a source span that is a phrase, or None."""
    inside = [(s, t) for s, t in links if begin <= s < end]
    if not inside:
        return None
    low, high = min(t for _, t in inside), max(t for _, t in inside) + 1
    if any(low <= t < high and not begin <= s < end for s, t in links):
        return None
    linked = {s for s, _ in inside}
    if tight and not {begin, end - 1} <= linked:
        return None
    return low, high


def rules_at(source, target, links, parts, lead, trail, options):
    """Target sides with links of a pattern at a place, with the shortest gaps around it."""
    begin, end = parts[0][0], parts[-1][1]
    size = sum(e - b for b, e in parts) + len(parts) - 1 + lead + trail
    if size > options["max_symbols"] or len(parts) - 1 + lead + trail > options["max_nonterminals"]:
        return []
    if not any(b <= s < e for s, _ in links for b, e in parts):
        return []
    least = options["min_gap"]
    firsts = range(begin - least, -1, -1) if lead else [begin]
    lasts = range(end + least, len(source) + 1) if trail else [end]
    choices = {}
    for first, last in product(firsts, lasts):
        gaps = [
            *([(first, begin)] if lead else []),
            *((a[1], b[0]) for a, b in pairwise(parts)),
            *([(end, last)] if trail else []),
        ]
        spans = [phrase(*span, links, options["tight"]) for span in [(first, last), *gaps]]
        whole = spans[0]
        if None in spans or last - first > options["max_span"]:
            continue
        if whole[1] - whole[0] > options["max_target_span"]:
            continue
        choices[first, last] = whole, spans[1:]
    if not choices:
        return []
    shortest = max(first for first, _ in choices), min(last for _, last in choices)
    numbers = numbered(parts, lead)
    found = target_sides(target, links, numbers, *choices[shortest], options)
    if options["tight"]:  # longer gaps make no other rule
        for choice in choices.values():
            assert target_sides(target, links, numbers, *choice, options) == found
    return found


def numbered(parts, lead):
    """Source positions to places among the symbols of the source side."""
    numbers = {}
    place = int(lead)
    for begin, end in parts:
        for i in range(begin, end):
            numbers[i] = place
            place += 1
        place += 1
    return numbers


def target_sides(target, links, numbers, whole, gaps, options):
    linked = {t for _, t in links}
    edges = [([whole[0]], [whole[1]])]
    if not options["tight"]:
        low, high = whole
        lows, highs = [low], [high]
        while lows[-1] > 0 and lows[-1] - 1 not in linked:
            lows.append(lows[-1] - 1)
        while highs[-1] < len(target) and highs[-1] not in linked:
            highs.append(highs[-1] + 1)
        edges = [(lows, highs)]
    found = []
    for low, high in product(*edges[0]):
        if high - low > options["max_target_span"]:
            continue
        side, places = [], {}
        t = low
        while t < high:
            gap = next((g for g, span in enumerate(gaps) if span[0] == t), None)
            places[t] = len(side)
            side.append(target[t] if gap is None else gap + 1)
            t = t + 1 if gap is None else gaps[gap][1]
        between = sorted((numbers[s], places[t]) for s, t in links if s in numbers)
        found.append((tuple(side), tuple(between)))
    return found


def runs(rule):
    """The runs of words of a target side."""
    out = [[]]
    for symbol in rule:
        if isinstance(symbol, int):
            out.append([])
        else:
            out[-1].append(symbol)
    return [run for run in out if run]


def fits(side, sentence, options):
    """Whether a source side has a place in a sentence, within the limits of gaps and spans."""

    def match(rest, place, begin):
        if place - begin > options["max_input_span"]:
            return False
        if not rest:
            return True
        if rest[0] == 0:
            return any(
                match(rest[1:], after, begin)
                for after in range(place + options["min_gap"], len(sentence) + 1)
            )
        return (
            place < len(sentence)
            and sentence[place] == rest[0]
            and match(rest[1:], place + 1, begin)
        )

    return any(match(side, begin, begin) for begin in range(len(sentence)))


def lexicon(pairs):
    """w(e|f) and w(f|e) by links, None for unlinked words."""
    joint, of_source, of_target = Counter(), Counter(), Counter()
    for source, target, links in pairs:
        words = [(source[s], target[t]) for s, t in links]
        words += [(w, None) for s, w in enumerate(source) if s not in {s for s, _ in links}]
        words += [(None, w) for t, w in enumerate(target) if t not in {t for _, t in links}]
        for f, e in words:
            joint[f, e] += 1
            of_source[f] += 1
            of_target[e] += 1
    return (
        {(f, e): n / of_source[f] for (f, e), n in joint.items()},
        {(f, e): n / of_target[e] for (f, e), n in joint.items()},
    )


def discounts(counts):
    """Modified Kneser–Ney, from how many pairs occur once, twice, …"""
    n = Counter(counts)
    y = n[1] / (n[1] + 2 * n[2]) if n[1] + 2 * n[2] else 0.0
    found = []
    for c, fallback in ((1, 0.5), (2, 1.0), (3, 1.5)):
        d = c - (c + 1) * y * n[c + 1] / n[c] if n[c] else -1.0
        found.append(d if 0 < d < c else fallback)
    return found


def features(corpus, whole, side, rule):
    """Of a rule of `corpus`; words and discounts are those of the `whole` text."""
    count = corpus.counts[side][rule]
    target_given_source, source_given_target = lexicon(whole.pairs)
    f_words = [w for w in side if w != 0]
    e_words = [w for w in rule if not isinstance(w, int)]
    numbers = [n for rules in whole.found_again() for n in rules.values()]
    freed = count - discounts(numbers)[min(count, 3) - 1]
    places = corpus.pattern_count(side)
    gaps = [symbol for symbol in rule if isinstance(symbol, int)]
    values = {
        "coherent_e_given_f": math.log(count / places),
        "sample_count_f": math.log(1 + places),
        "count_ef": math.log(1 + count),
        "max_lex_f_given_e": sum(
            math.log(max(source_given_target.get((f, e), 0) for e in [None, *e_words]))
            for f in f_words
        ),
        "max_lex_e_given_f": sum(
            math.log(max(target_given_source.get((f, e), 0) for f in [None, *f_words]))
            for e in e_words
        ),
        "singleton_f": float(corpus.with_side[side] == 1),
        "singleton_fe": float(count == 1),
        "p_e_given_f": math.log(freed / sum(corpus.counts[side].values())),
        "p_f_given_e": math.log(
            min(1, freed / corpus.target_count(rule))
            if rule
            else source_given_target[side[0], None]
        ),
        "gaps:1": float(len(gaps) == 1),
        "gaps:2": float(len(gaps) == 2),
        "swapped": float(gaps == [2, 1]),
        "moved": float(
            gaps == [1]
            and ((side[0] == 0 and rule[-1] == 1) or (side[-1] == 0 and rule[0] == 1))
            and len(rule) > 1
        ),
        "deleted": float(not rule),
    }
    bounds = [1, 2, 4, 8, 16, 32, math.inf]
    bound = next(b for b in bounds if count <= b)
    values[f"count_bin:{bound}"] = 1.0
    return {name: value for name, value in values.items() if value != 0}
