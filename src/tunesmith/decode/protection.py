"""Constraints of search: protected units come out exactly once, and pairs of marks stay pairs.

1. A unit is a word whose translation is prescribed (itself), so that no rule loses or doubles it.
2. A tag is a word that is translated into nothing; it keeps rules from reaching across. What stands
   between a pair of tags is a zone, so that its translation stays together; a tag without a partner
   stands between two walls, and so do a line end and, beside units, marks of punctuation.
3. A pair of brackets or quotes encloses the translation of what it enclosed.
4. From the steps of the translation follows where each tag went: it is written around what its
   words became, so that pairs stay pairs in whatever order.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

from tunesmith.base.derivation import DerivationStep
from tunesmith.corpus.known_words import KnownWords, UnknownWord
from tunesmith.corpus.lines import Line
from tunesmith.corpus.marks import mark_pairs, pair_like
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.protected import BORDERS, TAG, find_zones
from tunesmith.corpus.spacing import Spacing
from tunesmith.corpus.tags import Element, all_elements, elements
from tunesmith.decode.model_terms import Match, ModelTerm
from tunesmith.decode.sentence import SourceSentence

# No language model knows what may stand beside a unit that it has never seen, so these keep their
# places: else “see: URL” becomes “see URL:”.
_MARKS = frozenset('()[]"“”„«»‹›:;?!…。！？：；（）「」『』')

_ORDINAL = re.compile(r"\d\. [^\W\d_]+$")
# The same of these where they stand beside a unit.
_COMMAS = frozenset(",、，")


def line_sentence(
    line: Line,
    protection: Protection | None,
    words: list[str] | None = None,
    owners: list[int] | None = None,
    terms: Sequence[Match] = (),
    unknown: Sequence[UnknownWord] | None = None,
    known: KnownWords | None = None,
    spacing: Spacing | None = None,
) -> SourceSentence:
    """A line as search takes it; the words are those of the line unless others are given.

    Terms have no units inside. `known` are the words that training text has,
    `spacing` is that of the target.
    """
    words = line.words if words is None else words
    owners = line.owners if owners is None else owners
    covered = {place for term in terms for place in range(term.begin, term.end)}
    prescribed = [(one.begin, one.end, list(one.term.words)) for one in terms]
    inside = covered - {term.begin for term in terms}
    surfaces = [line.surfaces[token] for token in owners]
    ends = _closing_marks(line, surfaces, owners)
    pairs = [pair for pair in mark_pairs(surfaces, ends) if covered.isdisjoint(pair)]
    zones = [zone for zone in find_zones(words) if not any(_crosses(zone, one) for one in terms)]
    walls: set[int] = set()
    unknown = list(line.unknown if unknown is None else unknown)
    sentence = SourceSentence(words, line=line, owners=owners, terms=list(terms), unknown=unknown)
    sentence.enclosures.extend((opening, closing + 1) for opening, closing in pairs)
    if line.units:
        kept = {
            unit
            for place, owner in enumerate(owners)
            if place not in covered and (unit := line.unit_of[owner]) >= 0
        }
        texts = line.unit_texts()
        copied = protection or Protection()
        sentence.written.update(
            (unit, copied.written(texts[unit], line.units[unit])) for unit in kept
        )
        places = sentence.places
        _constrain(sentence, places, zones, walls, {place for pair in pairs for place in pair})
        prescribed += [
            (place, place + 1, [] if line.units[unit].kind == TAG else [line.units[unit].word])
            for unit, place in places.items()
        ]
    if spacing is not None:
        for pair in pairs:
            shapes = pair_like(surfaces[pair[0]], *spacing.pair_counts) or ()
            prescribed += [(at, at + 1, [mark]) for at, mark in zip(pair, shapes, strict=False)]
    rare = [] if known is None else known.rare_signs(words)
    for begin, end in rare:
        # An ordinal stays before its word.
        span = begin, end + 1
        if _ORDINAL.search(" ".join(words[begin : end + 1])) and not (
            any(_crosses(zone, span) for zone in zones) or any(_crosses(span, one) for one in terms)
        ):
            zones.append(span)
    edges = {edge for span in (*zones, *((w, w) for w in walls)) for edge in span}
    for begin, end in rare:
        cuts = sorted({begin, end, *(edge for edge in edges if begin < edge < end)})
        prescribed += [
            (first, last, words[first:last])
            for first, last in pairwise(cuts)
            if covered.isdisjoint(range(first, last))
        ]
    sentence.forced.extend(sorted(prescribed))
    sentence.walls.extend(sorted(wall for wall in walls - inside if 0 < wall < len(words)))
    sentence.zones.extend(zones)
    return sentence


def _closing_marks(line: Line, surfaces: Sequence[str], owners: Sequence[int]) -> set[int]:
    """Where a straight quote can only close, or is an apostrophe or an inch: glued to a word."""
    found = set()
    for place, mark in enumerate(surfaces):
        if mark in ("'", '"') and line.raw:
            begin = line.spans[owners[place]][0]
            before = line.raw[begin - 1 : begin]
            if before.isdigit() or (mark == "'" and before.isalpha()):
                found.add(place)
    return found


def _crosses(zone: tuple[int, int], other: tuple[int, int] | Match) -> bool:
    begin, end, first, last = *zone, *other[:2]
    return first < begin < last < end or begin < first < end < last


def _constrain(
    sentence: SourceSentence,
    places: dict[int, int],
    zones: list[tuple[int, int]],
    walls: set[int],
    paired: set[int],
) -> None:
    """Add zones and walls for the units of a sentence."""
    assert sentence.line is not None
    units = sentence.line.units
    for element in all_elements(sentence_elements(sentence)):
        begin, end = places[element.opening], places[element.closing] + 1
        if element.is_lone:
            walls |= {begin, end}
        else:
            zones.append((begin, end))
    for unit, place in places.items():
        if units[unit].kind in BORDERS:
            walls |= {place, place + 1}
    beside = {place + step for place in places.values() for step in (-1, 1)}
    for place, word in enumerate(sentence.words):
        if place not in paired and (word in _MARKS or (word in _COMMAS and place in beside)):
            walls |= {place, place + 1}


def sentence_elements(sentence: SourceSentence) -> list[Element]:
    """The tags of a sentence, paired; their numbers are those of its line's units."""
    line, kept = sentence.line, sorted(sentence.written)
    if line is None or not kept:
        return []
    texts = line.unit_texts()
    units = [line.units[unit] for unit in kept]
    return [_numbered(one, kept) for one in elements([texts[unit] for unit in kept], units)]


