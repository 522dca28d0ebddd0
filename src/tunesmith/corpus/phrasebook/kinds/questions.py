"""Questions: yes or no, and with question words."""

from collections.abc import Callable

from tunesmith.corpus.phrasebook import determiners as det
from tunesmith.corpus.phrasebook.clause import Clause
from tunesmith.corpus.phrasebook.german_nouns import ACCUSATIVE, DATIVE
from tunesmith.corpus.phrasebook.grammar import Grammar, Sentence
from tunesmith.corpus.phrasebook.lexicon import Frame
from tunesmith.corpus.phrasebook.order import (
    english_main,
    english_question,
    german_main,
    german_question,
)
from tunesmith.corpus.phrasebook.phrases import UNLINKED, Chance, Phrase, Token
from tunesmith.corpus.phrasebook.pronouns import HE, IT
from tunesmith.corpus.phrasebook.tense_choice import TENSES
from tunesmith.corpus.phrasebook.urn import Urn

_NEGATION_RATE = 0.05
_DENN_RATE = 0.08
# Question words for adverbials: German, English, what the clause must leave open.
_CIRCUMSTANCES = Urn(
    [
        ("warum", ("why",), ""),
        ("wann", ("when",), "time"),
        ("wo", ("where",), "place"),
        ("wie", ("how",), "time"),
        ("wieso", ("why",), ""),
        ("wie oft", ("how", "often"), "time"),
        ("wie lange", ("how", "long"), "time"),
        ("um wie viel Uhr", ("what", "time"), "time"),
        ("mit wem", ("who", "with"), "time"),
    ],
    [0.27, 0.21, 0.16, 0.1, 0.05, 0.06, 0.05, 0.06, 0.04],
)
_KINDS = Urn(
    ["circumstance", "what", "which", "preposition", "dative"], [0.5, 0.25, 0.12, 0.1, 0.03]
)

# Question words, what is asked for, the clause, and what English leaves at the end.
Asked = tuple[list[Token], list[Token], Clause, list[Token]]


def yes_no(grammar: Grammar, chance: Chance) -> Sentence:
    """*Kommst du heute?*"""
    clause = grammar.clauses.any(chance, brief=True)
    _denn(chance, clause)
    return german_question(clause), english_question(clause), "?"


def _denn(chance: Chance, clause: Clause) -> None:
    if chance.random() < _DENN_RATE:
        clause.particle = ("denn", UNLINKED)


def with_word(grammar: Grammar, chance: Chance) -> Sentence:
    """*Wo wohnst du?*, *Wer hat das getan?*"""
    if chance.random() < 0.2:
        return who(grammar, chance)
    german, english, clause, after = asked(grammar, chance, TENSES)
    _denn(chance, clause)
    return [*german, *german_question(clause)], [*english, *english_question(clause), *after], "?"


def who(grammar: Grammar, chance: Chance) -> Sentence:
    """The subject is asked for: no *do* in English."""
    group = chance.link()
    subject = Phrase([("wer", group)], [("who", group)], HE, IT, is_known=False)
    frame = chance.pick(grammar.frames.personal)
    while frame.section == "experiencer" or frame.reflexive:
        frame = chance.pick(grammar.frames.personal)
    clause = grammar.clauses.draw(
        chance, frame, subject=subject, brief=True, negation=_NEGATION_RATE
    )
    return german_main(clause), english_main(chance, clause), "?"


def asked(grammar: Grammar, chance: Chance, tenses: Urn[str]) -> Asked:
    """A question word and the clause that it belongs to."""
    kind = chance.pick(_KINDS)
    if kind == "circumstance":
        return _circumstance(grammar, chance, tenses)
    if kind == "preposition":
        return _preposition(grammar, chance, tenses)
    if kind == "dative":
        frame = _frame(grammar, chance, lambda frame: bool(frame.dative and frame.accusative))
        clause = _draw(grammar, chance, frame, tenses, "dative")
        group = chance.link()
        word = "for" if "for" in frame.flags or "foronly" in frame.flags else "to"
        if "fromonly" in frame.flags:
            word = "from"
        return [("wem", group)], [("who", group)], clause, [(word, group)]
    frame = _frame(grammar, chance, lambda frame: bool(frame.accusative) and not frame.fixed)
    clause = _draw(grammar, chance, frame, tenses, "accusative")
    if kind == "which":
        noun = chance.pick(grammar.nouns.urn(frame.accusative))
        if not noun.mass and not noun.relative:
            plural = chance.random() < 0.3
            many = plural and chance.random() < 0.5
            phrase = grammar.nouns.phrase(
                chance,
                noun,
                ACCUSATIVE,
                -1,
                determiner=det.WIE_VIELE if many else det.WELCHER,
                plural=plural,
            )
            if many:
                phrase.german.insert(0, ("wie", phrase.german[0][1]))
            return phrase.german, phrase.english, clause, []
    group = chance.link()
    if "who" in frame.accusative:
        return [("wen", group)], [("who", group)], clause, []
    return [("was", group)], [("what", group)], clause, []


def _circumstance(grammar: Grammar, chance: Chance, tenses: Urn[str]) -> Asked:
    word, translation, omit = chance.pick(_CIRCUMSTANCES)
    if word == "wo":
        frame = _frame(grammar, chance, lambda frame: frame.needs == "loc" or "loc" in frame.flags)
        omit = "place"
    elif word in {"wie", "wie oft", "wie lange", "mit wem"}:
        frame = _frame(grammar, chance, lambda frame: "st" not in frame.flags)
    else:
        frame = chance.pick(grammar.frames.personal)
    clause = _draw(grammar, chance, frame, tenses, omit)
    if omit == "time":
        clause.time = clause.frequency = None
    group = chance.link()
    after: list[Token] = []
    if word == "mit wem":
        translation, after = ("who",), [("with", group)]
    german = [(piece, group) for piece in word.split()]
    return german, [(piece, group) for piece in translation], clause, after


def _preposition(grammar: Grammar, chance: Chance, tenses: Urn[str]) -> Asked:
    """*Worauf wartest du?* – *What are you waiting for?*"""
    frame = _frame(grammar, chance, lambda frame: frame.prepositional is not None)
    clause = _draw(grammar, chance, frame, tenses, "prepositional")
    governed = frame.prepositional
    assert governed is not None
    group = chance.link()
    after = [(word, group) for word in chance.pick(governed.english)]
    if "who" in governed.nouns:
        pronoun = "wem" if governed.case == DATIVE else "wen"
        return [(governed.german, group), (pronoun, group)], [("who", group)], clause, after
    link = "r" if governed.german[0] in "aeiouü" else ""
    return [(f"wo{link}{governed.german}", group)], [("what", group)], clause, after


def _draw(grammar: Grammar, chance: Chance, frame: Frame, tenses: Urn[str], omit: str) -> Clause:
    return grammar.clauses.draw(
        chance, frame, tenses=tenses, omit=omit, brief=True, negation=_NEGATION_RATE
    )


def _frame(grammar: Grammar, chance: Chance, wanted: Callable[[Frame], bool]) -> Frame:
    """A verb with a personal subject for which `wanted` holds."""
    while True:
        frame = chance.pick(grammar.frames.personal)
        if wanted(frame) and frame.section != "experiencer":
            return frame
