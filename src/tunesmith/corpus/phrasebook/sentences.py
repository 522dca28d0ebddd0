"""Sentences: the top of the grammar. Every method returns German, English and the final mark."""

from collections.abc import Callable

from tunesmith.corpus.phrasebook.adverbials import Adverbials
from tunesmith.corpus.phrasebook.clauses import PAST_TENSES, PRESENT_TENSES, TENSES, Clause, Clauses
from tunesmith.corpus.phrasebook.frames import Frames
from tunesmith.corpus.phrasebook.german_nouns import NOMINATIVE, PLURAL, RELATIVE
from tunesmith.corpus.phrasebook.lexicon import Noun
from tunesmith.corpus.phrasebook.noun_phrases import NounPhrases, pronoun
from tunesmith.corpus.phrasebook.order import (
    english_main,
    english_question,
    german_final,
    german_main,
    german_middle,
    german_question,
)
from tunesmith.corpus.phrasebook.phrases import UNLINKED, Chance, Phrase, Token
from tunesmith.corpus.phrasebook.pronouns import PERSONS
from tunesmith.corpus.phrasebook.tables import rows
from tunesmith.corpus.phrasebook.urn import Urn

Sentence = tuple[list[Token], list[Token], str]
COMMA: Token = (",", UNLINKED)

_RELATIVE_RATE = 0.07


class Connective:
    """A subordinating conjunction with its translations."""

    __slots__ = ("english", "german", "kind")

    def __init__(self, german: str, english: Urn[tuple[str, ...]], kind: str) -> None:
        self.german, self.english, self.kind = german, english, kind


def _connectives() -> Urn[Connective]:
    entries, weights = [], []
    for line in rows("connectives.txt"):
        german, english, kind, weight = (part.strip() for part in line.split(";"))
        if float(weight):
            choices = [tuple(choice.split()) for choice in english.split(" / ")]
            entries.append(Connective(german, Urn(choices), kind))
            weights.append(float(weight))
    return Urn(entries, weights)


