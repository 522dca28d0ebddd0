"""*sein*, *werden*, *bleiben*: adjectives, comparison, professions; *es gibt*."""

from tunesmith.corpus.phrasebook import determiners as det
from tunesmith.corpus.phrasebook.clause import Clause
from tunesmith.corpus.phrasebook.english_words import EnglishVerb
from tunesmith.corpus.phrasebook.english_words import conjugate as english_verb
from tunesmith.corpus.phrasebook.german_nouns import ACCUSATIVE, NOMINATIVE, WEAK
from tunesmith.corpus.phrasebook.german_verbs import GermanVerb
from tunesmith.corpus.phrasebook.german_verbs import conjugate as german_verb
from tunesmith.corpus.phrasebook.grammar import Grammar, Sentence
from tunesmith.corpus.phrasebook.lexicon import Adjective, Noun
from tunesmith.corpus.phrasebook.objects import negate_verb
from tunesmith.corpus.phrasebook.order import english_question, german_question
from tunesmith.corpus.phrasebook.participants import pronoun
from tunesmith.corpus.phrasebook.phrases import Chance, Phrase, Token, aligned
from tunesmith.corpus.phrasebook.pronouns import IT, PERSONS, THEY
from tunesmith.corpus.phrasebook.tenses import BE, SEIN, WERDEN, verb_group
from tunesmith.corpus.phrasebook.urn import Urn

_NEGATION_RATE = 0.14
_QUESTION_RATE = 0.1
_TENSES = Urn(
    [("present", "simple", "state"), ("preterite", "past", "past"), ("future", "will", "future")],
    [0.66, 0.28, 0.06],
)
_BLEIBEN, _GEBEN = german_verb("bleiben"), german_verb("geben")
_SOME = Urn([det.BARE, det.VIELE, det.EINIGE, *det.NUMERALS[:4]])
_LINKING: Urn[tuple[GermanVerb, Urn[EnglishVerb]]] = Urn(
    [
        (SEIN, Urn([BE])),
        (WERDEN, Urn([english_verb("become"), english_verb("get")], [7, 3])),
        (_BLEIBEN, Urn([english_verb("stay"), english_verb("remain")], [5, 5])),
    ],
    [0.88, 0.08, 0.04],
)
_DEGREES = Urn(
    [
        ("sehr", "very"),
        ("zu", "too"),
        ("ziemlich", "quite"),
        ("wirklich", "really"),
        ("so", "so"),
        ("besonders", "particularly"),
        ("ein bisschen", "a bit"),
        ("ganz", "quite"),
        ("etwas", "somewhat"),
        ("immer noch", "still"),
        ("schon", "already"),
    ],
    [0.33, 0.14, 0.1, 0.1, 0.09, 0.05, 0.05, 0.05, 0.03, 0.03, 0.03],
)
_MUCH = Urn([("viel", ("much",)), ("noch", ("even",)), ("etwas", ("a", "little"))], [5, 3, 2])
_SUBJECTS = Urn(
    ["person", "thing", "worker", "building", "matter", "food", "outdoors", "animal", "event"],
    [0.27, 0.2, 0.1, 0.1, 0.09, 0.07, 0.06, 0.06, 0.05],
)
_WEATHER = Urn(
    [
        ("kalt", "cold"),
        ("warm", "warm"),
        ("heiß", "hot"),
        ("dunkel", "dark"),
        ("spät", "late"),
        ("windig", "windy"),
        ("sonnig", "sunny"),
        ("neblig", "foggy"),
        ("hell", "light"),
        ("ruhig", "quiet"),
        ("schön", "nice"),
        ("glatt", "slippery"),
    ]
)


def linked(
    grammar: Grammar,
    chance: Chance,
    subject: Phrase,
    predicate: Phrase,
    *,
    static: bool = False,
    negation: float = _NEGATION_RATE,
    timed: float = 0.25,
) -> Sentence:
    """Subject, linking verb, predicate; a question now and then.

    `static`: only *sein*; `negation` and `timed`: rates of *nicht* and of adverbials of time.
    """
    clause = Clause(subject, subject)
    tense, style, when = chance.pick(_TENSES)
    verb, translations = _LINKING.items[0] if static else chance.pick(_LINKING)
    if chance.random() < negation and not subject.is_negative:
        negate_verb(chance, clause)
    if chance.random() < timed:
        clause.time = grammar.adverbials.time(chance, when)
    clause.german_late, clause.english_late = predicate.german, predicate.english
    clause.verbs = verb_group(
        chance,
        tense,
        style,
        verb,
        chance.pick(translations),
        PERSONS[subject.person].agreement,
        PERSONS[subject.english_person].english_agreement,
    )
    if chance.random() < _QUESTION_RATE:
        return german_question(clause), english_question(clause), "?"
    german, english = grammar.main(chance, clause)
    return german, english, "."


