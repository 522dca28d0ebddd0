"""Adverbials: when, how often, how, where, whither."""

from tunesmith.corpus.phrasebook import determiners as det
from tunesmith.corpus.phrasebook import numbers
from tunesmith.corpus.phrasebook.german_nouns import ACCUSATIVE, DATIVE
from tunesmith.corpus.phrasebook.lexicon import Noun
from tunesmith.corpus.phrasebook.participants import Participants
from tunesmith.corpus.phrasebook.phrases import Chance, Phrase
from tunesmith.corpus.phrasebook.tables import sections
from tunesmith.corpus.phrasebook.urn import Urn, zipf

_Fixed = tuple[tuple[tuple[str, int], ...], Urn[tuple[tuple[str, int], ...]]]

# Prepositions with furniture: where things lie.
_ON_FURNITURE = Urn(
    [
        ("auf", "on"),
        ("unter", "under"),
        ("neben", "next to"),
        ("hinter", "behind"),
        ("vor", "in front of"),
    ],
    [0.5, 0.15, 0.17, 0.09, 0.09],
)
_DETERMINERS = Urn([det.DEFINITE, det.INDEFINITE, det.DIESER], [0.84, 0.1, 0.06])
# Means of transport: mit dem Bus – by bus.
_BY = Urn(
    [
        ("Auto", "car", "dem"),
        ("Zug", "train", "dem"),
        ("Bus", "bus", "dem"),
        ("Fahrrad", "bike", "dem"),
        ("Flugzeug", "plane", "dem"),
        ("Taxi", "taxi", "dem"),
        ("Straßenbahn", "tram", "der"),
        ("Schiff", "ship", "dem"),
        ("U-Bahn", "underground", "der"),
    ],
    [0.27, 0.22, 0.17, 0.12, 0.06, 0.05, 0.05, 0.03, 0.03],
)


def _marked(text: str, monotone: bool) -> tuple[tuple[str, int], ...]:
    tokens = []
    for position, word in enumerate(text.split()):
        plain, _, group = word.partition("^")
        tokens.append((plain, int(group) if group else position + 1 if monotone else 1))
    return tuple(tokens)


def _read(section_wanted: str) -> Urn[_Fixed]:
    entries: list[_Fixed] = []
    for section, _, line in sections("adverbs.txt"):
        if section != section_wanted:
            continue
        german, _, english = (part.strip() for part in line.partition(";"))
        variants = [text.strip() for text in english.split(" / ")]
        equal = all(len(text.split()) == len(german.split()) for text in variants)
        targets = [_marked(text, equal) for text in variants]
        shares = [0.7] + [0.3] * (len(targets) - 1)
        entries.append((_marked(german, equal), Urn(targets, shares)))
    return Urn(entries, zipf(len(entries), offset=2.0))


class Adverbials:
    """Draws adverbials; `participants` gives the company and, by its nouns, the places."""

    def __init__(self, participants: Participants) -> None:
        self.participants, self.nouns = participants, participants.nouns
        names = [
            "past",
            "present",
            "habit",
            "now",
            "state",
            "future",
            "frequency",
            "already",
            "manner",
            "sentence",
            "place",
            "direction",
        ]
        self.lists = {name: _read(name) for name in names}

    def fixed(self, chance: Chance, name: str) -> Phrase:
        """An adverb of a section of the data file."""
        german, translations = chance.pick(self.lists[name])
        english = chance.pick(translations)
        base = chance.group
        chance.group += max(group for _, group in german)
        return Phrase(
            [(word, base + group) for word, group in german],
            [(word, base + group) for word, group in english],
        )

    def time(self, chance: Chance, kind: str) -> Phrase:
        """When: `kind` is past, present, habit, now, state or future."""
        roll = chance.random()
        if roll < 0.58 or kind in {"habit", "now", "state"}:
            return self.fixed(chance, kind)
        if kind == "present":
            return numbers.clock(chance) if roll < 0.75 else self.fixed(chance, kind)
        if roll < 0.68:
            return numbers.clock(chance)
        if roll < 0.85:
            return numbers.calendar(chance)
        if kind == "past":
            return numbers.ago(chance) if roll < 0.95 else numbers.year(chance)
        return numbers.from_now(chance)

    def place(self, chance: Chance, *, for_thing: bool = False) -> Phrase:
        """Where."""
        roll = chance.random()
        if for_thing and roll < 0.5:
            german, english = chance.pick(_ON_FURNITURE)
            noun = chance.pick(self.nouns.urn("furniture"))
            return self._with(chance, german, english, noun, DATIVE)
        if roll < 0.14:
            return self.fixed(chance, "place")
        if roll < 0.34:
            name = self.nouns.names["city" if chance.random() < 0.7 else "country"]
            german, english = chance.pick(name)
            base = chance.group
            chance.group += 2
            return Phrase(
                [("in", base + 1), (german, base + 2)], [("in", base + 1), (english, base + 2)]
            )
        noun = chance.pick(self.nouns.urn("place"))
        assert noun.place is not None
        return self._with(chance, noun.place.at, noun.place.at_english, noun, DATIVE)

    def direction(self, chance: Chance, *, far: bool = False) -> Phrase:
        """Whither; `far` for verbs that take one to another town."""
        roll = chance.random()
        if far or roll < 0.22:
            name = self.nouns.names["city" if chance.random() < 0.6 else "country"]
            german, english = chance.pick(name)
            base = chance.group
            chance.group += 2
            return Phrase(
                [("nach", base + 1), (german, base + 2)], [("to", base + 1), (english, base + 2)]
            )
        if roll < 0.36:
            return self.fixed(chance, "direction")
        noun = chance.pick(self.nouns.urn("place"))
        assert noun.place is not None
        case = DATIVE if noun.place.to == "zu" else ACCUSATIVE
        return self._with(chance, noun.place.to, noun.place.to_english, noun, case)

    def by_vehicle(self, chance: Chance) -> Phrase:
        """*mit dem Bus* – *by bus*."""
        german, english, article = chance.pick(_BY)
        base = chance.group
        chance.group += 2
        return Phrase(
            [("mit", base + 1), (article, base + 1), (german, base + 2)],
            [("by", base + 1), (english, base + 2)],
        )

    def company(self, chance: Chance, owner: int) -> Phrase:
        """*mit meinem Bruder* – *with my brother*."""
        phrase, _ = self.participants.object(chance, "who", DATIVE, owner)
        return self.nouns.prepositional(chance, "mit", ("with",), phrase)

    def _with(self, chance: Chance, german: str, english: str, noun: Noun, case: int) -> Phrase:
        phrase = self.nouns.phrase(
            chance, noun, case, -1, determiner=chance.pick(_DETERMINERS), plural=False
        )
        return self.nouns.prepositional(chance, german, tuple(english.split()), phrase)
