"""Clauses: who does what to whom, when, where and how; not yet in any order."""

from dataclasses import dataclass, field

from tunesmith.corpus.phrasebook import determiners as det
from tunesmith.corpus.phrasebook import numbers
from tunesmith.corpus.phrasebook.adverbials import Adverbials
from tunesmith.corpus.phrasebook.english_words import EnglishVerb
from tunesmith.corpus.phrasebook.frames import Frames
from tunesmith.corpus.phrasebook.german_nouns import ACCUSATIVE, DATIVE, NOMINATIVE
from tunesmith.corpus.phrasebook.lexicon import Frame, Noun
from tunesmith.corpus.phrasebook.noun_phrases import NounPhrases, pronoun
from tunesmith.corpus.phrasebook.phrases import UNLINKED, Chance, Phrase, Token
from tunesmith.corpus.phrasebook.pronouns import IT, PERSONS, THOU, WE, YOU
from tunesmith.corpus.phrasebook.tenses import MODALS, VerbGroup, verb_group
from tunesmith.corpus.phrasebook.urn import Urn

# "planned" is a present that means the future, "since" one that has lasted, "gern" liking to.
TENSES = Urn(
    [
        "present",
        "perfect",
        "preterite",
        "modal",
        "future",
        "modal_past",
        "planned",
        "pluperfect",
        "conditional",
        "since",
        "gern",
    ],
    [0.33, 0.23, 0.13, 0.12, 0.05, 0.04, 0.04, 0.015, 0.015, 0.015, 0.025],
)
PAST_TENSES = Urn(["perfect", "preterite", "modal_past"], [0.55, 0.35, 0.1])
PRESENT_TENSES = Urn(["present", "modal", "future", "planned"], [0.6, 0.25, 0.1, 0.05])

_NEGATION_RATE = 0.13
_TIME_RATE = 0.36
_FREQUENCY_RATE = 0.12
_MANNER_RATE = 0.14
_PLACE_RATE = 0.12

# Tense → English styles for actions, and the adverbials of time that fit each.
_STYLES = {
    "present": Urn([("simple", "habit"), ("progressive", "now")], [0.55, 0.45]),
    "perfect": Urn([("past", "past"), ("perfect", "")], [0.84, 0.16]),
    "preterite": Urn([("past", "past"), ("past_progressive", "past")], [0.88, 0.12]),
    "pluperfect": Urn([("past_perfect", "")]),
    "future": Urn([("will", "future"), ("going", "future")], [0.75, 0.25]),
    "planned": Urn([("will", "future"), ("progressive", "future"), ("going", "future")], [5, 3, 2]),
    "conditional": Urn([("would", "future")]),
    "since": Urn([("perfect", ""), ("perfect_progressive", "")], [0.4, 0.6]),
    "modal": Urn([("modal", "future"), ("modal", "present")]),
    "modal_past": Urn([("modal", "past")]),
    "gern": Urn([("simple", "habit")]),
}
_STATIVE = {
    "present": ("simple", "present"),
    "preterite": ("past", "past"),
    "since": ("perfect", ""),
    "planned": ("will", "future"),
}


@dataclass(slots=True)
class Clause:
    """The parts of a clause in both languages."""

    subject: Phrase
    english_subject: Phrase
    verbs: VerbGroup
    german_pronouns: list[Token] = field(default_factory=list)
    time: Phrase | None = None
    frequency: Phrase | None = None
    german_objects: list[Token] = field(default_factory=list)
    nicht: Token | None = None
    german_late: list[Token] = field(default_factory=list)
    english_not: int = 0
    english_objects: list[Token] = field(default_factory=list)
    english_late: list[Token] = field(default_factory=list)


