"""English inflection: plurals, verb forms, comparison, *a* or *an*."""

from dataclasses import dataclass

from tunesmith.corpus.phrasebook.tables import rows

# Who the verb agrees with: I; you, we, they and plurals; he, she, it.
FIRST, OTHER, THIRD = range(3)

_VOWELS = "aeiou"
# Verbs of two syllables that double their last letter because the second is stressed.
_DOUBLING = {
    "begin",
    "forget",
    "prefer",
    "permit",
    "admit",
    "regret",
    "upset",
    "forbid",
    "travel",
    "cancel",
    "quarrel",
}
_SILENT_H = ("hour", "honest", "heir")
_LIKE_YOU = ("uni", "use", "eur", "one", "usu")


def _doubles(verb: str) -> bool:
    if verb in _DOUBLING:
        return True
    if len(verb) < 3 or verb[-1] in _VOWELS + "wxy" or verb[-2] not in _VOWELS:
        return False
    return verb[-3] not in _VOWELS and sum(letter in _VOWELS for letter in verb) == 1


def third_person(verb: str) -> str:
    """*goes*, *watches*, *carries*, *buys*."""
    if verb in {"have", "be"}:
        return {"have": "has", "be": "is"}[verb]
    if verb.endswith(("s", "x", "z", "ch", "sh", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + "s"


def gerund(verb: str) -> str:
    """*making*, *lying*, *running*, *seeing*, *being*."""
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        return verb[:-1] + "ing"
    return verb + (verb[-1] if _doubles(verb) else "") + "ing"


def regular_past(verb: str) -> str:
    """*played*, *carried*, *stopped*, *loved*."""
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb[:-1] + "ied"
    return verb + (verb[-1] if _doubles(verb) else "") + "ed"


def plural(noun: str) -> str:
    """*dogs*, *boxes*, *cities*, *boys*; irregular plurals are the lexicon's to say."""
    if noun.endswith(("s", "x", "z", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in _VOWELS:
        return noun[:-1] + "ies"
    return noun + "s"


def article(word: str) -> str:
    """*a* or *an* before `word`.

    >>> [article(word) for word in ("apple", "dog", "hour", "university", "old")]
    ['an', 'a', 'an', 'a', 'an']
    """
    lower = word.lower()
    if lower.startswith(_SILENT_H):
        return "an"
    return "an" if lower[0] in _VOWELS and not lower.startswith(_LIKE_YOU) else "a"


def compare(adjective: str) -> tuple[str, str]:
    """The regular comparative and superlative by ending: *bigger*, *biggest*."""
    if adjective.endswith("e"):
        return adjective + "r", adjective + "st"
    if adjective.endswith("y"):
        return adjective[:-1] + "ier", adjective[:-1] + "iest"
    stem = adjective + (adjective[-1] if _doubles(adjective) else "")
    return stem + "er", stem + "est"


# Present, past, participle and gerund of "be", as in `EnglishVerb`.
BE_FORMS = (("am", "are", "is"), ("was", "were", "was"), "been", "being")


@dataclass(frozen=True, slots=True)
class EnglishVerb:
    """A verb with what belongs to it: *turn* + particle *off*, *look* + *for*."""

    base: str
    present: tuple[str, str, str]
    past: tuple[str, str, str]
    participle: str
    gerund: str
    tail: tuple[str, ...]
    particle: str


def _irregular() -> dict[str, tuple[str, str]]:
    table = {}
    for row in rows("english_irregular.txt"):
        base, past, participle = row.split()
        table[base] = (past, participle)
    return table


_IRREGULAR = _irregular()


def conjugate(text: str) -> EnglishVerb:
    """Conjugate a verb in the lexicon's notation: ``buy``, ``turn|off``, ``look for``.

    >>> verb = conjugate("turn|off")
    >>> verb.past[THIRD], verb.particle, conjugate("take part").participle
    ('turned', 'off', 'taken')
    """
    head, _, particle = text.partition("|")
    base, *tail = head.split()
    past, participle = _IRREGULAR.get(base) or (regular_past(base),) * 2
    pasts = ("was", "were", "was") if base == "be" else (past,) * 3
    present = ("am", "are", "is") if base == "be" else (base, base, third_person(base))
    return EnglishVerb(base, present, pasts, participle, gerund(base), tuple(tail), particle)
