"""The top of the grammar: the kinds of sentences and how often each comes."""

from collections.abc import Callable

from tunesmith.corpus.phrasebook.grammar import Grammar, Sentence
from tunesmith.corpus.phrasebook.kinds import (
    commands,
    copula,
    figures,
    questions,
    statements,
    subordinate,
)
from tunesmith.corpus.phrasebook.phrases import Chance
from tunesmith.corpus.phrasebook.urn import Urn

Kind = Callable[[Grammar, Chance], Sentence]

KINDS: dict[Kind, float] = {
    statements.statement: 28,
    statements.joined: 7,
    statements.two_verbs: 3,
    statements.passive: 5,
    statements.causative: 1,
    subordinate.subordinate: 14,
    subordinate.that_clause: 5.5,
    subordinate.indirect_question: 3,
    subordinate.infinitive: 3,
    subordinate.purpose: 2.5,
    subordinate.unreal: 1.5,
    questions.yes_no: 5,
    questions.with_word: 4.5,
    copula.adjective: 4,
    copula.comparison: 3,
    copula.profession: 1.5,
    copula.existence: 2,
    copula.weather: 0.7,
    figures.age: 0.7,
    figures.size: 0.5,
    figures.price: 0.8,
    figures.clock: 0.2,
    figures.birth: 0.6,
    commands.command: 2.5,
    commands.everyday: 0.7,
}
_URN = Urn(KINDS, list(KINDS.values()))


class SentenceUrn:
    """Draws whole sentences."""

    def __init__(self) -> None:
        self.grammar = Grammar()

    def draw(self, chance: Chance) -> Sentence:
        """A sentence of any kind."""
        return chance.pick(_URN)(self.grammar, chance)
