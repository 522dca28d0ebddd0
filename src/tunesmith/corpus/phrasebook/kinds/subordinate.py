"""Subordinate clauses: *weil*, *dass*, *ob*, *wenn*; infinitives with *zu*."""

from functools import cache

from tunesmith.corpus.phrasebook.clause import Clause
from tunesmith.corpus.phrasebook.grammar import Grammar, Sentence, same_again
from tunesmith.corpus.phrasebook.kinds.questions import asked
from tunesmith.corpus.phrasebook.lexicon import Frame
from tunesmith.corpus.phrasebook.order import (
    english_main,
    german_final,
    german_main,
    german_middle,
    german_question,
)
from tunesmith.corpus.phrasebook.phrases import COMMA, Chance, Phrase, Token, aligned
from tunesmith.corpus.phrasebook.pronouns import PERSONS
from tunesmith.corpus.phrasebook.tables import rows
from tunesmith.corpus.phrasebook.tense_choice import (
    CONDITIONAL,
    PAST,
    PLAIN,
    PLUPERFECT,
    PRESENT,
)
from tunesmith.corpus.phrasebook.tenses import (
    CAN,
    COULD,
    ENGLISH_WERE,
    HAD,
    HAVE,
    WERE,
    verb_group,
)
from tunesmith.corpus.phrasebook.urn import Urn

_Connective = tuple[str, Urn[tuple[str, ...]], str]

_SUBORDINATE_FIRST_RATE = 0.3
_PREFIXED = Urn(
    [
        ("um", ("to",)),
        ("um", ("in", "order", "to")),
        ("ohne", ("without",)),
        ("statt", ("instead", "of")),
    ],
    [0.5, 0.2, 0.2, 0.1],
)
_CAN_ONLY = Urn(["modal"])
_POSSESSIONS = Urn(
    [
        (("mehr", "Zeit"), ("more", "time")),
        (("genug", "Geld"), ("enough", "money")),
        (("Zeit",), ("time",)),
        (("mehr", "Geld"), ("more", "money")),
        (("Urlaub",), ("a", "holiday")),
        (("Hunger",), ("an", "appetite")),
        (("mehr", "Mut"), ("more", "courage")),
        (("keine", "Angst"), ("no", "fear")),
        (("Glück",), ("luck",)),
    ]
)
_SIMPLE_PAST = Urn(["preterite"])
_SIMPLE_PRESENT = Urn(["plain"])


@cache
def _connectives() -> Urn[_Connective]:
    entries, weights = [], []
    for line in rows("connectives.txt"):
        german, english, kind, weight = (part.strip() for part in line.split(";"))
        choices = [tuple(choice.split()) for choice in english.split(" / ")]
        entries.append((german, Urn(choices), kind))
        weights.append(float(weight))
    return Urn(entries, weights)


def subordinate(grammar: Grammar, chance: Chance) -> Sentence:
    """Main and subordinate clause, either first."""
    conjunction, translations, kind = chance.pick(_connectives())
    modal = None
    if kind == "past":
        tenses = inner = PAST
    elif kind == "present":
        tenses, inner = PRESENT, PLAIN
    elif kind == "after":
        tenses, inner = PAST, PLUPERFECT
    elif kind == "purpose":
        tenses, inner, modal = PRESENT, _CAN_ONLY, CAN
    elif chance.random() < 0.45:
        tenses = inner = PAST
    else:
        tenses, inner = PRESENT, PLAIN
    first = grammar.clauses.any(chance, tenses, brief=True)
    if modal is None:
        second = grammar.echo(chance, first, inner)
    else:
        frame = chance.pick(grammar.frames.actions)
        second = grammar.clauses.draw(chance, frame, tenses=inner, brief=True, modal=modal)
    group = chance.link()
    german = [(conjunction, group), *german_final(second)]
    words = [(word, group) for word in chance.pick(translations)]
    english = words + english_main(chance, second)
    if chance.random() < _SUBORDINATE_FIRST_RATE and first.subject.is_known:
        comma = (",", chance.link())
        return (
            [*german, comma, *german_question(first)],
            [*english, comma, *english_main(chance, first)],
            ".",
        )
    return (
        [*german_main(first), COMMA, *german],
        [*english_main(chance, first), *english],
        ".",
    )


