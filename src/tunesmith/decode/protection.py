"""Protected units in search: each comes out exactly once, and as it went in.

1. A unit is a word whose translation is prescribed (itself), so that no rule loses or doubles it.
2. A tag is a word that is translated into nothing; it keeps rules from reaching across. What stands
   between a pair of tags is a zone, so that its translation stays together; a tag without a partner
   stands between two walls, and so do a line end, brackets, quotes and colons.
3. From the steps of the translation follows where each went; tags are written around what their
   words became, so that pairs stay pairs in whatever order (`tunesmith.decode.restoring`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tunesmith.base.derivation import DerivationStep
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.masking import Protection, Units
from tunesmith.corpus.protected import BORDERS, TAG
from tunesmith.corpus.protected import texts as texts_of
from tunesmith.corpus.tags import Element, elements
from tunesmith.decode.model_terms import Match, ModelTerm
from tunesmith.decode.sentence import SourceSentence
from tunesmith.engine import ALL_CORES, EngineLike

# No language model knows what may stand beside a unit that it has never seen, so these keep their
# places: else “see: URL” becomes “see URL:”.
_MARKS = frozenset('()[]"“”„«»‹›:;?!…。！？：；（）「」『』')

# The same of these where they stand beside a unit.
_COMMAS = frozenset(",、，")


@dataclass(frozen=True)
class ProtectedSentence(SourceSentence):
    """A sentence with units."""

    line: str = ""
    """As it was given."""
    units: Units = field(default_factory=list)
    places: list[int] = field(default_factory=list)
    """Where among the words each unit is."""
    written: list[str] = field(default_factory=list)
    """What each is in the translation: itself, but for numbers with other separators there."""
    terms: list[Match] = field(default_factory=list)
    """Words whose translation was given, and comes out as it was written."""

    @property
    def texts(self) -> list[str]:
        """What the units are."""
        return texts_of(self.line, self.units)

    @property
    def elements(self) -> list[Element]:
        """The tags, paired."""
        return elements(self.texts, self.units)

    def all_elements(self) -> Iterator[Element]:
        """The same, each before those in it."""
        return _all(self.elements)


def protected_sentences(
    lines: Sequence[str],
    units: Sequence[Units],
    source: Preprocessor,
    protection: Protection,
    *,
    engine: EngineLike = ALL_CORES,
) -> list[ProtectedSentence]:
    """Lines as they are translated: their units are constraints of the search."""
    encoded = source.encode_units(lines, units, engine=engine)
    return [
        protected_sentence(line, own, words, places, protection)
        for line, own, (words, places) in zip(lines, units, encoded, strict=True)
    ]


def protected_sentence(
    line: str,
    units: Units,
    words: list[str],
    places: list[int],
    protection: Protection,
    terms: Sequence[Match] = (),
) -> ProtectedSentence:
    """A line whose words have its units at these places; terms have none of them inside."""
    zones: list[tuple[int, int]] = []
    walls: set[int] = set()
    for element in _all(elements(texts_of(line, units), units)):
        begin, end = places[element.opening], places[element.closing] + 1
        if element.is_lone:
            walls |= {begin, end}
        else:
            zones.append((begin, end))
    for unit, place in zip(units, places, strict=True):
        if unit.kind in BORDERS:
            walls |= {place, place + 1}
    beside = {place + step for place in places for step in (-1, 1)}
    for place, word in enumerate(words if units else []):
        if word in _MARKS or (word in _COMMAS and place in beside):
            walls |= {place, place + 1}
    forced = [
        (place, place + 1, [] if unit.kind == TAG else [unit.word])
        for unit, place in zip(units, places, strict=True)
    ]
    inside = {place for term in terms for place in range(term.begin + 1, term.end)}
    return ProtectedSentence(
        words,
        sorted([*forced, *((one.begin, one.end, list(one.term.words)) for one in terms)]),
        sorted(wall for wall in walls - inside if 0 < wall < len(words)),
        zones,
        line=line,
        units=units,
        places=places,
        written=[
            protection.written(text, unit)
            for text, unit in zip(texts_of(line, units), units, strict=True)
        ],
        terms=list(terms),
    )


def _all(forest: Sequence[Element]) -> Iterator[Element]:
    for element in forest:
        yield element
        yield from _all(element.children)


def layout(
    sentence: ProtectedSentence, derivation: Sequence[DerivationStep], size: int
) -> list[tuple[int, int]]:
    """Words and tags of a translation of `size` words, in order: pairs of a unit and a word.

    Of a tag the word is -1, of an ordinary word the unit is.
    """
    steps = list(_flat(derivation))
    places = sentence.places
    at = {step.begin: step.target_begin for step in steps if step.end - step.begin == 1}
    units = {
        at[place]: number
        for number, place in enumerate(places)
        if sentence.units[number].kind != TAG
    }
    items: list[tuple[int, int]] = []

    def words(begin: int, end: int) -> None:
        items.extend((units.get(word, -1), word) for word in range(begin, end))

    def span(element: Element) -> tuple[int, int]:
        if element.is_lone:
            return at[places[element.opening]], at[places[element.opening]]
        first, last = places[element.opening], places[element.closing]
        # A tag itself may stand in the gap of a rule.
        inner = [step for step in steps if first <= step.begin and step.end <= last + 1]
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

    inside(sentence.elements, 0, size)
    return items


def _flat(steps: Sequence[DerivationStep]) -> Iterator[DerivationStep]:
    for step in steps:
        yield step
        yield from _flat(step.children)


def made_terms(
    sentence: ProtectedSentence, derivation: Sequence[DerivationStep]
) -> list[tuple[int, int, ModelTerm]]:
    """The words [begin, end) of a translation that terms have become."""
    made = {(one.begin, one.end): one for one in _flat(derivation) if one.rule < 0}
    steps = [(made[match.begin, match.end], match.term) for match in sentence.terms]
    return [(step.target_begin, step.target_end, term) for step, term in steps]


def with_units(
    sentence: ProtectedSentence, derivation: Sequence[DerivationStep], words: Sequence[str]
) -> list[str]:
    """The words of a translation with units and tags in their places, as an n-best list has it."""
    words = list(words)
    for begin, end, term in made_terms(sentence, derivation):
        words[begin:end] = term.tokens
    return [
        sentence.written[unit] if unit >= 0 else words[word]
        for unit, word in layout(sentence, derivation, len(words))
    ]