def _subject(grammar: Grammar, chance: Chance) -> tuple[Phrase, Noun]:
    """A subject and the noun whose adjectives fit it."""
    classes = chance.pick(_SUBJECTS)
    if classes == "person" and chance.random() < 0.6:
        phrase, noun = grammar.participants.subject(chance, "who")
        return phrase, noun or chance.pick(grammar.nouns.urn("person"))
    noun = chance.pick(grammar.nouns.urn(classes))
    return grammar.nouns.phrase(chance, noun, NOMINATIVE, -1), noun


def _adjective(grammar: Grammar, chance: Chance, noun: Noun, *, compared: bool) -> Adjective | None:
    urn = grammar.nouns.adjectives_of(noun)
    if urn is None:
        return None
    for _ in range(8):
        adjective = chance.pick(urn)
        if not adjective.attributive_only and (adjective.comparative or not compared):
            return adjective
    return None


def adjective(grammar: Grammar, chance: Chance) -> Sentence:
    """*Das Haus ist sehr alt.*"""
    subject, noun = _subject(grammar, chance)
    quality = _adjective(grammar, chance, noun, compared=False)
    if quality is None:
        return weather(grammar, chance)
    group = chance.link()
    german: list[Token] = [(quality.lemma, group)]
    english: list[Token] = [(chance.pick(quality.english).word, group)]
    if chance.random() < 0.4:
        word, translation = chance.pick(_DEGREES)
        degree = aligned(chance, tuple(word.split()), tuple(translation.split()))
        german, english = degree.german + german, degree.english + english
    return linked(grammar, chance, subject, Phrase(german, english))


def comparison(grammar: Grammar, chance: Chance) -> Sentence:
    """*größer als*, *so groß wie*, *der größte*, *am größten*."""
    subject, noun = _subject(grammar, chance)
    quality = _adjective(grammar, chance, noun, compared=True)
    if quality is None:
        return weather(grammar, chance)
    meaning = chance.pick(quality.english)
    roll = chance.random()
    group = chance.link()
    if roll < 0.16:
        am = chance.link()
        german = [("am", am), (quality.superlative + "en", group)]
        english = [("the", am), *((word, group) for word in meaning.superlative)]
        return linked(grammar, chance, subject, Phrase(german, english), static=True, negation=0.03)
    if roll < 0.3 and noun.has_singular and subject.person != THEY:
        predicate = _superlative_noun(chance, quality, noun, meaning.superlative, group)
        if subject.person == predicate.person:
            return linked(grammar, chance, subject, predicate, static=True, negation=0.03)
    if noun.section in {"person", "worker"}:
        other, _ = grammar.participants.subject(chance, "who")
    else:
        rival = chance.pick(grammar.nouns.urn(noun.section))
        other = grammar.nouns.phrase(chance, rival, NOMINATIVE, -1)
    if other.is_pronoun:
        # English says "than me", not "than I".
        other.english = [(PERSONS[other.person].english[1], other.english[0][1])]
    as_group = chance.link()
    if roll < 0.75:
        german = [(quality.comparative, group)]
        english = [(word, group) for word in meaning.comparative]
        if chance.random() < 0.3:
            word, translation = chance.pick(_MUCH)
            degree = aligned(chance, (word,), translation)
            german, english = degree.german + german, degree.english + english
        german += [("als", as_group), *other.german]
        english += [("than", as_group), *other.english]
    else:
        so = chance.link()
        german = [("so", so), (quality.lemma, group), ("wie", as_group), *other.german]
        english = [("as", so), (meaning.word, group), ("as", as_group), *other.english]
    return linked(grammar, chance, subject, Phrase(german, english), static=True)


