"""Sentences with figures: ages, prices, measures, clock times, dates of birth."""

from tunesmith.corpus.phrasebook import numbers
from tunesmith.corpus.phrasebook.clause import Clause
from tunesmith.corpus.phrasebook.english_words import conjugate as english_verb
from tunesmith.corpus.phrasebook.german_nouns import NOMINATIVE
from tunesmith.corpus.phrasebook.german_verbs import conjugate as german_verb
from tunesmith.corpus.phrasebook.grammar import Grammar, Sentence
from tunesmith.corpus.phrasebook.kinds.copula import linked
from tunesmith.corpus.phrasebook.participants import pronoun
from tunesmith.corpus.phrasebook.phrases import Chance, Phrase, aligned
from tunesmith.corpus.phrasebook.pronouns import IT, PERSONS
from tunesmith.corpus.phrasebook.tenses import WERDEN, verb_group
from tunesmith.corpus.phrasebook.urn import Urn

_COST, _KOSTEN = english_verb("cost"), german_verb("kosten")
_BORN = english_verb("be born")
_ABOUT = Urn(
    [
        ("etwa", ("about",)),
        ("ungefähr", ("about",)),
        ("fast", ("almost",)),
        ("mehr als", ("more", "than")),
        ("genau", ("exactly",)),
        ("nur", ("only",)),
    ]
)
_SIZES = Urn(
    [
        ("Meter", "metre", "hoch", "high", "Turm,Baum,Mauer,Berg,Dom"),
        ("Meter", "metre", "lang", "long", "Brücke,Schiff,Seil,Straße"),
        ("Kilometer", "kilometre", "lang", "long", "Fluss,Straße,Weg,Strand"),
        ("Meter", "metre", "tief", "deep", "See,Teich,Höhle"),
        ("Kilo", "kilo", "schwer", "in weight", "Koffer,Paket,Kiste,Hund"),
        ("Meter", "metre", "breit", "wide", "Fluss,Straße,Tür,Tisch"),
    ]
)


def _about(chance: Chance, phrase: Phrase) -> Phrase:
    if chance.random() < 0.25:
        word, translation = chance.pick(_ABOUT)
        before = aligned(chance, tuple(word.split()), translation)
        return Phrase(before.german + phrase.german, before.english + phrase.english)
    return phrase


def age(grammar: Grammar, chance: Chance) -> Sentence:
    """*Meine Mutter ist 52 Jahre alt.*"""
    subject, _ = grammar.participants.subject(chance, "who")
    number = numbers.number_phrase(chance, 2 + int(chance.random() * 90))
    words = aligned(chance, ("Jahre", "alt"), ("years", "old"))
    phrase = _about(chance, Phrase(number.german + words.german, number.english + words.english))
    return linked(grammar, chance, subject, phrase, static=True, negation=0.04)


def size(grammar: Grammar, chance: Chance) -> Sentence:
    """*Der Turm ist 80 Meter hoch.*"""
    unit, english_unit, word, translation, nouns = chance.pick(_SIZES)
    noun = chance.pick(grammar.nouns.urn(nouns))
    subject = grammar.nouns.phrase(chance, noun, NOMINATIVE, -1, plural=False)
    number = numbers.number_phrase(chance, 2 + int(chance.random() ** 2 * 300))
    words = aligned(chance, (unit,), (english_unit + "s",))
    quality = aligned(chance, (word,), tuple(translation.split()))
    phrase = Phrase(
        number.german + words.german + quality.german,
        number.english + words.english + quality.english,
    )
    return linked(grammar, chance, subject, _about(chance, phrase), static=True, negation=0.04)


def price(grammar: Grammar, chance: Chance) -> Sentence:
    """*Das Buch kostet 12,50 Euro* – *the book costs 12.50 euros*."""
    noun = chance.pick(grammar.nouns.urn("goods,food,drink"))
    subject = grammar.nouns.phrase(chance, noun, NOMINATIVE, -1)
    clause = Clause(subject, subject)
    if chance.random() < 0.45:
        euros, cents = int(chance.random() ** 2 * 200), int(chance.random() * 20) * 5
        amount = aligned(chance, (f"{euros},{cents:02}",), (f"{euros}.{cents:02}",))
    else:
        top = 100 if chance.random() < 0.6 else 90000
        amount = numbers.number_phrase(chance, 2 + int(chance.random() * top))
    amount = _about(chance, amount)
    unit = aligned(chance, ("Euro",), ("euros",))
    clause.german_objects = amount.german + unit.german
    clause.english_objects = amount.english + unit.english
    past = chance.random() < 0.3
    if chance.random() < 0.2:
        clause.time = grammar.adverbials.time(chance, "past" if past else "present")
    clause.verbs = verb_group(
        chance,
        "preterite" if past else "present",
        "past" if past else "simple",
        _KOSTEN,
        _COST,
        PERSONS[subject.person].agreement,
        PERSONS[subject.english_person].english_agreement,
    )
    german, english = grammar.main(chance, clause)
    return german, english, "."


def clock(grammar: Grammar, chance: Chance) -> Sentence:
    """*Es ist halb acht* – *it is half past seven*."""
    time = numbers.clock(chance)
    predicate = Phrase(time.german[1:], time.english[1:])
    if chance.random() < 0.4:
        already = aligned(chance, ("schon",), ("already",))
        predicate = Phrase(already.german + predicate.german, already.english + predicate.english)
    subject = pronoun(chance, IT, NOMINATIVE)
    return linked(grammar, chance, subject, predicate, static=True, negation=0.0, timed=0.0)


def birth(grammar: Grammar, chance: Chance) -> Sentence:
    """*Anna wurde am 3. Mai 1985 in Wien geboren.*"""
    subject, _ = grammar.participants.subject(chance, "who")
    clause = Clause(subject, subject)
    roll = chance.random()
    if roll < 0.8:
        clause.time = numbers.date(chance) if roll < 0.5 else numbers.year(chance)
    if roll > 0.3:
        place = grammar.nouns.place_name(chance, "@city")
        place = grammar.nouns.prepositional(chance, "in", ("in",), place)
        clause.german_late, clause.english_late = place.german, place.english
    clause.verbs = verb_group(
        chance,
        "preterite",
        "past",
        WERDEN,
        _BORN,
        PERSONS[subject.person].agreement,
        PERSONS[subject.english_person].english_agreement,
        lead="geboren",
    )
    german, english = grammar.main(chance, clause)
    return german, english, "."
