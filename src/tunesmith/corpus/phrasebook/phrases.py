"""The small values that the grammar passes around: tokens, phrases, chance."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from tunesmith.corpus.phrasebook.urn import Urn

T = TypeVar("T")

# A word and its link group: the words of one group are linked across the languages.
Token = tuple[str, int]

# The group of words that have no counterpart.
UNLINKED = 0
# The group of words that go with the verb, which is drawn last.
WITH_VERB = -1
COMMA: Token = (",", UNLINKED)


class Chance:
    """The random choices of one stream of sentences, and the counter of link groups."""

    __slots__ = ("group", "random")

    def __init__(self, seed: int) -> None:
        # Only Random.random is used: Python promises the same numbers in all versions.
        self.random: Callable[[], float] = Random(seed).random
        self.group = 0

    def pick(self, urn: Urn[T]) -> T:
        """Draw from an urn."""
        return urn.slots[int(self.random() * urn.size)]

    def link(self) -> int:
        """A new link group."""
        self.group += 1
        return self.group


@dataclass(slots=True)
class Phrase:
    """A piece of both languages.

    `person` is the row of `pronouns.PERSONS` that a pronoun for the phrase would have, and
    `english_person` the one of its translation (*die Brille … sie*, *the glasses … they*).
    """

    german: list[Token] = field(default_factory=list)
    english: list[Token] = field(default_factory=list)
    person: int = 2
    english_person: int = 2
    is_pronoun: bool = False
    # With *ein* or no article at all: the negation is *kein*.
    is_indefinite: bool = False
    # *niemand*, *nichts*: the clause is negative already.
    is_negative: bool = False
    # Whether a later pronoun or possessive may stand for it (not for *man*, *jemand*).
    is_known: bool = True


def aligned(chance: Chance, german: tuple[str, ...], english: tuple[str, ...]) -> Phrase:
    """Fixed words: linked one to one where both sides are equally long, else all with all."""
    if len(german) == len(english):
        start = chance.group + 1
        chance.group += len(german)
        groups = range(start, start + len(german))
        return Phrase(
            list(zip(german, groups, strict=True)), list(zip(english, groups, strict=True))
        )
    group = chance.link()
    return Phrase([(word, group) for word in german], [(word, group) for word in english])
