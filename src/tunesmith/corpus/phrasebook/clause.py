"""A clause whose parts are chosen but not yet put in order."""

from dataclasses import dataclass, field

from tunesmith.corpus.phrasebook.phrases import Phrase, Token
from tunesmith.corpus.phrasebook.tenses import VerbGroup


@dataclass(slots=True)
class Clause:
    """The parts of a clause in both languages; `english_subject` differs from `subject` where
    the languages differ in who is the subject (*mir gefällt es* – *I like it*).
    """

    subject: Phrase
    english_subject: Phrase
    verbs: VerbGroup = field(init=False)
    dative: Phrase | None = None
    accusative: Phrase | None = None
    german_pronouns: list[Token] = field(default_factory=list)
    particle: Token | None = None  # doch, ja, denn: what English does not say
    time: Phrase | None = None
    frequency: Phrase | None = None
    german_objects: list[Token] = field(default_factory=list)
    nicht: Token | None = None
    german_late: list[Token] = field(default_factory=list)
    english_not: int = 0
    english_objects: list[Token] = field(default_factory=list)
    english_late: list[Token] = field(default_factory=list)
