"""`Translating`: from a question to its answer, by the workers."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from tunesmith.base.errors import InputError, TunesmithError
from tunesmith.decode.reading import SentenceTooLong
from tunesmith.serve.answers import Json, sentence_answer
from tunesmith.serve.asking import Question
from tunesmith.serve.failures import Failure, too_large, unprocessable
from tunesmith.serve.limits import ServerLimits
from tunesmith.serve.meters import Meters
from tunesmith.serve.models import ServedModel, State
from tunesmith.serve.passages import Passage, check_counts, cut
from tunesmith.serve.workers import Workers

# A text of more characters is cut into sentences by a worker: it would keep others waiting.
SHORT = 500


class Translating:
    """Answers questions with the threads of `workers`, within the limits."""

    def __init__(self, workers: Workers, limits: ServerLimits, meters: Meters) -> None:
        self.workers, self.limits, self.meters = workers, limits, meters

    async def answer(self, question: Question, model: ServedModel) -> "Answer":
        """The translation of all that is asked, with all that is wanted to be known of it."""
        [answer] = await self.answers([question], model)
        return answer

    async def answers(self, questions: Sequence[Question], model: ServedModel) -> "list[Answer]":
        """The same of several questions in one request, which count as one for the limits."""
        begin = time.perf_counter()
        state = model.state
        with self.workers.admission():
            try:
                async with asyncio.timeout(self.limits.seconds):
                    passages = await self._passages(questions, model)
                    parts = [
                        part
                        for question, passage in zip(questions, passages, strict=True)
                        for part in _Work(question, model, state, self.meters).parts(passage)
                    ]
                    done = iter(await self.workers.run(parts))
            except TimeoutError:
                raise Failure(
                    503,
                    f"the answer took more than {self.limits.seconds:g} s; send less text",
                    {"Retry-After": "1"},
                ) from None
        seconds = time.perf_counter() - begin
        return [
            Answer(
                model.name, state.version, passage, [next(done) for _ in passage.sentences], seconds
            )
            for passage in passages
        ]

    async def _passages(self, questions: Sequence[Question], model: ServedModel) -> list[Passage]:
        find = [partial(cut, question, model.splitter, self.limits) for question in questions]
        size = sum(len(one.text or "") + len(one.sentences) for one in questions)
        passages = [one() for one in find] if size <= SHORT else await self.workers.run(find)
        check_counts(passages, questions, self.limits)
        return passages


@dataclass(frozen=True)
class Answer:
    """What became of a question."""

    model: str
    version: int
    passage: Passage
    sentences: list[Json]
    seconds: float

    @property
    def translation(self) -> str:
        """The text as a whole."""
        return self.passage.together([one["translation"] for one in self.sentences])

    def alternative(self, rank: int) -> str:
        """The text with the translations of a rank, or the best where there are fewer."""
        return self.passage.together(
            [
                one["alternatives"][rank]["text"]
                if rank < len(one["alternatives"])
                else one["translation"]
                for one in self.sentences
            ]
        )

    def json(self) -> Json:
        """All of it."""
        return {
            "model": self.model,
            "version": self.version,
            "translation": self.translation,
            "milliseconds": round(self.seconds * 1000, 1),
            "sentences": self.sentences,
        }


class _Work:
    """What the parts of a question share; used by several threads."""

    def __init__(
        self, question: Question, model: ServedModel, state: State, meters: Meters
    ) -> None:
        self.question, self.model, self.state, self.meters = question, model, state, meters

    def parts(self, passage: Passage) -> list[Callable[[], Json]]:
        """What there is to do: a part for each sentence."""
        return [partial(self.sentence, n, text) for n, text in enumerate(passage.sentences, 1)]

    def sentence(self, number: int, text: str) -> Json:
        """The answer to a sentence, its number from 1."""
        translate = partial(self._translate, number, text)
        return self.model.remembered(self.state, self.question, text, translate)

    def _translate(self, number: int, text: str) -> Json:
        begin = time.perf_counter()
        try:
            translator = self.model.translator(self.state, self.question)
            [block] = translator.stream([text], "sentence", number - 1)
            answer = sentence_answer(
                text,
                block,
                alternatives=self.question.size > 1,
                explain=self.question.explain,
            )
        except SentenceTooLong as error:
            raise too_large(f"sentence {number}: {_said(error)}") from error
        except InputError as error:
            raise unprocessable(f"sentence {number}: {_said(error)}") from error
        except TunesmithError as error:
            raise unprocessable(str(error)) from error
        self.meters.sentence(self.model.name, len(answer["tokens"]), time.perf_counter() - begin)
        return answer


def _said(error: InputError) -> str:
    """An error without its file and line, which no client has."""
    return ", expected ".join(filter(None, (error.found, error.expected)))
