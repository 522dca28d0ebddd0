"""Noun phrases: determiner, adjectives, noun; pronouns and names."""

from tunesmith.corpus.phrasebook import determiners as det
from tunesmith.corpus.phrasebook.compounds import compounds
from tunesmith.corpus.phrasebook.determiners import Determiner
from tunesmith.corpus.phrasebook.german_nouns import (
    CONTRACTIONS,
    GENITIVE,
    NOMINATIVE,
    PLURAL,
)
from tunesmith.corpus.phrasebook.lexicon import Adjective, Noun, lexicon
from tunesmith.corpus.phrasebook.phrases import UNLINKED, Chance, Phrase, Token
from tunesmith.corpus.phrasebook.pronouns import FORMAL, HE, IT, PERSONS, SHE, THEY
from tunesmith.corpus.phrasebook.tables import sections
from tunesmith.corpus.phrasebook.urn import Urn, zipf

# Rates of what a noun phrase may have.
_PLURAL_RATE = 0.22
_ADJECTIVE_RATE = 0.27
_SECOND_ADJECTIVE_RATE = 0.07
_COMPOUND_RATE = 0.3
_PRONOUN_RATE = 0.36
_NAME_RATE = 0.2
_OBJECT_PRONOUN_RATE = 0.3
_THING_PRONOUN_RATE = 0.06

_GENDER_PERSON = (HE, SHE, IT)
# Somebody's mother, not the subject's own.
_OTHERS = Urn([0, 1, 2, 3, 5, 6, 7, 8], [0.4, 0.12, 0.1, 0.1, 0.15, 0.03, 0.06, 0.04])
_SUBJECT_PRONOUNS = Urn(list(range(9)), [0.27, 0.12, 0.17, 0.14, 0.0005, 0.12, 0.03, 0.1, 0.06])
_OBJECT_PRONOUNS = Urn([0, 1, 2, 3, 5, 6, 7, 8], [0.24, 0.14, 0.2, 0.16, 0.12, 0.03, 0.1, 0.05])


def _read_names() -> dict[str, Urn[tuple[str, str]]]:
    lists: dict[str, list[tuple[str, str]]] = {}
    for section, _, line in sections("names.txt"):
        german, _, english = line.partition(" ")
        lists.setdefault(section, []).append((german, english or german))
    return {section: Urn(names, zipf(len(names))) for section, names in lists.items()}