def that_clause(grammar: Grammar, chance: Chance) -> Sentence:
    """*Ich glaube, dass …*"""
    outer, tenses = _governing(grammar, chance, "that")
    inner = grammar.clauses.any(chance, tenses, brief=True)
    group = chance.link()
    german = [*german_main(outer), COMMA, ("dass", group), *german_final(inner)]
    english = english_main(chance, outer)
    if chance.random() < 0.7:
        english.append(("that", group))
    return german, english + english_main(chance, inner), "."


def _governing(
    grammar: Grammar, chance: Chance, section: str, frame: Frame | None = None
) -> tuple[Clause, Urn[str]]:
    """The clause of a verb that governs another, and the tenses of that one."""
    if frame is None:
        frame = chance.pick(grammar.frames.governing[section])
    past = chance.random() < 0.4
    outer = grammar.clauses.draw(
        chance,
        frame,
        tenses=_SIMPLE_PAST if past else _SIMPLE_PRESENT,
        brief=True,
        negation=1.0 if "neg" in frame.flags else 0.06,
        omit="time",
    )
    return outer, PAST if past else PRESENT


def indirect_question(grammar: Grammar, chance: Chance) -> Sentence:
    """*Ich weiß nicht, ob er kommt*, *Sie fragt, wo er wohnt*."""
    outer, tenses = _governing(grammar, chance, "whether")
    german = [*german_main(outer), COMMA]
    english = english_main(chance, outer)
    if chance.random() < 0.45:
        inner = grammar.clauses.any(chance, tenses, brief=True)
        group = chance.link()
        german += [("ob", group), *german_final(inner)]
        english += [("if" if chance.random() < 0.5 else "whether", group)]
        return german, english + english_main(chance, inner), "."
    question, translation, inner, after = asked(grammar, chance, tenses)
    german += [*question, *german_final(inner)]
    return german, [*english, *translation, *english_main(chance, inner), *after], "."


def _zu(clause: Clause, frame: Frame, zu: int) -> list[Token]:
    """The German infinitive with *zu* and what belongs to it, without subject.

    `zu` is the link group of the particle where it is a word of its own.
    """
    group = clause.verbs.finite[1]
    *particle, infinitive = frame.verb.zu_infinitive.split()
    return [*german_middle(clause), *((word, zu) for word in particle), (infinitive, group)]


def _infinitive(clause: Clause, *, gerund: bool, verb_ing: str) -> list[Token]:
    verbs = clause.verbs
    group = verbs.english_finite[1]
    first = (verb_ing if gerund else verbs.english_base, group)
    words = [first, *verbs.english_rest]
    if verbs.particle is not None:
        if len(clause.english_objects) == 1:
            words += [*clause.english_objects, verbs.particle]
        else:
            words += [verbs.particle, *clause.english_objects]
    else:
        words += clause.english_objects
    words += clause.english_late
    if clause.time is not None:
        words += clause.time.english
    return words


def infinitive(grammar: Grammar, chance: Chance) -> Sentence:
    """*Er versucht, das Fenster zu öffnen.*"""
    frame = chance.pick(grammar.frames.governing["infinitive"])
    outer, _ = _governing(grammar, chance, "infinitive", frame)
    action = chance.pick(grammar.frames.actions)
    inner = grammar.clauses.draw(
        chance, action, subject=outer.subject, tenses=_SIMPLE_PRESENT, brief=True, negation=0.0
    )
    inner.frequency = None
    english = english_main(chance, outer)
    zu = inner.verbs.finite[1]
    if english[-1][0] == "to":
        zu = chance.link()
        english[-1] = ("to", zu)
    german = [*german_main(outer), COMMA, *_zu(inner, action, zu)]
    gerund = "gerund" in frame.flags
    english += _infinitive(inner, gerund=gerund, verb_ing=_gerund_of(inner, action))
    return german, english, "."


