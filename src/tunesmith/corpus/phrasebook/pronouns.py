"""Personal, possessive and reflexive pronouns of both languages."""

from dataclasses import dataclass

from tunesmith.corpus.phrasebook.english_words import FIRST, OTHER, THIRD
from tunesmith.corpus.phrasebook.german_nouns import Forms, ein_word
from tunesmith.corpus.phrasebook.german_verbs import DU, ER, ICH, IHR, SIE, WIR

ME, THOU, HE, SHE, IT, WE, YOU, THEY, FORMAL = range(9)


@dataclass(frozen=True, slots=True)
class Person:
    """One row of the table: German cases, English forms, and what verbs agree with."""

    german: tuple[str, str, str]  # nominative, accusative, dative
    reflexive: tuple[str, str]  # accusative, dative
    possessive: Forms
    agreement: int
    english: tuple[str, str]  # subject, object
    english_possessive: str
    english_reflexive: str
    english_agreement: int


def _person(
    german: str,
    reflexive: str,
    possessive: str,
    agreement: int,
    english: str,
    english_agreement: int,
) -> Person:
    nominative, accusative, dative = german.split()
    subject, other, owner, self = english.split()
    one, two = reflexive.split()
    return Person(
        (nominative, accusative, dative),
        (one, two),
        ein_word(possessive),
        agreement,
        (subject, other),
        owner,
        self,
        english_agreement,
    )


PERSONS = (
    _person("ich mich mir", "mich mir", "mein", ICH, "I me my myself", FIRST),
    _person("du dich dir", "dich dir", "dein", DU, "you you your yourself", OTHER),
    _person("er ihn ihm", "sich sich", "sein", ER, "he him his himself", THIRD),
    _person("sie sie ihr", "sich sich", "ihr", ER, "she her her herself", THIRD),
    _person("es es ihm", "sich sich", "sein", ER, "it it its itself", THIRD),
    _person("wir uns uns", "uns uns", "unser", WIR, "we us our ourselves", OTHER),
    _person("ihr euch euch", "euch euch", "euer", IHR, "you you your yourselves", OTHER),
    _person("sie sie ihnen", "sich sich", "ihr", SIE, "they them their themselves", OTHER),
    _person("Sie Sie Ihnen", "sich sich", "Ihr", SIE, "you you your yourself", OTHER),
)