def _numbered(element: Element, numbers: Sequence[int]) -> Element:
    children = [_numbered(child, numbers) for child in element.children]
    return Element(numbers[element.opening], numbers[element.closing], children)


def layout(
    sentence: SourceSentence, steps: Sequence[DerivationStep], size: int
) -> list[tuple[int, int]]:
    """Words and tags of a translation of `size` words, in order: pairs of a unit and a word.

    Of a tag the word is -1, of an ordinary word the unit is. `steps` are flat.
    """
    line, places = sentence.line, sentence.places
    if line is None or not places:
        return [(-1, word) for word in range(size)]
    at = {step.begin: step.target_begin for step in steps if step.end - step.begin == 1}
    units = {at[place]: unit for unit, place in places.items() if line.units[unit].kind != TAG}
    items: list[tuple[int, int]] = []

    ordered = sorted(steps, key=lambda step: step.begin)
    begins = [step.begin for step in ordered]

    def words(begin: int, end: int) -> None:
        items.extend((units.get(word, -1), word) for word in range(begin, end))

    def span(element: Element) -> tuple[int, int]:
        if element.is_lone:
            return at[places[element.opening]], at[places[element.opening]]
        first, last = places[element.opening], places[element.closing]
        # A tag itself may stand in the gap of a rule.
        near = ordered[bisect_left(begins, first) : bisect_right(begins, last)]
        inner = [step for step in near if step.end <= last + 1]
        made = [step for step in inner if step.target_begin < step.target_end]
        if not made:
            return at[first], at[first]
        return min(one.target_begin for one in made), max(one.target_end for one in made)

    def inside(children: Sequence[Element], begin: int, end: int) -> None:
        done = begin
        spans = [(*span(child), number) for number, child in enumerate(children)]
        for first, last, number in sorted(spans):
            # Whatever search has done, words come once and pairs do not cross.
            first = min(max(first, done), end)
            last = min(max(last, first), end)
            words(done, first)
            child = children[number]
            items.append((child.opening, -1))
            if not child.is_lone:
                inside(child.children, first, last)
                items.append((child.closing, -1))
            else:
                words(first, last)
            done = last
        words(done, end)

    inside(sentence_elements(sentence), 0, size)
    return items


def made_terms(
    sentence: SourceSentence, steps: Sequence[DerivationStep]
) -> list[tuple[int, int, ModelTerm]]:
    """The words [begin, end) of a translation that terms have become; `steps` are flat."""
    made = {(one.begin, one.end): one for one in steps if one.rule < 0}
    found = [(made[match.begin, match.end], match.term) for match in sentence.terms]
    return [(step.target_begin, step.target_end, term) for step, term in found]


def with_units(
    sentence: SourceSentence, steps: Sequence[DerivationStep], words: Sequence[str]
) -> list[str]:
    """The words of a translation with units and tags in their places, as an n-best list has it."""
    words = list(words)
    for begin, end, term in made_terms(sentence, steps):
        words[begin:end] = term.tokens
    return [
        sentence.written[unit] if unit >= 0 else words[word]
        for unit, word in layout(sentence, steps, len(words))
    ]
