"""Who takes part: subjects and objects as nouns, names, pronouns, or two joined by *und*."""

from tunesmith.corpus.phrasebook.determiners import Determiner
from tunesmith.corpus.phrasebook.german_nouns import ACCUSATIVE, NOMINATIVE, PLURAL
from tunesmith.corpus.phrasebook.lexicon import Noun
from tunesmith.corpus.phrasebook.noun_phrases import HUMAN, NounPhrases
from tunesmith.corpus.phrasebook.phrases import Chance, Phrase
from tunesmith.corpus.phrasebook.pronouns import FORMAL, HE, IT, PERSONS, SHE, THEY, THOU
from tunesmith.corpus.phrasebook.urn import Urn

_PRONOUN_RATE = 0.34
_NAME_RATE = 0.19
_INDEFINITE_RATE = 0.03
_PAIR_RATE = 0.03
_OBJECT_PRONOUN_RATE = 0.28
_THING_PRONOUN_RATE = 0.06
_THING_INDEFINITE_RATE = 0.015

_SUBJECT_PRONOUNS = Urn(list(range(9)), [0.27, 0.12, 0.17, 0.14, 0.0005, 0.12, 0.03, 0.1, 0.06])
_OBJECT_PRONOUNS = Urn([0, 1, 2, 3, 5, 6, 7, 8], [0.24, 0.14, 0.2, 0.16, 0.12, 0.03, 0.1, 0.05])
_GENDER_PERSON = (HE, SHE, IT)

# German nominative, accusative, dative; German person; English and its person; negative.
_Indefinite = tuple[tuple[str, str, str], int, Urn[tuple[str, int]], bool]
_SOMEBODY: Urn[_Indefinite] = Urn(
    [
        (("man",) * 3, HE, Urn([("you", THOU), ("people", THEY), ("one", IT)], [3, 5, 2]), False),
        (
            ("jemand", "jemanden", "jemandem"),
            HE,
            Urn([("someone", IT), ("somebody", IT)], [6, 4]),
            False,
        ),
        (
            ("niemand", "niemanden", "niemandem"),
            HE,
            Urn([("nobody", IT), ("no one", IT)], [6, 4]),
            True,
        ),
        (
            ("alle", "alle", "allen"),
            THEY,
            Urn([("everyone", IT), ("everybody", IT)], [6, 4]),
            False,
        ),
        (("jeder", "jeden", "jedem"), HE, Urn([("everyone", IT), ("everybody", IT)]), False),
    ],
    [0.35, 0.22, 0.2, 0.15, 0.08],
)
_SOMETHING: Urn[_Indefinite] = Urn(
    [
        (("etwas", "etwas", "etwas"), IT, Urn([("something", IT)]), False),
        (("nichts", "nichts", "nichts"), IT, Urn([("nothing", IT)]), True),
        (("alles", "alles", "allem"), IT, Urn([("everything", IT)]), False),
    ]
)


# German words before and between two participants, English ones, and the English person.
_JOINTS = Urn(
    [
        ((), ("und",), (), ("and",), THEY),
        (("sowohl",), ("als", "auch"), ("both",), ("and",), THEY),
        (("weder",), ("noch",), ("neither",), ("nor",), IT),
        (("nicht", "nur"), (",", "sondern", "auch"), ("not", "only"), ("but", "also"), IT),
        (("entweder",), ("oder",), ("either",), ("or",), IT),
    ],
    [0.72, 0.08, 0.08, 0.06, 0.06],
)


def pronoun(chance: Chance, person: int, case: int) -> Phrase:
    """A personal pronoun."""
    row = PERSONS[person]
    group = chance.link()
    return Phrase(
        [(row.german[case], group)],
        [(row.english[case != NOMINATIVE], group)],
        person,
        person,
        is_pronoun=True,
    )


def same_person(one: int, other: int) -> bool:
    """Whether two persons could only be the same (*ich sehe mich* is another construction)."""
    if one == other:
        return True
    speakers, hearers = {0, 5}, {1, 6, FORMAL}
    return (one in speakers and other in speakers) or (one in hearers and other in hearers)


