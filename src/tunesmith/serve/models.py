"""`ServedModel`: a model that is open, with sessions that are warm and sentences it remembers."""

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Generic, TypeVar

from tunesmith.adapt import AdaptedModel
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.languages import UNDETERMINED, language_code
from tunesmith.base.log import log
from tunesmith.base.weights import Weights
from tunesmith.corpus.splitting import SentenceSplitter
from tunesmith.decode import ModelDecoder, Session, open_decoder
from tunesmith.decode.terms import Terms
from tunesmith.decode.translate import Translator
from tunesmith.grammar import HieroIndex
from tunesmith.model import TranslationModel
from tunesmith.serve.answers import Json
from tunesmith.serve.asking import Question
from tunesmith.serve.failures import Failure, bad_request
from tunesmith.serve.limits import ServerLimits

Value = TypeVar("Value")
# A name is a part of addresses and of file names.
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
# Two languages in a name, as in ``de-en`` or ``news.de-en``.
_PAIR = re.compile(r"(?:^|.*[._-])([a-z]{2,3})-([a-z]{2,3})$")


# A sentence with units of several kinds: patterns are made when they are first looked for.
FIRST = "See <b>1.5</b> at https://example.org."


class Remembered(Generic[Value]):
    """The values that were used last, for several threads; `most` is what they may cost."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self._cost = 0
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Value | None:
        """What was kept under a key, if it still is."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: Value, cost: int = 1) -> None:
        """Keep a value, and drop what was not used for the longest time."""
        with self._lock:
            if key in self._values:
                self._cost -= self._values.pop(key)[1]
            self._values[key] = value, cost
            self._cost += cost
            while self._cost > self.most and self._values:
                _, (_, freed) = self._values.popitem(last=False)
                self._cost -= freed


@dataclass(frozen=True)
class State:
    """A decoder with its weights; another `version` after every adaptation."""

    version: int
    decoder: ModelDecoder
    weights: Weights


@dataclass(frozen=True)
class Ready:
    """A session under some weights."""

    weights: Weights
    session: Session


class ServedModel:
    """A model by its name.

    Parameters
    ----------
    name
        Letters, digits, ``.``, ``_`` and ``-``. Two languages at its end (``de-en``) are taken for
        those of the model; otherwise they are those that the model states.
    folder
        The model directory: all of its files are opened, or refused by name.
    """

    def __init__(self, name: str, folder: str | Path, limits: ServerLimits) -> None:
        if not _NAME.fullmatch(name):
            raise OptionError(f"model name '{name}', expected letters, digits, '.', '_' and '-'")
        self.name, self.limits = name, limits
        self.model = TranslationModel.load(folder)
        for path in self.model.files():
            if not path.is_file():
                raise InputError(path, 0, "no such file", "a whole model directory")
        self.source, self.target = _languages(name, self.model)
        self.adapted: AdaptedModel | None = None
        """With what it has learned from corrections, if it may."""
        self._begin(State(0, self.limited(open_decoder(self.model)), self.model.weights))
        self.splitter.spans("A. B.")

    def _begin(self, state: State) -> None:
        """Translate with another decoder, and remember nothing of the one before."""
        self._state, limits = state, self.limits
        self._sessions: Remembered[Ready] = Remembered(limits.sessions)
        self._translators: Remembered[Translator] = Remembered(2 * limits.sessions)
        self.answers: Remembered[Json] = Remembered(limits.remembered)
        # The first client does not wait for what is opened when it is first used.
        self.translator(state, Question()).translate([FIRST])

    def limited(self, decoder: ModelDecoder) -> ModelDecoder:
        """The decoder on one thread (requests have the others), with the server's limits."""
        mine = decoder.on(1)
        own = decoder.search.time_limit or self.limits.sentence_seconds
        time_limit = min(own, self.limits.sentence_seconds)
        mine.search = replace(decoder.search, time_limit=time_limit)
        mine.most_words = min(decoder.most_words, self.limits.max_words)
        return mine

    def adapt(self, folder: str | Path) -> None:
        """Learn from corrections from now on, in a layer that is opened or made in `folder`."""
        self.adapted = AdaptedModel(self._state.decoder, folder)
        # An empty layer has the version of the model without one, but features of its own.
        self._begin(self._learned(self.adapted))

    def renew(self) -> None:
        """Translate with what was learned meanwhile."""
        if self.adapted is not None:
            self._state = self._learned(self.adapted)

    def _learned(self, adapted: AdaptedModel) -> State:
        return State(adapted.version, self.limited(adapted.decoder), adapted.weights)

    @property
    def may_learn(self) -> bool:
        """Whether corrections can be learned; not by a grammar that is a file."""
        return self.kind == "phrase" or isinstance(self.model.grammar, HieroIndex)

    @property
    def state(self) -> State:
        """What translates now."""
        return self._state

    @property
    def kind(self) -> str:
        """Of phrases, or hierarchical."""
        return self.model.kind

    @cached_property
    def splitter(self) -> SentenceSplitter:
        """Finds sentences in the source language."""
        return SentenceSplitter(self.source)

    def ready(self, state: State, changes: Sequence[tuple[str, float]]) -> Ready:
        """A session with these weights instead of the model's."""
        key = (state.version, tuple(changes))
        found = self._sessions.get(key)
        if found is None:
            for name, _ in changes:
                if not state.decoder.model.is_feature(name):
                    raise bad_request(f"weight of '{name}', which is no feature of {self.name}")
            weights = Weights({**state.weights, **dict(changes)}) if changes else state.weights
            found = Ready(weights, state.decoder.session(weights))
            self._sessions.put(key, found)
        return found

    def translator(self, state: State, question: Question) -> Translator:
        """What translates the sentences of a question; several threads may use it."""
        key = (state.version, question.key)
        found = self._translators.get(key)
        if found is None:
            ready = self.ready(state, question.weights)
            found = Translator(
                state.decoder,
                weights=ready.weights,
                session=ready.session,
                size=question.size,
                markup=question.markup,
                protect=question.html,
                terms=Terms(question.terms, forbid=question.forbid),
            )
            self._translators.put(key, found)
        return found

    def remembered(
        self, state: State, question: Question, sentence: str, translate: Callable[[], Json]
    ) -> Json:
        """What was answered before, or is now."""
        key = (state.version, question.key, sentence)
        found = self.answers.get(key)
        if found is None:
            found = translate()
            self.answers.put(key, found, question.size)
        return found


