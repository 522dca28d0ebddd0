"""Relative clauses: *das Buch, das ich lese,* and *der Mann, der hier wohnt,*."""

from typing import TYPE_CHECKING

from tunesmith.corpus.phrasebook.german_nouns import ACCUSATIVE, NOMINATIVE, PLURAL, RELATIVE
from tunesmith.corpus.phrasebook.lexicon import Noun
from tunesmith.corpus.phrasebook.noun_phrases import HUMAN
from tunesmith.corpus.phrasebook.order import english_main, german_final
from tunesmith.corpus.phrasebook.phrases import COMMA, Chance, Phrase
from tunesmith.corpus.phrasebook.pronouns import THEY

if TYPE_CHECKING:
    from tunesmith.corpus.phrasebook.clauses import Clauses

_NEGATION_RATE = 0.05


def add_relative(clauses: "Clauses", chance: Chance, phrase: Phrase, noun: Noun) -> None:
    """Add a relative clause to a noun phrase whose noun can do or suffer something."""
    if noun.relative:
        return
    gender = PLURAL if phrase.person == THEY else noun.gender
    human = noun.section in HUMAN
    as_object = clauses.frames.with_object(noun)
    group = chance.link()
    if as_object is not None and chance.random() < 0.5:
        clause = clauses.draw(
            chance,
            chance.pick(as_object),
            omit="accusative",
            brief=True,
            negation=_NEGATION_RATE,
        )
        german = [(RELATIVE[ACCUSATIVE][gender], group), *german_final(clause)]
        english = english_main(chance, clause)
        roll = chance.random()
        if roll < 0.5:
            word = "that" if roll < 0.35 else "whom" if human else "which"
            english = [(word, group), *english]
    else:
        as_subject = clauses.frames.with_subject(noun)
        if as_subject is None:
            return
        word = "who" if human else "that" if chance.random() < 0.6 else "which"
        link = Phrase(
            [(RELATIVE[NOMINATIVE][gender], group)],
            [(word, group)],
            phrase.person,
            phrase.english_person,
        )
        clause = clauses.draw(
            chance, chance.pick(as_subject), subject=link, brief=True, negation=_NEGATION_RATE
        )
        german, english = german_final(clause), english_main(chance, clause)
    phrase.german = [*phrase.german, COMMA, *german, COMMA]
    phrase.english = phrase.english + english
