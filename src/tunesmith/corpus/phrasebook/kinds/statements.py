"""Main clauses, alone and joined; passives."""

from tunesmith.corpus.phrasebook.clause import Clause
from tunesmith.corpus.phrasebook.english_words import BE_FORMS, EnglishVerb
from tunesmith.corpus.phrasebook.german_nouns import ACCUSATIVE, DATIVE, NOMINATIVE
from tunesmith.corpus.phrasebook.grammar import Grammar, Sentence
from tunesmith.corpus.phrasebook.objects import negate_verb
from tunesmith.corpus.phrasebook.order import (
    english_main,
    english_predicate,
    german_main,
    german_predicate,
)
from tunesmith.corpus.phrasebook.phrases import COMMA, Chance, Token
from tunesmith.corpus.phrasebook.pronouns import PERSONS
from tunesmith.corpus.phrasebook.tense_choice import PAST, PRESENT
from tunesmith.corpus.phrasebook.tenses import (
    HAVE,
    LASSEN,
    MODALS,
    PASSIVE,
    THING_MODALS,
    verb_group,
)
from tunesmith.corpus.phrasebook.urn import Urn

_AGENT_RATE = 0.3
_PASSIVE_TENSES = Urn(
    [
        ("present", "simple", "present"),
        ("present", "progressive", "now"),
        ("preterite", "past", "past"),
        ("perfect", "past", "past"),
        ("perfect", "perfect", ""),
        ("modal", "modal", "future"),
        ("future", "will", "future"),
    ],
    [0.2, 0.05, 0.38, 0.12, 0.08, 0.12, 0.05],
)
_CAUSATIVE_TENSES = Urn(
    [
        ("present", "simple", "habit"),
        ("present", "progressive", "now"),
        ("preterite", "past", "past"),
        ("perfect", "past", "past"),
        ("modal", "modal", "future"),
        ("future", "will", "future"),
    ],
    [0.25, 0.1, 0.2, 0.2, 0.2, 0.05],
)
_JOINS = Urn(
    [
        ("und", ("and",), False),
        ("aber", ("but",), True),
        ("denn", ("because",), True),
        ("oder", ("or",), False),
        ("doch", ("but",), True),
    ],
    [0.42, 0.33, 0.12, 0.06, 0.07],
)
_OPENINGS = Urn(
    [("ja", "yes"), ("nein", "no"), ("also", "well"), ("gut", "all right")], [4, 4, 1, 1]
)


def statement(grammar: Grammar, chance: Chance) -> Sentence:
    """A main clause."""
    german, english = grammar.main(chance, grammar.clauses.any(chance))
    if chance.random() < 0.015:
        word, translation = chance.pick(_OPENINGS)
        group = chance.link()
        german = [(word, group), COMMA, *german]
        english = [*((piece, group) for piece in translation.split()), COMMA, *english]
    return german, english, "!" if chance.random() < 0.015 else "."


def joined(grammar: Grammar, chance: Chance) -> Sentence:
    """Two main clauses: *und*, *aber*, *denn*, *oder*."""
    word, translation, comma = chance.pick(_JOINS)
    tenses = PAST if chance.random() < 0.45 else PRESENT
    first = grammar.clauses.any(chance, tenses, brief=True)
    second = grammar.echo(chance, first, tenses)
    german, english = grammar.main(chance, first)
    group = chance.link()
    if comma:
        mark = (",", chance.link())
        german.append(mark)
        english.append(mark)
    elif chance.random() < 0.5:
        english.append(COMMA)
    german = [*german, (word, group), *german_main(second)]
    english = [*english, *((piece, group) for piece in translation), *english_main(chance, second)]
    return german, english, "."