class Sentences:
    """Draws whole sentences."""

    def __init__(self) -> None:
        self.nouns = NounPhrases()
        self.adverbials = Adverbials(self.nouns)
        self.frames = Frames(self.nouns)
        self.clauses = Clauses(self.nouns, self.adverbials, self.frames)
        self.connectives = _connectives()
        kinds: list[tuple[float, Callable[[Chance], Sentence]]] = [
            (46, self.statement),
            (14, self.subordinate),
            (7, self.that_clause),
            (9, self.question),
        ]
        self.kinds = Urn([kind for _, kind in kinds], [weight for weight, _ in kinds])

    def draw(self, chance: Chance) -> Sentence:
        """A sentence of any kind."""
        return chance.pick(self.kinds)(chance)

    # Main clauses

    def clause(self, chance: Chance, tenses: Urn[str] = TENSES, *, brief: bool = False) -> Clause:
        """A clause of any verb, perhaps with a relative clause after its subject."""
        frame = chance.pick(self.frames.all)
        if frame.section == "experiencer":
            return self.clauses.draw(chance, frame, tenses=tenses)
        subject, noun = self.clauses.subject_of(chance, frame)
        if noun is not None and not brief and chance.random() < _RELATIVE_RATE:
            self.relative(chance, subject, noun)
        return self.clauses.draw(chance, frame, subject=subject, tenses=tenses, brief=brief)

    def main(self, chance: Chance, clause: Clause) -> tuple[list[Token], list[Token]]:
        """A main clause with something or nothing before the verb."""
        random = chance.random
        if clause.time is not None and random() < 0.45:
            return (
                german_main(clause, clause.time),
                english_main(chance, clause, front=random() < 0.6),
            )
        if random() < 0.07:
            adverb = self.adverbials.fixed(chance, "sentence")
            english = [*adverb.english]
            if len(english) > 1 or random() < 0.6:
                english.append(COMMA)
            return german_main(clause, adverb), english + english_main(chance, clause)
        return german_main(clause), english_main(chance, clause)

    def statement(self, chance: Chance) -> Sentence:
        """A main clause."""
        german, english = self.main(chance, self.clause(chance))
        return german, english, "."

    def question(self, chance: Chance) -> Sentence:
        """A yes–no question."""
        clause = self.clause(chance, brief=True)
        return german_question(clause), english_question(clause), "?"

    # Subordinate clauses

    def relative(self, chance: Chance, phrase: Phrase, noun: Noun) -> None:
        """Add a relative clause to a noun phrase."""
        gender = PLURAL if phrase.person == 7 else noun.gender
        human = noun.section in {"person", "worker"}
        group = chance.link()
        as_object = self.frames.with_object(noun)
        if as_object is not None and chance.random() < 0.5:
            link = Phrase([(RELATIVE[1][gender], group)], [("that", group)])
            clause = self.clauses.draw(
                chance, chance.pick(as_object), accusative=link, brief=True, negation=0.05
            )
            german = link.german + german_final(clause)
            english = english_main(chance, clause)
            if chance.random() < 0.5:
                english = link.english + english
        else:
            frames = self.frames.with_subject(noun)
            if frames is None:
                return
            pronoun_ = "who" if human else "that" if chance.random() < 0.6 else "which"
            link = Phrase(
                [(RELATIVE[NOMINATIVE][gender], group)],
                [(pronoun_, group)],
                phrase.person,
                phrase.english_person,
            )
            clause = self.clauses.draw(
                chance, chance.pick(frames), subject=link, brief=True, negation=0.05
            )
            german, english = german_final(clause), english_main(chance, clause)
        phrase.german = [*phrase.german, COMMA, *german, COMMA]
        phrase.english = phrase.english + english

    def subordinate(self, chance: Chance) -> Sentence:
        """Main and subordinate clause, either first."""
        connective = chance.pick(self.connectives)
        if connective.kind == "past":
            tenses = inner = PAST_TENSES
        elif connective.kind == "present":
            tenses = inner = PRESENT_TENSES
        elif connective.kind == "after":
            tenses, inner = PAST_TENSES, Urn(["pluperfect"])
        elif connective.kind == "purpose":
            tenses, inner = PRESENT_TENSES, Urn(["modal"])
        else:
            tenses = inner = PAST_TENSES if chance.random() < 0.45 else PRESENT_TENSES
        first = self.clause(chance, tenses, brief=True)
        second = self._echo(chance, first, inner)
        group = chance.link()
        conjunction = (connective.german, group)
        words = [(word, group) for word in chance.pick(connective.english)]
        german = [conjunction, *german_final(second)]
        english = words + english_main(chance, second)
        if chance.random() < 0.3:
            verbs = first.verbs
            main = [verbs.finite, *first.subject.german, *german_middle(first), *verbs.tail]
            return [*german, COMMA, *main], [*english, COMMA, *english_main(chance, first)], "."
        return (
            [*german_main(first), COMMA, *german],
            [*english_main(chance, first), *english],
            ".",
        )

    def _echo(self, chance: Chance, first: Clause, tenses: Urn[str]) -> Clause:
        """A second clause, often with a pronoun for the first one's subject."""
        subject = first.subject
        if chance.random() < 0.5 and PERSONS[subject.person] and first.english_subject is subject:
            frame = chance.pick(self.frames.personal)
            if frame.section != "experiencer" and subject.english_person != 4:
                again = pronoun(chance, subject.person, NOMINATIVE)
                again.english = [(PERSONS[subject.english_person].english[0], again.german[0][1])]
                again.english_person = subject.english_person
                return self.clauses.draw(chance, frame, subject=again, tenses=tenses, brief=True)
        return self.clause(chance, tenses, brief=True)

    def that_clause(self, chance: Chance) -> Sentence:
        """*Ich glaube, dass …*"""
        frame = chance.pick(self.frames.governing["that"])
        tenses = PAST_TENSES if chance.random() < 0.4 else PRESENT_TENSES
        tense = "preterite" if tenses is PAST_TENSES else "present"
        outer = self.clauses.draw(chance, frame, tense=tense, brief=True, negation=0.08)
        inner = self.clause(chance, tenses, brief=True)
        group = chance.link()
        german = [*german_main(outer), COMMA, ("dass", group), *german_final(inner)]
        english = english_main(chance, outer)
        if chance.random() < 0.7:
            english.append(("that", group))
        return german, english + english_main(chance, inner), "."