class ServedModels:
    """All models of a server, by name; the first is meant where no name is given."""

    def __init__(self, models: Sequence[ServedModel]) -> None:
        self.by_name: dict[str, ServedModel] = {}
        for model in models:
            if model.name in self.by_name:
                raise OptionError(f"two models with the name '{model.name}', expected NAME=FOLDER")
            self.by_name[model.name] = model
        if not models:
            raise OptionError("no model, expected at least one")

    def __iter__(self) -> Iterator[ServedModel]:
        return iter(self.by_name.values())

    def named(self, name: str | None) -> ServedModel:
        """The model of a name."""
        if name is None:
            return next(iter(self.by_name.values()))
        if name not in self.by_name:
            raise Failure(404, f"model '{name}', expected one of: {', '.join(self.by_name)}")
        return self.by_name[name]

    def between(self, source: str, target: str) -> ServedModel:
        """The first model from one language to another; undetermined languages are any."""
        fitting = [one for one in self if _fits(one.source, source) and _fits(one.target, target)]
        if not fitting:
            pairs = ", ".join(sorted({f"{one.source}-{one.target}" for one in self}))
            raise bad_request(f"no model from {source} to {target}, expected one of: {pairs}")
        return min(fitting, key=lambda one: (one.source != source) + (one.target != target))

    def into(self, target: str) -> list[ServedModel]:
        """The models into a language; those into an undetermined one if there are no others."""
        fitting = [one for one in self if _fits(one.target, target)]
        if not fitting:
            raise bad_request(f"no model into '{target}'")
        return [one for one in fitting if one.target == target] or fitting


def _fits(own: str, wanted: str) -> bool:
    return own in (wanted, UNDETERMINED)


def _languages(name: str, model: TranslationModel) -> tuple[str, str]:
    """The languages of a model: as its name says, or as it states itself."""
    if pair := _PAIR.fullmatch(name):
        try:
            return language_code(pair[1]), language_code(pair[2])
        except OptionError:
            pass  # two words that are no languages
    source, target = (code or UNDETERMINED for code in model.languages)
    if UNDETERMINED in (source, target):
        log.warning(
            "the languages of %s are undetermined (%s-%s): it answers requests for any; name them "
            "as in de-en=%s, or with `tunesmith model set-language`",
            name, source, target, model.folder,
        )  # fmt: skip
    return source, target
