"""The core's learner, and the updates that one of several finds for a part of a mini-batch."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import SearchOptions
from tunesmith.decode.forced import ForcedOptions
from tunesmith.decode.phrase_model import native_phrase_model
from tunesmith.decode.table_links import TableLinks
from tunesmith.decode.training_text import training_text
from tunesmith.engine import Engine
from tunesmith.engine.memory import machine_memory
from tunesmith.features import LexicalModel
from tunesmith.learn.methods import METHODS, moves
from tunesmith.model import TranslationModel

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce

# Models of folds whose files are larger than a quarter of this machine's memory together, and than
# this, are in memory one at a time: what is given back must be mapped again, a sixth of the time.
FOLD_BYTES, MEMORY_SHARE = 1 << 30, 0.25

State: TypeAlias = tuple[list[float], list[float], list[float], float]
"""What a learner has to remember besides lexical features: dense weights, the same times steps, the
text so far, steps."""

Part: TypeAlias = tuple[Bitext, TableLinks, npt.NDArray[np.uint32]]
"""Pairs, their links, and of each the prefix to learn from."""


@dataclass(frozen=True)
class HowToLearn:
    """What the core's learner does, whatever it learns from."""

    options: "Maxforce"
    model: TranslationModel
    begin: Weights
    unit: float
    forced: ForcedOptions

    def learner(
        self,
        models: Sequence[TranslationModel],
        lexical: LexicalModel,
        pairs: Bitext,
        links: TableLinks,
        folds: list[int],
    ) -> _core.ViolationLearner:
        """A learner; its steps change the weights of `lexical`."""
        taught = self.model.taught(lexical)
        return _core.ViolationLearner(
            [_searched(model, lexical) for model in models],
            lexical.native,
            training_text(self.model, pairs, links),
            folds,
            taught.search_vector(taught.weight_vector(self.begin)).tolist(),
            self._native(taught.decoder_names, models),
        )

    def _native(
        self, names: Sequence[str], models: Sequence[TranslationModel]
    ) -> _core.LearnerOptions:
        options = self.options
        native = _core.LearnerOptions()
        name, rate = METHODS[options.method]
        native.method = _core.UpdateMethod[name]
        native.rate = self.unit * (options.rate or rate)
        native.list_size, native.sharpness = options.list_size, options.sharpness / self.unit
        # Of a list by itself: Liang et al.'s (2006) BLEU.
        native.background = options.background if options.method == "expected" else 0.0
        native.level_share = options.level_share
        files = (path for model in models for path in model.folder.iterdir())
        native.one_fold_in_memory = sum(path.stat().st_size for path in files) > _fold_limit()
        used = set(self.model.feature_names)
        native.dense_rates = [
            moves(options, name, is_dense=True) if name in used else 0.0 for name in names
        ]
        native.passive_aggressive = options.step == "passive-aggressive"
        native.max_violation = options.max_violation
        native.margin, native.sum = options.margin, options.combine == "sum"
        native.search = replace(
            SearchOptions.of_model(self.model),
            pop_limit=options.beam,
            stack_size=options.beam,
            time_limit=0.0,
        ).native()
        forced = self.forced.native()
        forced.dead_ends = options.dead_ends
        native.forced = forced
        return native


def _fold_limit() -> float:
    return max(FOLD_BYTES, MEMORY_SHARE * machine_memory())


def _searched(model: TranslationModel, lexical: LexicalModel) -> _core.PhraseModel:
    """A model of which nothing is in memory before it is searched with."""
    native = native_phrase_model(model, lexical)
    native.give_back()
    return native


@dataclass(frozen=True)
class UpdateWork:
    """All that a worker needs to find updates; it can travel."""

    how: HowToLearn
    model: TranslationModel
    """That of the batch's fold."""
    lexical: LexicalModel
    state: State
    engine: Engine


def find_updates(part: Part, work: UpdateWork) -> _core.LearnerUpdates:
    """The updates of some examples of a mini-batch, under the weights of the learner."""
    pairs, links, prefixes = part
    learner = work.how.learner([work.model], work.lexical, pairs, links, [0] * len(pairs))
    learner.restore(*work.state)
    return learner.updates(np.arange(len(pairs), dtype=np.uint32), work.engine.threads, prefixes)