class Clauses:
    """Draws clauses."""

    def __init__(self, nouns: NounPhrases, adverbials: Adverbials, frames: Frames) -> None:
        self.nouns, self.adverbials, self.frames = nouns, adverbials, frames

    def subject_of(self, chance: Chance, frame: Frame) -> tuple[Phrase, Noun | None]:
        """A subject that the frame accepts."""
        if frame.subject == "es":
            return pronoun(chance, IT, NOMINATIVE), None
        if frame.subject == "wir":
            return pronoun(chance, WE, NOMINATIVE), None
        return self.nouns.subject(chance, frame.subject)

    def draw(
        self,
        chance: Chance,
        frame: Frame,
        *,
        subject: Phrase | None = None,
        tenses: Urn[str] = TENSES,
        tense: str = "",
        negation: float = _NEGATION_RATE,
        accusative: Phrase | None = None,
        brief: bool = False,
    ) -> Clause:
        """Fill a frame.

        `accusative` is an object that stands elsewhere (a relative pronoun); `brief` leaves out
        what need not be said.
        """
        random = chance.random
        if frame.section == "experiencer":
            return self._experiencer(chance, frame, tenses if not tense else Urn([tense]))
        if subject is None:
            subject, _ = self.subject_of(chance, frame)
        tense = tense or chance.pick(tenses)
        tense, style, when = self._tense(chance, frame, tense, subject.person)
        clause = Clause(subject, subject, None)  # type: ignore[arg-type]
        negated = random() < negation
        owner = subject.person if "who" in frame.subject or subject.is_pronoun else -1
        self._objects(chance, frame, clause, owner, negated, accusative)
        self._adverbials(chance, frame, clause, tense, style, when, brief, negated)
        translation = chance.pick(frame.english)
        self._verbs(chance, frame, clause, tense, style, translation, bool(clause.english_not))
        return clause

    def _tense(self, chance: Chance, frame: Frame, tense: str, person: int) -> tuple[str, str, str]:
        """German tense, English style, kind of time adverbial; mends what nobody would say."""
        stative = "st" in frame.flags
        if tense in {"since", "gern"} and ("sein" in frame.flags or frame.fixed):
            tense = "present"
        if tense == "gern" and stative:
            tense = "present"
        if tense == "preterite" and person in {THOU, YOU}:
            tense = "perfect"
        if tense == "perfect" and frame.verb.infinitive in {"sein", "haben"}:
            tense = "preterite"
        if stative and tense in _STATIVE:
            style, when = _STATIVE[tense]
        else:
            style, when = chance.pick(_STYLES[tense])
        return tense, style, when

    def _verbs(
        self,
        chance: Chance,
        frame: Frame,
        clause: Clause,
        tense: str,
        style: str,
        translation: EnglishVerb,
        negated: bool,
    ) -> None:
        modal = None
        if tense in {"modal", "modal_past"}:
            modal = chance.pick(MODALS)
            while modal.past is None and tense == "modal_past":
                modal = chance.pick(MODALS)
        german_tense = "present" if tense in {"planned", "since", "gern"} else tense
        clause.verbs = verb_group(
            chance,
            german_tense,
            style,
            frame.verb,
            translation,
            PERSONS[clause.subject.person].agreement,
            PERSONS[clause.english_subject.english_person].english_agreement,
            negated=negated,
            modal=modal,
        )
        group = clause.verbs.tail[-1][1] if clause.verbs.tail else clause.verbs.finite[1]
        if frame.reflexive:
            clause.german_pronouns[0] = (clause.german_pronouns[0][0], group)
        if frame.fixed:
            clause.german_late.extend((word, group) for word in frame.fixed)
            self._fill_possessive(clause)
        if tense == "gern":
            self._gern(chance, clause, translation)

    def _fill_possessive(self, clause: Clause) -> None:
        owner = PERSONS[clause.english_subject.english_person].english_possessive
        rest = clause.verbs.english_rest
        for position, (word, group) in enumerate(rest):
            if word == "POSS":
                rest[position] = (owner, group)

    def _gern(self, chance: Chance, clause: Clause, translation: EnglishVerb) -> None:
        """*Er liest gern* – *he likes to read*, *he enjoys reading*."""
        verbs = clause.verbs
        main = verbs.finite[1]
        group = chance.link()
        clause.german_objects.insert(0, ("gern" if chance.random() < 0.7 else "gerne", group))
        agreement = PERSONS[clause.english_subject.english_person].english_agreement
        if chance.random() < 0.6:
            words = [("to", group), (translation.base, main)]
            verbs.english_finite = (("like", "like", "likes")[agreement], group)
            verbs.english_base = "like"
        else:
            words = [(translation.gerund, main)]
            verbs.english_finite = (("enjoy", "enjoy", "enjoys")[agreement], group)
            verbs.english_base = "enjoy"
        verbs.english_auxiliary = False
        verbs.english_rest = words + verbs.english_rest

    def _objects(
        self,
        chance: Chance,
        frame: Frame,
        clause: Clause,
        owner: int,
        negated: bool,
        given: Phrase | None,
    ) -> None:
        negate = None
        if negated and frame.accusative and given is None:
            negate = det.KEIN if chance.random() < 0.35 else det.KEIN_ANY
        if frame.reflexive:
            row = PERSONS[clause.subject.person]
            # Linked with the verb, which is drawn later.
            clause.german_pronouns.append((row.reflexive[0], UNLINKED))
        dative = accusative = None
        if frame.dative:
            dative, _ = self.nouns.object(chance, frame.dative, DATIVE, owner)
        if frame.accusative and given is None:
            if "bare" in frame.flags:
                noun = chance.pick(self.nouns.urn(frame.accusative))
                accusative = self.nouns.phrase(
                    chance, noun, ACCUSATIVE, owner, determiner=det.BARE, plain=True
                )
            else:
                accusative, _ = self.nouns.object(
                    chance, frame.accusative, ACCUSATIVE, owner, negate=negate
                )
        self._place_objects(chance, frame, clause, dative, accusative)
        if negated:
            self._negate(chance, clause, accusative if negate is not None else None, negate)
        if frame.prepositional is not None:
            governed = frame.prepositional
            phrase, _ = self.nouns.object(chance, governed.nouns, governed.case, owner)
            phrase = self.nouns.prepositional(
                chance, governed.german, chance.pick(governed.english), phrase
            )
            clause.german_late.extend(phrase.german)
            clause.english_late.extend(phrase.english)

    def _place_objects(
        self,
        chance: Chance,
        frame: Frame,
        clause: Clause,
        dative: Phrase | None,
        accusative: Phrase | None,
    ) -> None:
        """German: pronouns first, dative before accusative; English: *him the book* or *to*."""
        pronouns, objects = clause.german_pronouns, clause.german_objects
        for phrase in (accusative, dative):
            if phrase is not None and phrase.is_pronoun:
                pronouns.extend(phrase.german)
        for phrase in (dative, accusative):
            if phrase is not None and not phrase.is_pronoun:
                objects.extend(phrase.german)
        if dative is None or accusative is None:
            clause.english_objects = (
                accusative.english if accusative is not None else dative.english if dative else []
            )
            return
        preposition = next((flag for flag in frame.flags if flag[:2] in {"to", "fo", "fr"}), "to")
        only = preposition.endswith("only")
        if only or accusative.is_pronoun or chance.random() < 0.35:
            word = preposition.removesuffix("only")
            clause.english_objects = [
                *accusative.english,
                (word, dative.german[0][1]),
                *dative.english,
            ]
        else:
            clause.english_objects = dative.english + accusative.english

    def _negate(
        self,
        chance: Chance,
        clause: Clause,
        accusative: Phrase | None,
        negate: det.Determiner | None,
    ) -> None:
        """*kein* where the object is indefinite, else *nicht*."""
        if accusative is not None:
            first, group = accusative.german[0]
            if first.startswith("kein"):
                if negate is det.KEIN_ANY:
                    clause.english_not = group
                return
        group = chance.link()
        clause.nicht = ("nicht", group)
        clause.english_not = group

    def _adverbials(
        self,
        chance: Chance,
        frame: Frame,
        clause: Clause,
        tense: str,
        style: str,
        when: str,
        brief: bool,
        negated: bool,
    ) -> None:
        random = chance.random
        adverbials = self.adverbials
        if tense == "since":
            clause.time = numbers.since(chance)
        elif when and random() < (0.12 if brief else _TIME_RATE):
            clause.time = adverbials.time(chance, when)
        elif style == "perfect" and not negated and random() < 0.5:
            clause.frequency = adverbials.fixed(chance, "already")
        elif (
            not negated
            and tense in {"present", "preterite", "perfect"}
            and style in {"simple", "past"}
            and random() < _FREQUENCY_RATE
        ):
            clause.frequency = adverbials.fixed(chance, "frequency")
        place = None
        thing = not ("who" in frame.subject or clause.subject.is_pronoun)
        if frame.needs == "loc":
            place = adverbials.place(chance, for_thing=thing)
        elif frame.needs:
            place = adverbials.direction(chance, far=frame.needs == "city")
            if random() < 0.2 and frame.verb.infinitive in {"fahren", "reisen", "kommen"}:
                self._late(clause, adverbials.by_vehicle(chance), first=True)
        elif not brief and not thing and frame.section != "idiom":
            rate = 0.3 if "loc" in frame.flags else 0 if "st" in frame.flags else _PLACE_RATE
            if random() < rate:
                place = adverbials.place(chance)
        if place is not None:
            self._late(clause, place, first=frame.prepositional is not None)
        if not brief and "m" in frame.flags and random() < _MANNER_RATE:
            self._late(clause, adverbials.fixed(chance, "manner"), first=True)
        elif not brief and "who" in frame.subject and "st" not in frame.flags and random() < 0.05:
            self._late(clause, adverbials.company(chance, clause.subject.person), first=True)

    @staticmethod
    def _late(clause: Clause, phrase: Phrase, *, first: bool) -> None:
        """Add to the end of the clause; `first` puts it before the place in German."""
        if first:
            clause.german_late[0:0] = phrase.german
        else:
            clause.german_late.extend(phrase.german)
        clause.english_late.extend(phrase.english)

    def _experiencer(self, chance: Chance, frame: Frame, tenses: Urn[str]) -> Clause:
        """*Das Buch gefällt mir* – *I like the book*: subject and object change places."""
        thing, _ = self.nouns.subject(chance, frame.subject)
        if thing.is_pronoun and thing.person not in {2, 3, 7}:
            thing = self.nouns.name(chance, NOMINATIVE)
        elif thing.is_pronoun:
            thing.english = [(PERSONS[thing.person].english[1], thing.english[0][1])]
        who, _ = self.nouns.object(chance, frame.dative, DATIVE, thing.person)
        if who.is_pronoun:
            who.english = [(PERSONS[who.english_person].english[0], who.english[0][1])]
        tense = chance.pick(tenses)
        if tense not in {"present", "preterite", "perfect", "future"}:
            tense = "present"
        tense, style, when = self._tense(chance, frame, tense, thing.person)
        clause = Clause(thing, who, None)  # type: ignore[arg-type]
        if who.is_pronoun:
            clause.german_pronouns = list(who.german)
        else:
            clause.german_objects = list(who.german)
        clause.english_objects = thing.english
        if chance.random() < _NEGATION_RATE:
            self._negate(chance, clause, None, None)
        if when and chance.random() < 0.15:
            clause.time = self.adverbials.time(chance, when)
        self._verbs(
            chance,
            frame,
            clause,
            tense,
            style,
            chance.pick(frame.english),
            bool(clause.english_not),
        )
        return clause