def _gerund_of(clause: Clause, frame: Frame) -> str:
    base = clause.verbs.english_base
    return next(verb.gerund for verb in frame.english.items if verb.base == base)


def purpose(grammar: Grammar, chance: Chance) -> Sentence:
    """*Er geht in die Stadt, um Brot zu kaufen*; also *ohne … zu*, *statt … zu*."""
    tenses = PAST if chance.random() < 0.5 else PRESENT
    outer = grammar.clauses.draw(
        chance, chance.pick(grammar.frames.actions), tenses=tenses, brief=True, negation=0.03
    )
    action = chance.pick(grammar.frames.actions)
    inner = grammar.clauses.draw(
        chance, action, subject=outer.subject, tenses=_SIMPLE_PRESENT, brief=True, negation=0.0
    )
    inner.frequency = inner.time = None
    word, translation = chance.pick(_PREFIXED)
    group = chance.link()
    zu = group if word == "um" else inner.verbs.finite[1]
    german = [*german_main(outer), COMMA, (word, group), *_zu(inner, action, zu)]
    english = english_main(chance, outer)
    english += [(piece, group) for piece in translation]
    english += _infinitive(inner, gerund=word != "um", verb_ing=_gerund_of(inner, action))
    return german, english, "."


def unreal(grammar: Grammar, chance: Chance) -> Sentence:
    """*Wenn ich Zeit hätte, würde ich …* – *If I had time, I would …*"""
    frame = chance.pick(grammar.frames.actions)
    result = grammar.clauses.draw(
        chance, frame, tenses=CONDITIONAL, brief=True, negation=0.06, omit="time"
    )
    if not result.subject.is_known:
        return unreal(grammar, chance)
    again = same_again(chance, result.subject)
    german, english = _premise(grammar, chance, again)
    group = chance.link()
    german = [("wenn", group), *german]
    english = [("if", group), *english]
    if chance.random() < 0.65:
        comma = (",", chance.link())
        return (
            [*german, comma, *german_question(result)],
            [*english, comma, *english_main(chance, result)],
            ".",
        )
    return (
        [*german_main(result), COMMA, *german],
        [*english_main(chance, result), *english],
        ".",
    )


def _premise(grammar: Grammar, chance: Chance, subject: Phrase) -> tuple[list[Token], list[Token]]:
    """What would have to be so; verb final."""
    roll = chance.random()
    if roll < 0.4:
        frame = chance.pick(grammar.frames.actions)
        clause = grammar.clauses.draw(
            chance, frame, subject=subject, tenses=_CAN_ONLY, brief=True, modal=COULD, omit="time"
        )
        return german_final(clause), english_main(chance, clause)
    clause = Clause(subject, subject)
    if roll < 0.75:
        thing = aligned(chance, *chance.pick(_POSSESSIONS))
        verb, translation = HAD, HAVE
    else:
        noun = chance.pick(grammar.nouns.urn("person"))
        adjectives = grammar.nouns.adjectives_of(noun)
        assert adjectives is not None
        adjective = chance.pick(adjectives)
        thing = aligned(chance, (adjective.lemma,), (chance.pick(adjective.english).word,))
        verb, translation = WERE, ENGLISH_WERE
    clause.german_late, clause.english_late = thing.german, thing.english
    clause.verbs = verb_group(
        chance,
        "present",
        "past",
        verb,
        translation,
        PERSONS[subject.person].agreement,
        PERSONS[subject.english_person].english_agreement,
    )
    return german_final(clause), english_main(chance, clause)
