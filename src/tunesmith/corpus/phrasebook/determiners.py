"""Articles and the like: forms, what ending an adjective takes after them, translations."""

from dataclasses import dataclass

from tunesmith.corpus.phrasebook import german_nouns as german
from tunesmith.corpus.phrasebook.german_nouns import MIXED, STRONG, WEAK, Forms
from tunesmith.corpus.phrasebook.pronouns import PERSONS
from tunesmith.corpus.phrasebook.urn import Urn


@dataclass(frozen=True, slots=True)
class Determiner:
    """A determiner; empty forms mean that the noun stands alone.

    English: one urn for the singular and one for the plural; ``"a"`` stands for *a* or *an*,
    ``""`` for nothing.
    """

    name: str
    forms: Forms
    endings: Forms
    singular: Urn[tuple[str, ...]]
    plural: Urn[tuple[str, ...]]
    indefinite: bool = False


def _urn(*choices: str) -> Urn[tuple[str, ...]]:
    words = [tuple(choice.split()) for choice in choices]
    return Urn(words, [0.75, 0.25][: len(words)])


_SAME = (("",) * 4,) * 4


def _invariable(word: str) -> Forms:
    return ((word,) * 4,) * 4


DEFINITE = Determiner("def", german.DEFINITE, WEAK, _urn("the"), _urn("the"))
BARE = Determiner("bare", _SAME, STRONG, _urn(""), _urn(""), indefinite=True)
INDEFINITE = Determiner("ein", german.ein_word("ein"), MIXED, _urn("a"), _urn(""), indefinite=True)
KEIN = Determiner("kein", german.ein_word("kein"), MIXED, _urn("no"), _urn("no"))
# The same when the English verb is negated instead.
KEIN_ANY = Determiner("kein", german.ein_word("kein"), MIXED, _urn("a"), _urn("any"))
DIESER = Determiner(
    "dieser", german.der_word("dies"), WEAK, _urn("this", "that"), _urn("these", "those")
)
JEDER = Determiner("jeder", german.der_word("jed"), WEAK, _urn("every", "each"), _urn("all"))
WELCHER = Determiner("welcher", german.der_word("welch"), WEAK, _urn("which"), _urn("which"))
# Like a determiner but two words; "viele" is declined.
WIE_VIELE = Determiner(
    "wie viele", german.der_word("viel"), STRONG, _urn("how much"), _urn("how many")
)
VIELE = Determiner("viele", german.der_word("viel"), STRONG, _urn("much"), _urn("many", "a lot of"))
EINIGE = Determiner("einige", german.der_word("einig"), STRONG, _urn("some"), _urn("some", "a few"))
ALLE = Determiner("alle", german.der_word("all"), WEAK, _urn("all"), _urn("all", "all the"))
MEHRERE = Determiner("mehrere", german.der_word("mehrer"), STRONG, _urn("several"), _urn("several"))
POSSESSIVES = tuple(
    Determiner(
        "poss", row.possessive, MIXED, _urn(row.english_possessive), _urn(row.english_possessive)
    )
    for row in PERSONS
)
NUMERALS = tuple(
    Determiner("number", _invariable(word), STRONG, _urn(translation), _urn(translation))
    for word, translation in (
        ("zwei", "two"),
        ("drei", "three"),
        ("vier", "four"),
        ("fünf", "five"),
        ("sechs", "six"),
        ("sieben", "seven"),
        ("acht", "eight"),
        ("neun", "nine"),
        ("zehn", "ten"),
        ("elf", "eleven"),
        ("zwölf", "twelve"),
        ("zwanzig", "twenty"),
        ("hundert", "a hundred"),
    )
)

# How noun phrases begin. "own" and "other" are possessives of the subject and of somebody else.
SINGULAR = Urn(
    [DEFINITE, INDEFINITE, "own", "other", DIESER, JEDER], [0.46, 0.26, 0.12, 0.06, 0.07, 0.03]
)
PLURALS = Urn(
    [DEFINITE, BARE, "own", "other", DIESER, VIELE, EINIGE, ALLE, MEHRERE, "number"],
    [0.33, 0.2, 0.1, 0.05, 0.05, 0.07, 0.06, 0.03, 0.02, 0.09],
)
MASS = Urn([DEFINITE, BARE, "own", "other", DIESER], [0.38, 0.44, 0.08, 0.04, 0.06])
RELATIVES = Urn([DEFINITE, "own", "other"], [0.1, 0.5, 0.4])
