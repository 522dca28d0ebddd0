"""Word order: verb second, verb final and verb first in German; English with and without *do*."""

from tunesmith.corpus.phrasebook.clause import Clause
from tunesmith.corpus.phrasebook.phrases import COMMA, Chance, Phrase, Token

_CONTRACTION_RATE = 0.4
_PRONOUN_CONTRACTION_RATE = 0.3
# Moses' tokeniser writes don't as "don 't".
_CONTRACTED = {
    "do": "don",
    "does": "doesn",
    "did": "didn",
    "is": "isn",
    "are": "aren",
    "was": "wasn",
    "were": "weren",
    "have": "haven",
    "has": "hasn",
    "had": "hadn",
    "will": "won",
    "would": "wouldn",
    "can": "can",
    "could": "couldn",
    "should": "shouldn",
    "must": "mustn",
}
_CLITICS = {"am": "'m", "are": "'re", "is": "'s", "have": "'ve", "has": "'s", "will": "'ll",
            "had": "'d", "would": "'d"}  # fmt: skip


def german_middle(clause: Clause, *, without_time: bool = False) -> list[Token]:
    """Everything between the two parts of the German verb, without the subject."""
    words = list(clause.german_pronouns)
    if clause.particle is not None:
        words.append(clause.particle)
    if clause.time is not None and not without_time:
        words += clause.time.german
    if clause.frequency is not None:
        words += clause.frequency.german
    words += clause.german_objects
    if clause.nicht is not None:
        words.append(clause.nicht)
    words += clause.german_late
    return words


def german_main(clause: Clause, front: Phrase | None = None) -> list[Token]:
    """Verb second: the subject, or `front`, stands before the finite verb."""
    verbs = clause.verbs
    if front is None:
        start = [*clause.subject.german, verbs.finite]
    else:
        start = [*front.german, verbs.finite, *clause.subject.german]
    return start + german_middle(clause, without_time=front is clause.time) + verbs.tail


def german_final(clause: Clause) -> list[Token]:
    """Verb final, as after *dass* and in relative clauses."""
    verbs = clause.verbs
    return [*clause.subject.german, *german_middle(clause), *verbs.tail_last, verbs.finite_last]


def german_question(clause: Clause) -> list[Token]:
    """Verb first; after a question word this is verb second."""
    verbs = clause.verbs
    return [verbs.finite, *clause.subject.german, *german_middle(clause), *verbs.tail]


def german_predicate(clause: Clause) -> list[Token]:
    """A second verb with the first one's subject: *und geht nach Hause*."""
    verbs = clause.verbs
    return [verbs.finite, *german_middle(clause), *verbs.tail]


def _after_verb(clause: Clause) -> list[Token]:
    """What follows the finite verb in English, but time."""
    verbs = clause.verbs
    words = list(verbs.english_rest)
    if verbs.particle is None:
        words += clause.english_objects
    elif len(clause.english_objects) == 1:
        words += [*clause.english_objects, verbs.particle]
    else:
        words += [verbs.particle, *clause.english_objects]
    return words + clause.english_late


def english_predicate(
    chance: Chance, clause: Clause, *, without_time: bool = False, after_pronoun: bool = False
) -> list[Token]:
    """The English clause without its subject; an auxiliary may lean on a pronoun before it."""
    verbs = clause.verbs
    words: list[Token] = []
    finite, group = verbs.english_finite
    frequency = clause.frequency.english if clause.frequency is not None else []
    if clause.english_not:
        if not verbs.english_auxiliary:
            finite = verbs.english_do
        if finite == "can" or (finite in _CONTRACTED and chance.random() < _CONTRACTION_RATE):
            words += [(_CONTRACTED[finite], group), ("'t", clause.english_not)]
        else:
            words += [(finite, group), ("not", clause.english_not)]
        words += frequency
        if not verbs.english_auxiliary:
            words.append((verbs.english_base, group))
    elif verbs.english_auxiliary:
        if (
            after_pronoun
            and finite in _CLITICS
            and (verbs.english_rest or clause.english_late)
            and chance.random() < _PRONOUN_CONTRACTION_RATE
        ):
            finite = _CLITICS[finite]
        words.append((finite, group))
        words += frequency
    else:
        words += frequency
        words.append((finite, group))
    words += _after_verb(clause)
    if clause.time is not None and not without_time:
        words += clause.time.english
    return words


def english_main(chance: Chance, clause: Clause, *, front: bool = False) -> list[Token]:
    """Subject, verb, object; `front` puts the time first."""
    words: list[Token] = []
    front = front and clause.time is not None
    if front and clause.time is not None:
        words += clause.time.english
        if len(words) > 2:
            words.append(COMMA)
    subject = clause.english_subject
    words += subject.english
    return words + english_predicate(
        chance, clause, without_time=front, after_pronoun=subject.is_pronoun
    )


def english_question(clause: Clause) -> list[Token]:
    """Auxiliary or *do*, subject, verb."""
    verbs = clause.verbs
    finite, group = verbs.english_finite
    frequency = clause.frequency.english if clause.frequency is not None else []
    words: list[Token] = []
    base: list[Token] = []
    if not verbs.english_auxiliary:
        finite = verbs.english_do
        base = [(verbs.english_base, group)]
    words.append((finite, group))
    words += clause.english_subject.english
    if clause.english_not:
        words.append(("not", clause.english_not))
    words += frequency
    words += base
    words += _after_verb(clause)
    if clause.time is not None:
        words += clause.time.english
    return words
