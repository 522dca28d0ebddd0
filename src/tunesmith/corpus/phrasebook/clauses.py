"""Drawing clauses: who does what to whom, when, where and how."""

from tunesmith.corpus.phrasebook import numbers, tense_choice
from tunesmith.corpus.phrasebook.adverbials import Adverbials
from tunesmith.corpus.phrasebook.clause import Clause
from tunesmith.corpus.phrasebook.english_words import EnglishVerb
from tunesmith.corpus.phrasebook.frames import Frames
from tunesmith.corpus.phrasebook.german_nouns import DATIVE, NOMINATIVE
from tunesmith.corpus.phrasebook.lexicon import Frame, Noun
from tunesmith.corpus.phrasebook.objects import add_objects, negate_verb, place_objects
from tunesmith.corpus.phrasebook.participants import Participants, pronoun
from tunesmith.corpus.phrasebook.phrases import UNLINKED, WITH_VERB, Chance, Phrase
from tunesmith.corpus.phrasebook.pronouns import IT, PERSONS, WE
from tunesmith.corpus.phrasebook.relatives import add_relative
from tunesmith.corpus.phrasebook.tense_choice import GERMAN_TENSE, TENSES
from tunesmith.corpus.phrasebook.tenses import MODALS, THING_MODALS, Modal, verb_group
from tunesmith.corpus.phrasebook.urn import Urn

_NEGATION_RATE = 0.13
_TIME_RATE = 0.42
_BRIEF_TIME_RATE = 0.2
_FREQUENCY_RATE = 0.12
_BRIEF_FREQUENCY_RATE = 0.04
_MANNER_RATE = 0.14
_PLACE_RATE = 0.17
_COMPANY_RATE = 0.06
_RELATIVE_RATE = 0.06
_PARTICLE_RATE = 0.02

_PARTICLES = Urn(["doch", "ja", "eben", "wohl", "halt"], [4, 4, 1, 2, 1])
_TRAVEL = {"fahren", "reisen", "kommen"}
_MODAL_TENSES = {"modal", "modal_past"}