def two_verbs(grammar: Grammar, chance: Chance) -> Sentence:
    """One subject, two verbs: *Er steht auf und geht nach Hause*."""
    tenses = PAST if chance.random() < 0.5 else PRESENT
    frames = grammar.frames.actions
    first = grammar.clauses.draw(chance, chance.pick(frames), tenses=tenses, brief=True)
    second = grammar.clauses.draw(
        chance, chance.pick(frames), subject=first.subject, tenses=tenses, brief=True
    )
    group = chance.link()
    german = [*german_main(first), ("und", group), *german_predicate(second)]
    english = [*english_main(chance, first), ("and", group), *english_predicate(chance, second)]
    return german, english, "."


def passive(grammar: Grammar, chance: Chance) -> Sentence:
    """*Das Haus wurde von meinem Vater gebaut.*"""
    clause = passive_clause(grammar, chance)
    german, english = grammar.main(chance, clause)
    return german, english, "."


def passive_clause(grammar: Grammar, chance: Chance) -> Clause:
    """A clause whose subject is what is done to."""
    frame = chance.pick(grammar.frames.passives)
    noun = chance.pick(grammar.nouns.urn(frame.accusative))
    subject = grammar.nouns.phrase(chance, noun, NOMINATIVE, -1)
    clause = Clause(subject, subject)
    tense, style, when = chance.pick(_PASSIVE_TENSES)
    if chance.random() < 0.12:
        negate_verb(chance, clause)
    if when and chance.random() < 0.45:
        clause.time = grammar.adverbials.time(chance, when)
    agent: list[Token] = []
    if chance.random() < _AGENT_RATE:
        classes = frame.subject
        by, _ = grammar.participants.object(chance, classes, DATIVE, subject.person)
        by = grammar.nouns.prepositional(chance, "von", ("by",), by)
        # The agent stands before nicht.
        clause.german_objects = by.german
        agent = by.english
    elif chance.random() < 0.2:
        place = grammar.adverbials.place(chance)
        clause.german_late = place.german
        clause.english_late = place.english
    active = chance.pick(frame.english)
    words = [active.participle, *active.tail]
    if active.particle:
        words.append(active.particle)
    translation = EnglishVerb("be", *BE_FORMS, tuple(words), "")
    clause.verbs = verb_group(
        chance,
        tense,
        style,
        PASSIVE,
        translation,
        PERSONS[subject.person].agreement,
        PERSONS[subject.english_person].english_agreement,
        negated=bool(clause.english_not),
        modal=chance.pick(THING_MODALS) if tense == "modal" else None,
        lead=frame.verb.participle,
    )
    clause.english_objects = agent
    return clause


def causative(grammar: Grammar, chance: Chance) -> Sentence:
    """*Er lässt sein Auto reparieren* – *he has his car repaired*."""
    frame = chance.pick(grammar.frames.services)
    subject, _ = grammar.participants.subject(chance, "who")
    owner = subject.person if subject.is_known and subject.person == subject.english_person else -1
    thing, _ = grammar.participants.object(chance, frame.accusative, ACCUSATIVE, owner)
    clause = Clause(subject, subject)
    tense, style, when = chance.pick(_CAUSATIVE_TENSES)
    if chance.random() < 0.35:
        clause.time = grammar.adverbials.time(chance, when)
    if thing.is_pronoun:
        clause.german_pronouns = thing.german
    else:
        clause.german_objects = thing.german
    clause.verbs = verb_group(
        chance,
        tense,
        style,
        LASSEN,
        HAVE,
        PERSONS[subject.person].agreement,
        PERSONS[subject.english_person].english_agreement,
        negated=subject.is_negative,
        modal=chance.pick(MODALS) if tense == "modal" else None,
        lead=frame.verb.infinitive,
    )
    action = clause.verbs.tail[0][1]
    active = chance.pick(frame.english)
    words = [active.participle, *active.tail]
    if active.particle:
        words.append(active.particle)
    clause.english_objects = [*thing.english, *((word, action) for word in words)]
    german, english = grammar.main(chance, clause)
    return german, english, "."