class NounPhrases:
    """Draws noun phrases from the lexicon."""

    def __init__(self) -> None:
        self.names = _read_names()
        self._lexicon = lexicon()
        self._compounds = {
            key: Urn(nouns, zipf(len(nouns), offset=1.0)) for key, nouns in compounds().items()
        }
        self._weights = {
            id(noun): weight / len(nouns) ** 0.4
            for nouns in self._lexicon.nouns.values()
            for noun, weight in zip(nouns, zipf(len(nouns)), strict=True)
        }
        self._nouns: dict[str, Urn[Noun]] = {}
        self._adjectives = self._adjectives_by_noun()

    def _adjectives_by_noun(self) -> dict[int, Urn[Adjective]]:
        adjectives = self._lexicon.adjectives
        ranks = zipf(len(adjectives), offset=8.0)
        lists: dict[int, list[int]] = {}
        for number, adjective in enumerate(adjectives):
            for noun in self._lexicon.members(",".join(adjective.classes)):
                lists.setdefault(id(noun), []).append(number)
        shared: dict[tuple[int, ...], Urn[Adjective]] = {}
        result = {}
        for key, numbers in lists.items():
            known = tuple(numbers)
            if known not in shared:
                shared[known] = Urn(
                    [adjectives[number] for number in known], [ranks[number] for number in known]
                )
            result[key] = shared[known]
        return result

    def urn(self, classes: str) -> Urn[Noun]:
        """The nouns of some classes, the frequent ones more often."""
        urn = self._nouns.get(classes)
        if urn is None:
            nouns = self._lexicon.members(classes)
            urn = Urn(nouns, [self._weights[id(noun)] for noun in nouns])
            self._nouns[classes] = urn
        return urn

    def adjectives_of(self, noun: Noun) -> Urn[Adjective] | None:
        """The adjectives that make sense with `noun`."""
        return self._adjectives.get(id(noun))

    def subject(self, chance: Chance, classes: str) -> tuple[Phrase, Noun | None]:
        """A subject of the classes; *who* may also be a pronoun or a name."""
        if classes.startswith("who"):
            roll = chance.random()
            if roll < _PRONOUN_RATE:
                return pronoun(chance, chance.pick(_SUBJECT_PRONOUNS), NOMINATIVE), None
            if roll < _PRONOUN_RATE + _NAME_RATE:
                return self.name(chance, NOMINATIVE), None
        noun = chance.pick(self.urn(classes))
        return self.phrase(chance, noun, NOMINATIVE, -1), noun

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
                while _same_person(person, owner):
                    person = chance.pick(_OBJECT_PRONOUNS)
                return pronoun(chance, person, case), None
            if roll < _OBJECT_PRONOUN_RATE + _NAME_RATE:
                return self.name(chance, case), None
        noun = chance.pick(self.urn(classes))
        if negate is None and chance.random() < _THING_PRONOUN_RATE:
            return self.thing_pronoun(chance, noun, case), noun
        return self.phrase(chance, noun, case, owner, negate=negate), noun

    def thing_pronoun(self, chance: Chance, noun: Noun, case: int) -> Phrase:
        """*ihn*, *sie*, *es* for a noun; *it* in English unless it is a person."""
        person = THEY if noun.gender == PLURAL else _GENDER_PERSON[noun.gender]
        phrase = pronoun(chance, person, case)
        if noun.section not in {"person", "worker"} and person != THEY:
            group = phrase.german[0][1]
            phrase.english = [(PERSONS[IT].english[case != NOMINATIVE], group)]
            phrase.english_person = IT
        elif noun.she:
            phrase.english = [(PERSONS[SHE].english[case != NOMINATIVE], phrase.german[0][1])]
            phrase.english_person = SHE
        return phrase

    def name(self, chance: Chance, case: int) -> Phrase:
        """*Anna*, *Herr Müller*."""
        roll = chance.random()
        man = chance.random() < 0.5
        person = HE if man else SHE
        if roll < 0.72:
            german, english = chance.pick(self.names["man" if man else "woman"])
            group = chance.link()
            return Phrase([(german, group)], [(english, group)], person, person)
        title = ("Herr" if case == NOMINATIVE else "Herrn") if man else "Frau"
        english_title = "Mr." if man else "Mrs." if roll < 0.86 else "Ms."
        german, english = chance.pick(self.names["surname"])
        first = chance.group + 1
        chance.group = first + 1
        return Phrase(
            [(title, first), (german, first + 1)],
            [(english_title, first), (english, first + 1)],
            person,
            person,
        )

    def phrase(
        self,
        chance: Chance,
        noun: Noun,
        case: int,
        owner: int,
        *,
        determiner: Determiner | None = None,
        negate: Determiner | None = None,
        plural: bool | None = None,
        plain: bool = False,
    ) -> Phrase:
        """A noun with determiner and perhaps adjectives; `owner` is the subject's person or −1."""
        random = chance.random
        if plural is None:
            plural = noun.has_plural and random() < _PLURAL_RATE and not noun.relative
        if not noun.has_singular:
            plural = True
        if determiner is None:
            determiner = self._determiner(chance, noun, plural, owner)
            if negate is not None and determiner.indefinite:
                determiner = negate
        if not plain and random() < _COMPOUND_RATE:
            made = self._compounds.get(id(noun))
            if made is not None:
                adjectives = self._adjectives.get(id(noun))
                return self._build(chance, chance.pick(made), case, plural, determiner, adjectives)
        adjectives = None if plain else self._adjectives.get(id(noun))
        return self._build(chance, noun, case, plural, determiner, adjectives)

    def _determiner(self, chance: Chance, noun: Noun, plural: bool, owner: int) -> Determiner:
        if noun.relative:
            kind = chance.pick(det.RELATIVES)
        elif plural:
            kind = chance.pick(det.PLURALS)
        elif noun.mass:
            kind = chance.pick(det.MASS)
        else:
            kind = chance.pick(det.SINGULAR)
        if isinstance(kind, Determiner):
            return kind
        if kind == "number":
            return det.NUMERALS[int(chance.random() ** 2 * len(det.NUMERALS))]
        if kind == "own" and owner >= 0:
            return det.POSSESSIVES[owner]
        return det.POSSESSIVES[chance.pick(_OTHERS)]

    def _build(
        self,
        chance: Chance,
        noun: Noun,
        case: int,
        plural: bool,
        determiner: Determiner,
        adjectives: Urn[Adjective] | None,
    ) -> Phrase:
        random = chance.random
        gender = PLURAL if plural else noun.gender
        translation = chance.pick(noun.english)
        group = chance.group + 1
        german = []
        word = determiner.forms[case][gender]
        if word:
            german.append((word, group))
        english_plural = plural or translation.always_plural
        words = chance.pick(determiner.plural if english_plural else determiner.singular)
        before: list[Token] = []
        count = 0
        if adjectives is not None and random() < _ADJECTIVE_RATE:
            count = 2 if random() < _SECOND_ADJECTIVE_RATE else 1
        if count == 0 and case == GENITIVE and plural and not word:
            count = 1  # a genitive plural must show itself: der Rat guter Freunde
        first_article = translation.article
        ending = determiner.endings[case][gender]
        used: list[Adjective] = []
        while adjectives is not None and count:
            count -= 1
            adjective = chance.pick(adjectives)
            if adjective in used or (adjective.needs_owner and determiner.name != "poss"):
                continue
            used.append(adjective)
            group += 1
            german.append((adjective.stem + ending, group))
            meaning = chance.pick(adjective.english)
            if not before:
                first_article = meaning.article if translation.article else ""
            before.append((meaning.word, group))
        head = group + 1
        chance.group = head
        german.append((noun.forms[case + 4 if plural else case], head))
        start = chance.group - len(before) - 1 if word else UNLINKED
        if words == ("a",):
            words = (first_article,) if first_article else ()
        english = [(piece, start) for piece in words]
        english += before
        english += [
            (piece, head)
            for piece in (translation.plural if english_plural else translation.singular)
        ]
        person = THEY if plural else _GENDER_PERSON[noun.gender]
        return Phrase(
            german,
            english,
            person,
            self._english_person(noun, person, english_plural and not translation.uncounted),
            is_indefinite=determiner.indefinite,
        )

    @staticmethod
    def _english_person(noun: Noun, person: int, plural: bool) -> int:
        if plural:
            return THEY
        if noun.section in {"person", "worker"}:
            if person == IT:
                return SHE if noun.she else IT
            return HE if person == THEY else person
        return IT

    def prepositional(
        self, chance: Chance, german: str, english: tuple[str, ...], phrase: Phrase
    ) -> Phrase:
        """Put prepositions before a phrase, contracted with the article: *im*, *zur*."""
        first, group = phrase.german[0]
        fused = CONTRACTIONS.get((german, first))
        if fused is not None and len(phrase.german) > 1:
            phrase.german[0] = (fused, group)
        else:
            group = chance.link()
            phrase.german.insert(0, (german, group))
        phrase.english[0:0] = [(word, group) for word in english]
        phrase.is_pronoun = False
        return phrase


def _same_person(one: int, other: int) -> bool:
    """Whether two persons could only be the same (*ich sehe mich* is another construction)."""
    if one == other:
        return True
    speakers, hearers = {0, 5}, {1, 6, FORMAL}
    return (one in speakers and other in speakers) or (one in hearers and other in hearers)


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
