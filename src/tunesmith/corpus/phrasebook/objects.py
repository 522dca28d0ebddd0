"""Objects of a clause: drawn, negated, and put where each language wants them."""

from tunesmith.corpus.phrasebook import determiners as det
from tunesmith.corpus.phrasebook.clause import Clause
from tunesmith.corpus.phrasebook.german_nouns import ACCUSATIVE, DATIVE
from tunesmith.corpus.phrasebook.lexicon import Frame, Noun
from tunesmith.corpus.phrasebook.noun_phrases import HUMAN
from tunesmith.corpus.phrasebook.participants import Participants
from tunesmith.corpus.phrasebook.phrases import WITH_VERB, Chance, Phrase
from tunesmith.corpus.phrasebook.pronouns import PERSONS

_NO_RATE = 0.35
_TO_RATE = 0.35


def add_objects(
    chance: Chance,
    participants: Participants,
    frame: Frame,
    clause: Clause,
    owner: int,
    *,
    negated: bool,
    omit: str = "",
) -> list[tuple[Phrase, Noun]]:
    """Fill in the frame's objects but the one to `omit` (accusative, dative, prepositional).

    Returns the noun phrases that may get a relative clause.
    """
    open_phrases: list[tuple[Phrase, Noun]] = []
    if frame.reflexive:
        row = PERSONS[clause.subject.person]
        clause.german_pronouns.append((row.reflexive[0], WITH_VERB))
    dative = accusative = None
    negate = None
    if frame.dative and omit != "dative":
        dative, _ = participants.object(chance, frame.dative, DATIVE, owner)
    if frame.accusative and omit != "accusative":
        if negated:
            negate = det.KEIN if chance.random() < _NO_RATE else det.KEIN_ANY
        if "bare" in frame.flags:
            noun: Noun | None = chance.pick(participants.nouns.urn(frame.accusative))
            assert noun is not None
            accusative = participants.nouns.phrase(
                chance, noun, ACCUSATIVE, owner, determiner=det.BARE, plain=True
            )
        else:
            accusative, noun = participants.object(
                chance, frame.accusative, ACCUSATIVE, owner, negate=negate
            )
        if noun is not None and not accusative.is_pronoun and "bare" not in frame.flags:
            open_phrases.append((accusative, noun))
    clause.dative, clause.accusative = dative, accusative
    for phrase in (dative, accusative):
        if phrase is not None and phrase.is_negative:
            negated = False
    if negated and not clause.subject.is_negative:
        _negate(chance, clause, accusative if negate is not None else None, negate)
    if frame.prepositional is not None and omit != "prepositional":
        governed = frame.prepositional
        phrase, noun = participants.object(chance, governed.nouns, governed.case, owner)
        english = chance.pick(governed.english)
        if phrase.is_pronoun and noun is not None and noun.section not in HUMAN:
            # Not *auf es* but *darauf*.
            group = phrase.german[0][1]
            link = "r" if governed.german[0] in "aeiouü" else ""
            clause.german_late.append((f"da{link}{governed.german}", group))
            clause.english_late.extend((word, group) for word in english)
            clause.english_late.extend(phrase.english)
            return open_phrases
        phrase = participants.nouns.prepositional(chance, governed.german, english, phrase)
        if not english and phrase.german[0][0] == governed.german:
            phrase.german[0] = (governed.german, WITH_VERB)
        clause.german_late.extend(phrase.german)
        clause.english_late.extend(phrase.english)
    return open_phrases


def place_objects(chance: Chance, frame: Frame, clause: Clause) -> None:
    """German: pronouns first, dative before accusative; English: *him the book* or *to*."""
    dative, accusative = clause.dative, clause.accusative
    pronouns, objects = clause.german_pronouns, clause.german_objects
    for phrase in (accusative, dative):
        if phrase is not None and phrase.is_pronoun:
            pronouns.extend(phrase.german)
    for phrase in (dative, accusative):
        if phrase is not None and not phrase.is_pronoun:
            objects.extend(phrase.german)
    if dative is None or accusative is None:
        only = accusative if accusative is not None else dative
        clause.english_objects = only.english if only is not None else []
        preposition = _preposition(frame)
        if dative is not None and frame.accusative:
            # The other object stands elsewhere: *the book that he gave to me*.
            word = preposition.removesuffix("only")
            clause.english_objects = [(word, dative.german[0][1]), *dative.english]
        return
    preposition = _preposition(frame)
    if preposition.endswith("only") or accusative.is_pronoun or chance.random() < _TO_RATE:
        word = preposition.removesuffix("only")
        clause.english_objects = [
            *accusative.english,
            (word, dative.german[0][1]),
            *dative.english,
        ]
    else:
        clause.english_objects = dative.english + accusative.english


def _preposition(frame: Frame) -> str:
    for flag in ("toonly", "foronly", "fromonly", "for"):
        if flag in frame.flags:
            return flag
    return "to"


def _negate(
    chance: Chance, clause: Clause, accusative: Phrase | None, negate: det.Determiner | None
) -> None:
    """*kein* where the object is indefinite, else *nicht*."""
    if accusative is not None:
        first, group = accusative.german[0]
        if first.startswith("kein"):
            if negate is det.KEIN_ANY:
                clause.english_not = group
            return
    negate_verb(chance, clause)


def negate_verb(chance: Chance, clause: Clause) -> None:
    """*nicht*."""
    group = chance.link()
    clause.nicht = ("nicht", group)
    clause.english_not = group
