"""Noun phrases: determiner, adjectives, noun, and what may follow the noun."""

from tunesmith.corpus.phrasebook import determiners as det
from tunesmith.corpus.phrasebook.attributes import (
    add_genitive,
    attributes_by_noun,
    measures_by_noun,
    possessor,
)
from tunesmith.corpus.phrasebook.compounds import compounds
from tunesmith.corpus.phrasebook.determiners import Determiner
from tunesmith.corpus.phrasebook.german_nouns import CONTRACTIONS, GENITIVE, PLURAL
from tunesmith.corpus.phrasebook.lexicon import Adjective, Noun, lexicon
from tunesmith.corpus.phrasebook.phrases import UNLINKED, Chance, Phrase, Token
from tunesmith.corpus.phrasebook.pronouns import HE, IT, SHE, THEY
from tunesmith.corpus.phrasebook.tables import sections
from tunesmith.corpus.phrasebook.urn import Urn, zipf

# Rates of what a noun phrase may have.
_PLURAL_RATE = 0.22
_ADJECTIVE_RATE = 0.3
_SECOND_ADJECTIVE_RATE = 0.07
_COMPOUND_RATE = 0.3
_ATTRIBUTE_RATE = 0.09
_GENITIVE_RATE = 0.09
_MEASURE_RATE = 0.35
_NAME_AFTER_RATE = 0.1

