"""`StackLearner`: lexical features by the million, learned inside the core's phrase-based search.

Max-violation, early and standard updates compare partial derivations bin by bin, so they need the
stacks of the search themselves; `expected` and `local` need its lists alone (`ListLearner`), and
here they come without leaving the core, as lexical features do, which have no names.
"""

from collections.abc import Sequence
from dataclasses import asdict
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import SearchOptions
from tunesmith.decode.forced import ForcedOptions
from tunesmith.decode.phrase_model import INSIDE_SEARCH
from tunesmith.decode.table_links import TableLinks, as_list
from tunesmith.engine import Engine, as_engine
from tunesmith.engine.shards import ranges
from tunesmith.features import LexicalModel
from tunesmith.learn.epochs import BatchReport
from tunesmith.learn.examples import Examples, reachable_pairs, tell_usable, usable_pairs
from tunesmith.learn.flat_weights import FlatWeights
from tunesmith.learn.folds import fold_numbers
from tunesmith.learn.learner import Batch, BatchLearner, Learned
from tunesmith.learn.methods import FREE, WHOLE_PAIRS
from tunesmith.learn.ranking import Pass
from tunesmith.learn.shard_pass import PairShard, PassWork, stack_pass
from tunesmith.learn.updates import HowToLearn, State, UpdateWork, find_updates
from tunesmith.model import TranslationModel
from tunesmith.model.files import LEXICAL_FEATURE
from tunesmith.model.kinds import check_phrase_model

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce


class StackLearner(BatchLearner):
    """Weights of the lexical features of a phrase model, and of its dense features beside them.

    `folds` are models that have not seen a part of the pairs; without them the model itself is
    searched, and `links` tell which of its rules are a pair's own.
    """

    def __init__(
        self,
        options: "Maxforce",
        model: TranslationModel,
        lexical: LexicalModel,
        pairs: Bitext,
        links: TableLinks,
        folds: Sequence[TranslationModel],
    ) -> None:
        check_phrase_model(model, INSIDE_SEARCH)
        self.options, self.model, self.lexical = options, model, lexical.copy()
        self.pairs, self.links = pairs, links
        self.engine = as_engine(options.engine)
        if options.dense_weights == "from-zero" and model.sparse_names:
            raise OptionError("dense weights from 0: sparse features would keep their tuned ones")
        tuned = Weights() if options.dense_weights == "from-zero" else model.weights
        self.begin = Weights({**tuned, LEXICAL_FEATURE: 1.0})
        # Steps and sharpness mean the same whatever the tuned weights sum up to.
        dense = [tuned.get(name, 0.0) for name in model.decoder_names if name != LEXICAL_FEATURE]
        self.unit = float(np.abs(dense).sum()) or 1.0
        self.models = list(folds) or [model]
        self.parts = len(self.models)
        self.folds = fold_numbers(pairs, self.parts)
        self.forced = ForcedOptions(
            distortion_limit=SearchOptions.of_model(model).distortion_limit,
            max_words=options.max_words,
            max_nodes=options.max_nodes,
            min_prefix=options.min_prefix,
            leave_out="none" if folds else options.leave_out,
        )
        self.how = HowToLearn(options, model, self.begin, self.unit, self.forced)
        self.examples = self._examples()

    def start(self) -> Learned:
        """The model's weights, or 0, and lexical features as they were given."""
        return Learned(self.begin, self.lexical)

    def step(self, batch: Batch) -> BatchReport:
        """Search the batch side by side under the same weights, then add up its updates (§5)."""
        native, threads = self._native, self.engine.threads
        if self.engine.workers == 1:
            return BatchReport(*native.step(batch[:, 0].copy(), threads, batch[:, 1:].ravel()))
        return BatchReport(*native.add(self._elsewhere(batch), threads))

    def learned(self) -> Learned:
        """Lexical features as they are learned so far; dense weights too, if they are kept."""
        options, native = self.options, self._native
        lexical = LexicalModel(native.lexical(options.average), self.lexical.meta)
        return self._learned(lexical, native.dense_weights(options.average))

    def _learned(self, lexical: LexicalModel, values: list[float]) -> Learned:
        if self.options.dense_weights == "tuned":
            return Learned(self.begin, lexical)
        dense = dict(zip(self.model.decoder_names, values, strict=False))
        own = {name: dense[name] for name in self.model.feature_names}
        return Learned(Weights({**self.begin, **own}), lexical)

    def shard(self, pairs: npt.NDArray[np.int64]) -> PairShard:
        """These pairs with their links and the model of their fold."""
        links = [one.select(pairs) for one in as_list(self.links)] or None
        return PairShard(self.pairs.select(pairs), links, self.models[self.folds[pairs[0]]])

    def shard_pass(self, engine: Engine) -> Pass:
        """A pass of the core's learner."""
        return partial(stack_pass, work=PassWork(self.how, self.empty_lexical(), engine))

    def flat(self) -> FlatWeights:
        """The weights as they are, as arrays."""
        keys, values = self.lexical.entries()
        return FlatWeights(np.array(self._native.dense_weights(False)), keys, values)

    def empty_lexical(self) -> LexicalModel:
        """Its lexical features without weights."""
        return LexicalModel(self.lexical.native.emptied(), self.lexical.meta)

    def learned_from(self, weights: FlatWeights) -> Learned:
        """Weights that were learned elsewhere, by learners like this one."""
        lexical = self.empty_lexical()
        lexical.native.add(weights.keys, weights.values)
        return self._learned(lexical, weights.dense.tolist())

    def identity(self) -> dict[str, Any]:
        """All that decides the result, for a run that goes on."""
        return {
            "options": {k: v for k, v in asdict(self.options).items() if k not in FREE},
            "lexical": self.lexical.meta,
            "weights": dict(self.model.weights),
            "pairs": [len(self.pairs), len(self.examples)],
        }

    def save(self, path: Path) -> list[Any]:
        """Lexical features go to the file; dense weights are few."""
        self.lexical.save(path, resumable=True)
        return list(self._state())

    def restore(self, path: Path, state: list[Any]) -> None:
        """Go on with these."""
        self.lexical = LexicalModel.load(path)
        self.__dict__.pop("_native", None)
        self._native.restore(*state)

    def _examples(self) -> Examples:
        options = self.options
        if options.method in WHOLE_PAIRS:
            examples = usable_pairs(self.pairs, options.max_words)
            tell_usable(examples, self.pairs)
            return examples
        return reachable_pairs(
            self.pairs,
            self.links,
            self.models,
            self.folds,
            self.forced,
            all_prefixes=options.prefixes == "all",
            engine=self.engine,
        )

    @cached_property
    def _native(self) -> _core.ViolationLearner:
        """The core's learner; it changes the weights of `lexical`."""
        return self.how.learner(
            self.models, self.lexical, self.pairs, self.links, self.folds.tolist()
        )

    def _elsewhere(self, batch: Batch) -> list[_core.LearnerUpdates]:
        """The updates of a batch, part by part, by learners that have the same weights."""
        parts = ranges(len(batch), self.engine.workers)
        work = UpdateWork(
            self.how,
            self.models[self.folds[batch[0, 0]]],
            self.lexical,
            self._state(),
            self.engine.share(len(parts)),
        )
        shards = []
        for begin, end in parts:
            rows = batch[begin:end]
            links = (
                None
                if self.links is None
                else [one.select(rows[:, 0]) for one in as_list(self.links)]
            )
            shards.append((self.pairs.select(rows[:, 0]), links, rows[:, 1:].ravel()))
        return self.engine.map(partial(find_updates, work=work), shards)

    def _state(self) -> State:
        native = self._native
        return (native.dense_weights(False), list(native.lagged), list(native.text), native.steps)