def _superlative_noun(
    chance: Chance, quality: Adjective, noun: Noun, words: tuple[str, ...], group: int
) -> Phrase:
    """*der älteste Mann* – *the oldest man*."""
    article, head = chance.link(), chance.link()
    translation = chance.pick(noun.english)
    person = (2, 3, 4)[noun.gender]
    german = [
        (det.DEFINITE.forms[NOMINATIVE][noun.gender], article),
        (quality.superlative + WEAK[NOMINATIVE][noun.gender], group),
        (noun.forms[NOMINATIVE], head),
    ]
    english = [
        ("the", article),
        *((word, group) for word in words),
        *((word, head) for word in translation.singular),
    ]
    return Phrase(german, english, person)


def profession(grammar: Grammar, chance: Chance) -> Sentence:
    """*Er ist Lehrer* – *he is a teacher*; *Anna ist eine gute Sängerin*."""
    subject, _ = grammar.participants.subject(chance, "who")
    plural = PERSONS[subject.person].agreement in {3, 4, 5} and subject.person != 8
    if not subject.is_known:
        return weather(grammar, chance)
    urn = grammar.nouns.urn("worker")
    noun = chance.pick(urn)
    wanted = {2: 0, 3: 1}.get(subject.person)
    while wanted is not None and noun.gender != wanted:
        noun = chance.pick(urn)
    if plural or chance.random() < 0.35:
        kind = det.BARE if plural else det.INDEFINITE
        predicate = grammar.nouns.phrase(
            chance, noun, NOMINATIVE, -1, determiner=kind, plural=plural
        )
    else:
        # German has no article here; English has.
        predicate = grammar.nouns.build(chance, noun, NOMINATIVE, False, det.BARE, None)
        head = predicate.german[0][1]
        translation = next(
            meaning
            for meaning in noun.english.items
            if meaning.singular == tuple(word for word, _ in predicate.english)
        )
        predicate.english.insert(0, (translation.article, head))
    return linked(grammar, chance, subject, predicate, negation=0.0 if plural else 0.05)


def existence(grammar: Grammar, chance: Chance) -> Sentence:
    """*Es gibt ein Problem* – *there is a problem*; *Gab es …?*"""
    noun = chance.pick(grammar.nouns.urn("matter,building,animal,food,item,outdoors,event"))
    negated = chance.random() < 0.2
    plural = noun.has_plural and chance.random() < 0.45
    kind = det.KEIN if negated else det.BARE if noun.mass else det.INDEFINITE
    if plural and not negated:
        kind = chance.pick(_SOME)
    thing = grammar.nouns.phrase(chance, noun, ACCUSATIVE, -1, determiner=kind, plural=plural)
    there = chance.link()
    subject = Phrase([("es", there)], [("there", there)], IT, thing.english_person)
    clause = Clause(subject, subject)
    tense, style, when = chance.pick(_TENSES)
    if chance.random() < 0.35:
        clause.time = grammar.adverbials.time(chance, when)
    clause.german_objects, clause.english_objects = list(thing.german), list(thing.english)
    if chance.random() < 0.6:
        place = grammar.adverbials.place(chance)
        clause.german_late, clause.english_late = place.german, place.english
    clause.verbs = verb_group(
        chance,
        tense,
        style,
        _GEBEN,
        BE,
        PERSONS[IT].agreement,
        PERSONS[thing.english_person].english_agreement,
    )
    if chance.random() < 0.15:
        return german_question(clause), english_question(clause), "?"
    german, english = grammar.main(chance, clause)
    return german, english, "."


def weather(grammar: Grammar, chance: Chance) -> Sentence:
    """*Es war kalt in Berlin.*"""
    word, translation = chance.pick(_WEATHER)
    predicate = aligned(chance, (word,), (translation,))
    if chance.random() < 0.4:
        word, translation = chance.pick(_DEGREES)
        degree = aligned(chance, tuple(word.split()), tuple(translation.split()))
        predicate = Phrase(degree.german + predicate.german, degree.english + predicate.english)
    if chance.random() < 0.5:
        place = grammar.adverbials.place(chance)
        predicate = Phrase(place.german + predicate.german, predicate.english + place.english)
    return linked(grammar, chance, pronoun(chance, IT, NOMINATIVE), predicate, static=True)
