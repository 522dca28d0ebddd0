"""Productive compounds: *Holz* + *Tisch* → *Holztisch*, a wooden table."""

from functools import cache

from tunesmith.corpus.phrasebook.english_words import article
from tunesmith.corpus.phrasebook.lexicon import EnglishNoun, Noun, lexicon
from tunesmith.corpus.phrasebook.tables import rows
from tunesmith.corpus.phrasebook.urn import Urn


def compound(first: str, english: str, second: Noun, meaning: str = "") -> Noun:
    """The noun that is declined like `second` and means `english` + the meaning of `second`.

    Of several meanings, `meaning` chooses one: a *Wanduhr* is a clock, no watch.
    """
    words = tuple(english.split())

    def join(form: str) -> str:
        return first + form[0].lower() + form[1:] if form else ""

    variants = [
        EnglishNoun(
            words + noun.singular,
            words + noun.plural,
            noun.article and article(english),
            noun.always_plural,
            noun.uncounted,
        )
        for noun in second.english.items
        if not meaning or noun.singular[-1] == meaning
    ]
    # The synonyms keep their shares: an urn counts them by slots.
    shares = [
        float(second.english.slots.count(noun))
        for noun in second.english.items
        if not meaning or noun.singular[-1] == meaning
    ]
    return Noun(
        lemma=join(second.lemma),
        section=second.section,
        gender=second.gender,
        forms=tuple(join(form) for form in second.forms),
        english=Urn(variants, shares),
        place=second.place,
        she=second.she,
        mass=second.mass,
        unique=second.unique,
    )


@cache
def compounds() -> dict[int, list[Noun]]:
    """All compounds, by the `id` of their second part in the lexicon."""
    words = lexicon()
    found: dict[int, list[Noun]] = {}
    for line in rows("compounds.txt"):
        first, english, seconds = (part.strip() for part in line.split(";"))
        for entry in seconds.split():
            name, _, meaning = entry.partition("=")
            (second,) = words.members(name)
            found.setdefault(id(second), []).append(compound(first, english, second, meaning))
    return found