class Clauses:
    """Draws clauses."""

    def __init__(self, participants: Participants, adverbials: Adverbials, frames: Frames) -> None:
        self.participants, self.adverbials, self.frames = participants, adverbials, frames

    def any(self, chance: Chance, tenses: Urn[str] = TENSES, *, brief: bool = False) -> Clause:
        """A clause of any verb."""
        return self.draw(chance, chance.pick(self.frames.all), tenses=tenses, brief=brief)

    def subject_of(self, chance: Chance, frame: Frame) -> tuple[Phrase, Noun | None]:
        """A subject that the frame accepts."""
        if frame.subject == "es":
            return pronoun(chance, IT, NOMINATIVE), None
        if frame.subject == "wir":
            return pronoun(chance, WE, NOMINATIVE), None
        return self.participants.subject(chance, frame.subject)

    def draw(
        self,
        chance: Chance,
        frame: Frame,
        *,
        subject: Phrase | None = None,
        tenses: Urn[str] = TENSES,
        negation: float = _NEGATION_RATE,
        omit: str = "",
        brief: bool = False,
        modal: Modal | None = None,
    ) -> Clause:
        """Fill a frame.

        `omit` names what stands elsewhere or is asked for (accusative, dative, prepositional,
        time, place); `brief` leaves out what need not be said; `modal` overrules chance.
        """
        random = chance.random
        if frame.section == "experiencer":
            return self._experiencer(chance, frame, chance.pick(tenses))
        if subject is None:
            subject, noun = self.subject_of(chance, frame)
            if noun is not None and not brief and random() < _RELATIVE_RATE:
                add_relative(self, chance, subject, noun)
        tense = chance.pick(tenses)
        if tense == "planned" and omit == "time":
            tense = "present"
        tense, style, when = tense_choice.choose(chance, frame, tense, subject.person)
        clause = Clause(subject, subject)
        human = subject.is_pronoun or frame.animate
        known = human and subject.is_known and subject.person == subject.english_person
        negated = random() < negation
        phrases = add_objects(
            chance,
            self.participants,
            frame,
            clause,
            subject.person if known else -1,
            negated=negated,
            omit=omit,
        )
        if phrases and not brief and not clause.english_not and random() < _RELATIVE_RATE:
            add_relative(self, chance, *phrases[0])
        place_objects(chance, frame, clause)
        self._adverbials(chance, frame, clause, tense, style, when, omit, brief, human)
        if not brief and random() < _PARTICLE_RATE:
            clause.particle = (chance.pick(_PARTICLES), UNLINKED)
        self._verbs(chance, frame, clause, tense, style, modal)
        return clause

    def _verbs(
        self,
        chance: Chance,
        frame: Frame,
        clause: Clause,
        tense: str,
        style: str,
        modal: Modal | None,
    ) -> None:
        if tense in _MODAL_TENSES:
            if modal is None:
                modal = chance.pick(MODALS if frame.animate else THING_MODALS)
            while modal.past is None and tense == "modal_past":
                modal = chance.pick(MODALS)
        translation = chance.pick(frame.english)
        verbs = clause.verbs = verb_group(
            chance,
            GERMAN_TENSE.get(tense, tense),
            style,
            frame.verb,
            translation,
            PERSONS[clause.subject.person].agreement,
            PERSONS[clause.english_subject.english_person].english_agreement,
            negated=bool(clause.english_not) or clause.subject.is_negative,
            modal=modal if tense in _MODAL_TENSES else None,
        )
        group = verbs.tail[-1][1] if verbs.tail else verbs.finite[1]
        if frame.reflexive or frame.prepositional is not None:
            for words in (clause.german_pronouns, clause.german_late):
                for position, (word, link) in enumerate(words):
                    if link == WITH_VERB:
                        words[position] = (word, group)
        if frame.fixed:
            words = [(word, group) for word in frame.fixed]
            if clause.nicht is not None and frame.negated:
                words = [(word, group) for word in frame.negated]
                words[0] = (frame.negated[0], clause.english_not)
                clause.nicht = None
            if frame.fixed == ("es",):
                clause.german_pronouns.extend(words)
            else:
                clause.german_late.extend(words)
            owner = PERSONS[clause.english_subject.english_person].english_possessive
            verbs.english_rest = [
                (owner if word == "POSS" else word, link) for word, link in verbs.english_rest
            ]
        if tense == "gern":
            _gern(chance, clause, translation)

    def _adverbials(
        self,
        chance: Chance,
        frame: Frame,
        clause: Clause,
        tense: str,
        style: str,
        when: str,
        omit: str,
        brief: bool,
        human: bool,
    ) -> None:
        random = chance.random
        adverbials = self.adverbials
        negative = clause.english_not or clause.nicht is not None or clause.subject.is_negative
        if tense == "since":
            clause.time = numbers.since(chance)
        elif tense == "planned" or (
            when and random() < (_BRIEF_TIME_RATE if brief else _TIME_RATE)
        ):
            # A present is only known to mean the future by its adverb.
            if omit != "time":
                clause.time = adverbials.time(chance, when)
        elif style == "perfect" and not negative and random() < 0.5:
            clause.frequency = adverbials.fixed(chance, "already")
        elif (
            not negative
            and style in {"simple", "past"}
            and tense in {"present", "preterite", "perfect", "told"}
            and random() < (_BRIEF_FREQUENCY_RATE if brief else _FREQUENCY_RATE)
        ):
            clause.frequency = adverbials.fixed(chance, "frequency")
        place = None
        if omit == "place":
            pass
        elif frame.needs == "loc":
            place = adverbials.place(chance, for_thing=not human)
        elif frame.needs:
            place = adverbials.direction(chance, far=frame.needs == "city")
            if random() < 0.2 and frame.verb.infinitive in _TRAVEL:
                _add_late(clause, adverbials.by_vehicle(chance), first=True)
        elif not brief and frame.animate and frame.section != "idiom":
            rate = 0.3 if "loc" in frame.flags else 0 if "st" in frame.flags else _PLACE_RATE
            if random() < rate:
                place = adverbials.place(chance)
        if place is not None:
            _add_late(clause, place, first=frame.prepositional is not None)
        if brief:
            return
        if "m" in frame.flags and when != "now" and random() < _MANNER_RATE:
            _add_late(clause, adverbials.fixed(chance, "manner"), first=True)
        elif (
            frame.animate
            and clause.dative is None
            and frame.prepositional is None
            and "who" not in frame.accusative
            and "st" not in frame.flags
            and random() < _COMPANY_RATE
        ):
            _add_late(clause, adverbials.company(chance, clause.subject.person), first=True)

    def _experiencer(self, chance: Chance, frame: Frame, tense: str) -> Clause:
        """*Das Buch gefällt mir* – *I like the book*: subject and object change places."""
        people = self.participants
        thing, _ = people.subject(chance, frame.subject)
        if (thing.is_pronoun and thing.person not in {2, 3, 7}) or not thing.is_known:
            thing = people.name(chance, NOMINATIVE)
        elif thing.is_pronoun:
            thing.english = [(PERSONS[thing.person].english[1], thing.english[0][1])]
        who, _ = people.object(chance, frame.dative, DATIVE, thing.person)
        if who.is_pronoun:
            who.english = [(PERSONS[who.english_person].english[0], who.english[0][1])]
        if tense not in {"present", "preterite", "perfect", "future", "plain", "conditional"}:
            tense = "present"
        tense, style, when = tense_choice.choose(chance, frame, tense, thing.person)
        clause = Clause(thing, who, dative=who)
        if who.is_pronoun:
            clause.german_pronouns = list(who.german)
        else:
            clause.german_objects = list(who.german)
        clause.english_objects = thing.english
        if chance.random() < _NEGATION_RATE and not who.is_negative:
            negate_verb(chance, clause)
        elif when and chance.random() < 0.15:
            clause.time = self.adverbials.time(chance, when)
        self._verbs(chance, frame, clause, tense, style, None)
        return clause


def _add_late(clause: Clause, phrase: Phrase, *, first: bool) -> None:
    """Add to the end of the clause; `first` puts it before the rest in German."""
    if first:
        clause.german_late[0:0] = phrase.german
    else:
        clause.german_late.extend(phrase.german)
    clause.english_late.extend(phrase.english)


def _gern(chance: Chance, clause: Clause, translation: EnglishVerb) -> None:
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