HUMAN = frozenset({"person", "worker"})
_OWNED = frozenset(
    {"item", "clothing", "furniture", "device", "text", "vehicle", "art", "building", "room"}
    | {"matter", "event", "body", "illness", "group"}
)
# Besides relatives, whom one may call by name: *mein Freund Peter*.
_NAMED = {"Freund", "Freundin", "Kollege", "Kollegin", "Nachbar", "Nachbarin", "Partner"}
_GENDER_PERSON = (HE, SHE, IT)
# Somebody's mother, not the subject's own.
_OTHERS = Urn([0, 1, 2, 3, 5, 6, 7, 8], [0.4, 0.12, 0.1, 0.1, 0.15, 0.03, 0.06, 0.04])
_OWNER_DETERMINERS = Urn([det.DEFINITE, det.POSSESSIVES[0], det.DIESER], [0.6, 0.3, 0.1])


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
        self._attributes = attributes_by_noun()
        self._measures = measures_by_noun()
        # Names in -s and -x have a genitive that is only written, with an apostrophe.
        self._possessors = Urn(
            [
                possessor(name)
                for section in ("woman", "man")
                for name, _ in self.names[section].items
                if name[-1] not in "sxzß"
            ]
        )

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
        """A noun with determiner and perhaps more; `owner` is the subject's person or −1.

        `negate` takes the place of an indefinite article; a `plain` phrase has neither adjectives
        nor attributes and is no compound.
        """
        random = chance.random
        if plural is None:
            plural = noun.has_plural and random() < _PLURAL_RATE and not noun.relative
        if not noun.has_singular:
            plural = True
        free = determiner is None
        if determiner is None:
            determiner = self._determiner(chance, noun, plural, owner, case)
            if negate is not None and determiner.indefinite:
                determiner = negate
        if plain:
            return self.build(chance, noun, case, plural, determiner, None)
        adjectives = self._adjectives.get(id(noun))
        head = noun
        if random() < _COMPOUND_RATE and id(noun) in self._compounds:
            head = chance.pick(self._compounds[id(noun)])
        elif determiner is det.BARE and not plural and random() < _MEASURE_RATE:
            measures = self._measures.get(id(noun))
            if measures is not None:
                return self._measured(chance, chance.pick(measures), noun, case)
        phrase = self.build(chance, head, case, plural, determiner, adjectives)
        if free:
            self._follow(chance, phrase, noun, determiner)
        return phrase

    def _determiner(
        self, chance: Chance, noun: Noun, plural: bool, owner: int, case: int
    ) -> Determiner:
        if noun.unique:
            return det.DEFINITE
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
        if case != GENITIVE and chance.random() < 0.2:
            return chance.pick(self._possessors)
        return det.POSSESSIVES[chance.pick(_OTHERS)]

    def build(
        self,
        chance: Chance,
        noun: Noun,
        case: int,
        plural: bool,
        determiner: Determiner,
        adjectives: Urn[Adjective] | None,
    ) -> Phrase:
        """Put determiner, adjectives and noun together."""
        random = chance.random
        gender = PLURAL if plural else noun.gender
        translation = chance.pick(noun.english)
        group = start = chance.group + 1
        german: list[Token] = []
        word = determiner.forms[case][gender]
        if word:
            german.append((word, group))
        english_plural = plural or translation.always_plural
        words = chance.pick(determiner.plural if english_plural else determiner.singular)
        article = translation.article
        before: list[Token] = []
        if adjectives is not None and random() < _ADJECTIVE_RATE:
            ending = determiner.endings[case][gender]
            first = chance.pick(adjectives)
            chosen = [first]
            if random() < _SECOND_ADJECTIVE_RATE:
                second = chance.pick(adjectives)
                if second.lemma != first.lemma:
                    chosen.append(second)
            for adjective in chosen:
                if adjective.needs_owner and determiner.name != "poss":
                    continue
                group += 1
                german.append((adjective.stem + ending, group))
                meaning = chance.pick(adjective.english)
                if not before and article:
                    article = meaning.article
                before.append((meaning.word, group))
        head = group + 1
        chance.group = head
        german.append((noun.forms[case + 4 if plural else case], head))
        if determiner is det.KEIN_ANY and noun.mass:
            words = ("any",)
        elif words == ("a",):
            words = (article,) if article else ()
        if not word:
            start = UNLINKED
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
            english_person(noun, person, english_plural and not translation.uncounted),
            is_indefinite=determiner.indefinite,
        )

    def _measured(self, chance: Chance, measure: Noun, noun: Noun, case: int) -> Phrase:
        """*eine Tasse Kaffee* – *a cup of coffee*, *zwei Flaschen Wein* – *two bottles of wine*."""
        if chance.random() < 0.7:
            phrase = self.build(chance, measure, case, False, det.INDEFINITE, None)
        else:
            number = det.NUMERALS[int(chance.random() ** 2 * 6)]
            phrase = self.build(chance, measure, case, True, number, None)
        content = self.build(chance, noun, 0, False, det.BARE, None)
        phrase.english.append(("of", phrase.german[-1][1]))
        phrase.german += content.german
        phrase.english += content.english
        return phrase

    def _follow(self, chance: Chance, phrase: Phrase, noun: Noun, determiner: Determiner) -> None:
        """Perhaps add a genitive, a prepositional phrase or a name."""
        roll = chance.random()
        if determiner.name == "poss" and noun.section == "person":
            named = noun.relative or noun.lemma in _NAMED
            if named and roll < _NAME_AFTER_RATE and phrase.person in {HE, SHE}:
                german, english = chance.pick(self.names["man" if phrase.person == HE else "woman"])
                group = chance.link()
                phrase.german.append((german, group))
                phrase.english.append((english, group))
        elif roll < _GENITIVE_RATE:
            if determiner is det.DEFINITE and noun.section in _OWNED:
                other = chance.pick(self.urn("person,worker,group"))
                kind = chance.pick(_OWNER_DETERMINERS)
                owner = self.build(
                    chance, other, GENITIVE, False, kind, self._adjectives.get(id(other))
                )
                add_genitive(chance, phrase, owner, after=chance.random() < 0.3)
        elif roll < _GENITIVE_RATE + _ATTRIBUTE_RATE:
            attributes = self._attributes.get(id(noun))
            if attributes is not None:
                attribute = chance.pick(attributes)
                if attribute.determiners is None:
                    inner = self.place_name(chance, attribute.nouns)
                else:
                    kind = chance.pick(attribute.determiners)
                    other = chance.pick(self.urn(attribute.nouns))
                    inner = self.phrase(
                        chance,
                        other,
                        attribute.case,
                        -1,
                        determiner=kind,
                        plural=kind is det.BARE and other.has_plural,
                    )
                inner = self.prepositional(
                    chance, attribute.german, chance.pick(attribute.english), inner
                )
                phrase.german += inner.german
                phrase.english += inner.english

    def place_name(self, chance: Chance, kind: str) -> Phrase:
        """A name: ``@city``, ``@country`` or ``@person``."""
        section = kind[1:]
        if section == "person":
            section = "man" if chance.random() < 0.5 else "woman"
        german, english = chance.pick(self.names[section])
        group = chance.link()
        return Phrase([(german, group)], [(english, group)], IT, IT)

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


def english_person(noun: Noun, person: int, plural: bool) -> int:
    """The person of the English pronoun for a noun."""
    if plural:
        return THEY
    if noun.section in HUMAN:
        if person == IT:
            return SHE if noun.she else IT
        return HE if person == THEY else person
    return IT
