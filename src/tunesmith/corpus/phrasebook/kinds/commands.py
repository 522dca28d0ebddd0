"""Commands and everyday phrases."""

from functools import cache

from tunesmith.corpus.phrasebook.german_nouns import NOMINATIVE
from tunesmith.corpus.phrasebook.grammar import Grammar, Sentence
from tunesmith.corpus.phrasebook.order import german_middle
from tunesmith.corpus.phrasebook.participants import pronoun
from tunesmith.corpus.phrasebook.phrases import COMMA, Chance, Token, aligned
from tunesmith.corpus.phrasebook.pronouns import FORMAL, THOU
from tunesmith.corpus.phrasebook.tables import rows
from tunesmith.corpus.phrasebook.tense_choice import IMPERATIVE
from tunesmith.corpus.phrasebook.urn import Urn, zipf

_PLEASE_RATE = 0.35


def command(grammar: Grammar, chance: Chance) -> Sentence:
    """*Öffne bitte das Fenster!*, *Öffnen Sie das Fenster nicht!*"""
    formal = chance.random() < 0.4
    subject = pronoun(chance, FORMAL if formal else THOU, NOMINATIVE)
    frame = chance.pick(grammar.frames.actions)
    clause = grammar.clauses.draw(
        chance, frame, subject=subject, tenses=IMPERATIVE, brief=True, negation=0.15
    )
    clause.frequency = None
    verbs = clause.verbs
    group = verbs.finite[1]
    start = [verbs.finite, *subject.german] if formal else [(frame.verb.imperative, group)]
    english: list[Token] = []
    if clause.english_not:
        if chance.random() < 0.6:
            english += [("don", clause.english_not), ("'t", clause.english_not)]
        else:
            english += [("do", clause.english_not), ("not", clause.english_not)]
    english.append((verbs.english_base, group))
    english += verbs.english_rest
    if verbs.particle is not None and len(clause.english_objects) > 1:
        english += [verbs.particle, *clause.english_objects]
    else:
        english += clause.english_objects
        if verbs.particle is not None:
            english.append(verbs.particle)
    english += clause.english_late
    if clause.time is not None:
        english += clause.time.english
    middle = german_middle(clause)
    if chance.random() < _PLEASE_RATE:
        bitte = chance.link()
        place = len(clause.german_pronouns)
        middle.insert(place, ("bitte", bitte))
        if chance.random() < 0.6:
            english.insert(0, ("please", bitte))
        else:
            english += [COMMA, ("please", bitte)]
    return [*start, *middle, *verbs.tail], english, "!" if chance.random() < 0.6 else "."


_Template = tuple[tuple[str, ...], tuple[str, ...]]


@cache
def _phrases() -> Urn[_Template]:
    entries = []
    for line in rows("everyday.txt"):
        german, _, english = line.partition(";")
        entries.append((tuple(german.split()), tuple(english.split())))
    return Urn(entries, zipf(len(entries), offset=10.0))


def everyday(grammar: Grammar, chance: Chance) -> Sentence:
    """A fixed phrase, with names in its blanks."""
    german, english = chance.pick(_phrases())
    mark = german[-1]
    phrase = aligned(chance, german[:-1], english[:-1])
    for position, (word, _) in enumerate(phrase.german):
        if word == "," or word.startswith("{"):
            name = _name(grammar, chance, word) if word != "," else (word, word)
            group = chance.link()
            spot = next(i for i, (other, _) in enumerate(phrase.english) if other == word)
            phrase.german[position] = (name[0], group)
            phrase.english[spot] = (name[1], group)
    return phrase.german, phrase.english, mark


def _name(grammar: Grammar, chance: Chance, blank: str) -> tuple[str, str]:
    names = grammar.nouns.names
    kind = blank.strip("{}")
    if kind == "name":
        kind = "man" if chance.random() < 0.5 else "woman"
    return chance.pick(names[kind])
