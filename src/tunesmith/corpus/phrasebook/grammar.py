"""The parts of the grammar together, and the main clause that most sentences are made of."""

from tunesmith.corpus.phrasebook.adverbials import Adverbials
from tunesmith.corpus.phrasebook.clause import Clause
from tunesmith.corpus.phrasebook.clauses import Clauses
from tunesmith.corpus.phrasebook.frames import Frames
from tunesmith.corpus.phrasebook.german_nouns import NOMINATIVE
from tunesmith.corpus.phrasebook.noun_phrases import NounPhrases
from tunesmith.corpus.phrasebook.order import english_main, german_main
from tunesmith.corpus.phrasebook.participants import Participants, pronoun
from tunesmith.corpus.phrasebook.phrases import COMMA, Chance, Phrase, Token
from tunesmith.corpus.phrasebook.pronouns import IT, PERSONS, SHE
from tunesmith.corpus.phrasebook.urn import Urn

# German, English, final mark.
Sentence = tuple[list[Token], list[Token], str]

_TIME_FIRST_RATE = 0.45
_ADVERB_FIRST_RATE = 0.07
_OBJECT_FIRST_RATE = 0.03
_DATIVE_FIRST_RATE = 0.4
_ECHO_RATE = 0.5


class Grammar:
    """What the kinds of sentences draw on."""

    def __init__(self) -> None:
        self.nouns = NounPhrases()
        self.participants = Participants(self.nouns)
        self.adverbials = Adverbials(self.participants)
        self.frames = Frames(self.nouns)
        self.clauses = Clauses(self.participants, self.adverbials, self.frames)

    def main(self, chance: Chance, clause: Clause) -> tuple[list[Token], list[Token]]:
        """A main clause; in German anything may stand before the verb."""
        random = chance.random
        if clause.time is not None and random() < _TIME_FIRST_RATE:
            return (
                german_main(clause, clause.time),
                english_main(chance, clause, front=random() < 0.6),
            )
        if random() < _ADVERB_FIRST_RATE:
            adverb = self.adverbials.fixed(chance, "sentence")
            english = list(adverb.english)
            if len(english) > 1 or random() < 0.6:
                english.append(COMMA)
            return german_main(clause, adverb), english + english_main(chance, clause)
        moved = self._moved(chance, clause)
        return german_main(clause, moved), english_main(chance, clause)

    @staticmethod
    def _moved(chance: Chance, clause: Clause) -> Phrase | None:
        """Perhaps an object to stand first: *Mir gefällt das Buch*, *Den Mann kenne ich nicht*."""
        if clause.english_subject is not clause.subject:
            if chance.random() < _DATIVE_FIRST_RATE and clause.dative is not None:
                clause.german_pronouns, clause.german_objects = [], []
                return clause.dative
            return None
        accusative = clause.accusative
        if (
            accusative is None
            or clause.dative is not None
            or accusative.is_pronoun
            or accusative.is_indefinite
            or not clause.subject.is_pronoun
            or chance.random() > _OBJECT_FIRST_RATE * 4
        ):
            return None
        # What else is among the objects (gern) stays.
        clause.german_objects = clause.german_objects[: -len(accusative.german)]
        return accusative

    def echo(
        self, chance: Chance, first: Clause, tenses: Urn[str], *, rate: float = _ECHO_RATE
    ) -> Clause:
        """A second clause, often with a pronoun for the first one's subject."""
        subject = first.subject
        if (
            subject.is_known
            and subject.english_person != IT
            and first.english_subject is subject
            and chance.random() < rate
        ):
            frame = chance.pick(self.frames.personal)
            if frame.section != "experiencer":
                again = same_again(chance, subject)
                return self.clauses.draw(chance, frame, subject=again, tenses=tenses, brief=True)
        return self.clauses.any(chance, tenses, brief=True)


def same_again(chance: Chance, subject: Phrase) -> Phrase:
    """A pronoun for somebody already named."""
    # Of das Mädchen one goes on with sie.
    person = SHE if subject.english_person == SHE else subject.person
    again = pronoun(chance, person, NOMINATIVE)
    again.english = [(PERSONS[subject.english_person].english[0], again.german[0][1])]
    again.english_person = subject.english_person
    return again