class Participants:
    """Draws subjects and objects."""

    def __init__(self, nouns: NounPhrases) -> None:
        self.nouns = nouns

    def subject(self, chance: Chance, classes: str) -> tuple[Phrase, Noun | None]:
        """A subject of the classes; *who* may also be a pronoun or a name."""
        if classes.startswith("who"):
            roll = chance.random()
            if roll < _PRONOUN_RATE:
                return pronoun(chance, chance.pick(_SUBJECT_PRONOUNS), NOMINATIVE), None
            roll -= _PRONOUN_RATE
            if roll < _NAME_RATE:
                return self.name(chance, NOMINATIVE), None
            roll -= _NAME_RATE
            if roll < _INDEFINITE_RATE:
                return _indefinite(chance, chance.pick(_SOMEBODY), NOMINATIVE), None
            if roll < _INDEFINITE_RATE + _PAIR_RATE:
                return self.couple(chance, NOMINATIVE), None
        noun = chance.pick(self.nouns.urn(classes))
        return self.nouns.phrase(chance, noun, NOMINATIVE, -1), noun

    def object(
        self,
        chance: Chance,
        classes: str,
        case: int,
        owner: int,
        *,
        negate: Determiner | None = None,
    ) -> tuple[Phrase, Noun | None]:
        """An object that is not the subject itself; `negate` takes the place of *ein*."""
        if classes.startswith("who"):
            roll = chance.random()
            if roll < _OBJECT_PRONOUN_RATE:
                person = chance.pick(_OBJECT_PRONOUNS)
                while same_person(person, owner):
                    person = chance.pick(_OBJECT_PRONOUNS)
                return pronoun(chance, person, case), None
            roll -= _OBJECT_PRONOUN_RATE
            if roll < _NAME_RATE:
                return self.name(chance, case), None
            roll -= _NAME_RATE
            if roll < _INDEFINITE_RATE and negate is None:
                entry = chance.pick(_SOMEBODY)
                if entry[0][0] != "man":
                    return _indefinite(chance, entry, case), None
            elif roll < _INDEFINITE_RATE + _PAIR_RATE and negate is None:
                return self.couple(chance, case), None
        noun = chance.pick(self.nouns.urn(classes))
        if negate is None:
            roll = chance.random()
            if roll < _THING_PRONOUN_RATE:
                return self.thing_pronoun(chance, noun, case), noun
            if (
                roll < _THING_PRONOUN_RATE + _THING_INDEFINITE_RATE
                and case == ACCUSATIVE
                and noun.section not in HUMAN
            ):
                return _indefinite(chance, chance.pick(_SOMETHING), case), None
        return self.nouns.phrase(chance, noun, case, owner, negate=negate), noun

    def thing_pronoun(self, chance: Chance, noun: Noun, case: int) -> Phrase:
        """*ihn*, *sie*, *es* for a noun; *it* in English unless it is a person."""
        person = THEY if noun.gender == PLURAL else _GENDER_PERSON[noun.gender]
        if noun.she:
            person = SHE
        phrase = pronoun(chance, person, case)
        english = person
        if noun.section not in HUMAN and person != THEY:
            english = IT
        phrase.english = [(PERSONS[english].english[case != NOMINATIVE], phrase.german[0][1])]
        phrase.english_person = english
        return phrase

    def name(self, chance: Chance, case: int) -> Phrase:
        """*Anna*, *Herr Müller*."""
        roll = chance.random()
        man = chance.random() < 0.5
        person = HE if man else SHE
        if roll < 0.72:
            german, english = chance.pick(self.nouns.names["man" if man else "woman"])
            group = chance.link()
            return Phrase([(german, group)], [(english, group)], person, person)
        title = ("Herr" if case == NOMINATIVE else "Herrn") if man else "Frau"
        english_title = "Mr." if man else "Mrs." if roll < 0.86 else "Ms."
        german, english = chance.pick(self.nouns.names["surname"])
        first = chance.group + 1
        chance.group = first + 1
        return Phrase(
            [(title, first), (german, first + 1)],
            [(english_title, first), (english, first + 1)],
            person,
            person,
        )

    def couple(self, chance: Chance, case: int) -> Phrase:
        """*Anna und Peter*, *der Arzt und seine Frau*."""
        if chance.random() < 0.6:
            one, other = self.name(chance, case), self.name(chance, case)
        else:
            one = self.nouns.phrase(
                chance, chance.pick(self.nouns.urn("person,worker")), case, -1, plural=False
            )
            other = self.nouns.phrase(
                chance, chance.pick(self.nouns.urn("person")), case, one.person, plural=False
            )
        if one.german[0][0] == other.german[0][0]:
            return one
        before, german, english_before, english, number = (
            chance.pick(_JOINTS) if case == NOMINATIVE else _JOINTS.items[0]
        )
        first = chance.link()
        second = chance.link()
        return Phrase(
            [
                *((word, first) for word in before),
                *one.german,
                *((word, second) for word in german),
                *other.german,
            ],
            [
                *((word, first) for word in english_before),
                *one.english,
                *((word, second) for word in english),
                *other.english,
            ],
            other.person if number == IT else THEY,
            number,
            is_negative=bool(before) and before[0] == "weder",
            is_known=not before,
        )


def _indefinite(chance: Chance, entry: _Indefinite, case: int) -> Phrase:
    forms, person, translations, negative = entry
    words, english = chance.pick(translations)
    group = chance.link()
    return Phrase(
        [(forms[case], group)],
        [(word, group) for word in words.split()],
        person,
        english,
        is_negative=negative,
        is_known=False,
    )
