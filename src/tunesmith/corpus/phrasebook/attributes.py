"""What follows a noun: genitives, prepositional phrases; and measures (*eine Tasse Kaffee*)."""

from dataclasses import dataclass

from tunesmith.corpus.phrasebook import determiners as det
from tunesmith.corpus.phrasebook import german_nouns as german
from tunesmith.corpus.phrasebook.determiners import Determiner
from tunesmith.corpus.phrasebook.lexicon import (
    CASES,
    Noun,
    english_noun,
    lexicon,
)
from tunesmith.corpus.phrasebook.phrases import Chance, Phrase
from tunesmith.corpus.phrasebook.tables import rows
from tunesmith.corpus.phrasebook.urn import Urn

_DETERMINERS = {"def": det.DEFINITE, "ein": det.INDEFINITE, "bare": det.BARE}


@dataclass(frozen=True, slots=True)
class Attribute:
    """*der Mann mit dem Hut*: a preposition and the nouns that may follow."""

    german: str
    case: int
    nouns: str  # classes, or @city, @country, @person
    english: Urn[tuple[str, ...]]
    determiners: Urn[Determiner] | None


def attributes_by_noun() -> dict[int, Urn[Attribute]]:
    """The prepositional attributes of each noun, by its `id`."""
    words = lexicon()
    lists: dict[int, list[Attribute]] = {}
    for line in rows("attributes.txt"):
        heads, governor, nouns, english, kinds = (part.strip() for part in line.split(";"))
        preposition, _, case = governor.partition("+")
        attribute = Attribute(
            preposition,
            CASES[case],
            nouns,
            Urn([tuple(choice.split()) for choice in english.split("/")]),
            None if kinds == "-" else Urn([_DETERMINERS[kind] for kind in kinds.split()]),
        )
        for noun in words.members(heads):
            lists.setdefault(id(noun), []).append(attribute)
    return {key: Urn(found) for key, found in lists.items()}


def measures_by_noun() -> dict[int, Urn[Noun]]:
    """The measures of each mass noun, by its `id`."""
    words = lexicon()
    lists: dict[int, list[Noun]] = {}
    for line in rows("measures.txt"):
        left, _, contents = line.partition(";")
        gender, singular, plural, english = left.split()
        measure = Noun(
            lemma=singular,
            section="measure",
            gender=german.GENDERS[gender],
            forms=german.decline(gender, singular, plural),
            english=Urn([english_noun(english)]),
        )
        for noun in words.members(",".join(contents.split())):
            lists.setdefault(id(noun), []).append(measure)
    return {key: Urn(found) for key, found in lists.items()}


def possessor(name: str) -> Determiner:
    """*Annas* – *Anna's*, in the place of an article."""
    forms = ((name + "s",) * 4,) * 4
    words: Urn[tuple[str, ...]] = Urn([(name, "'s")])
    return Determiner("name", forms, german.STRONG, words, words)


def add_genitive(chance: Chance, phrase: Phrase, owner: Phrase, *, after: bool) -> None:
    """*das Auto meines Vaters* – *my father's car*, or *the car of my father* if `after`.

    The head's own English article is dropped with *'s*.
    """
    group = owner.german[0][1]
    if after or len(owner.english) > 3:
        phrase.english += [("of", group), *owner.english]
    else:
        article = phrase.english[0][0] in {"the", "a", "an"}
        rest = phrase.english[1:] if article else phrase.english
        phrase.english = [*owner.english, ("'s", group), *rest]
    phrase.german += owner.german
