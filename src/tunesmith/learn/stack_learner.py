"""`StackLearner`: lexical features by the million, learned inside the core's phrase-based search.

Max-violation, early and standard updates compare partial derivations bin by bin, so they need the
stacks of the search themselves; `expected` and `local` need its lists alone (`ListLearner`), and
here they come without leaving the core, as lexical features do, which have no names.
"""

from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import SearchOptions
from tunesmith.decode.forced import ForcedOptions
from tunesmith.decode.phrase_model import native_phrase_model
from tunesmith.decode.table_links import TableLinks
from tunesmith.decode.training_text import training_text
from tunesmith.engine import as_engine
from tunesmith.features import LexicalModel
from tunesmith.learn.epochs import BatchReport
from tunesmith.learn.examples import Examples, reachable_pairs, usable_pairs
from tunesmith.learn.folds import fold_numbers
from tunesmith.learn.learner import Batch, Learned
from tunesmith.learn.methods import FREE, METHODS, moves
from tunesmith.model import TranslationModel
from tunesmith.model.folder import LEXICAL_FEATURE

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce


# Models of folds whose files are larger than this together are in memory one at a time. What the
# weights of ten million features take is about a quarter of it.
FOLD_BYTES = 1 << 30


class StackLearner:
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
        self.folds = fold_numbers(len(pairs), self.parts)
        self.forced = ForcedOptions(
            distortion_limit=SearchOptions.of_model(model).distortion_limit,
            max_words=options.max_words,
            max_nodes=options.max_nodes,
            min_prefix=options.min_prefix,
            leave_out="none" if folds else options.leave_out,
        )
        self.examples = self._examples()

    def start(self) -> Learned:
        """The model's weights, or 0, and lexical features as they were given."""
        return Learned(self.begin, self.lexical)

    def step(self, batch: Batch) -> BatchReport:
        """Search the batch side by side under the same weights, then add up its updates (§5)."""
        found = self._native.step(batch[:, 0].copy(), self.engine.threads, batch[:, 1:].ravel())
        return BatchReport(*found)

    def learned(self) -> Learned:
        """Lexical features as they are learned so far; dense weights too, if they are kept."""
        options, native = self.options, self._native
        lexical = LexicalModel(native.lexical(options.average), self.lexical.meta)
        if options.dense_weights == "tuned":
            return Learned(self.begin, lexical)
        values = native.dense_weights(options.average)
        dense = dict(zip(self.model.decoder_names, values, strict=False))
        own = {name: dense[name] for name in self.model.feature_names}
        return Learned(Weights({**self.begin, **own}), lexical)

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
        native = self._native
        return [
            native.dense_weights(False),
            list(native.lagged),
            list(native.text),
            native.steps,
        ]

    def restore(self, path: Path, state: list[Any]) -> None:
        """Go on with these."""
        self.lexical = LexicalModel.load(path)
        self.__dict__.pop("_native", None)
        self._native.restore(*state)

    def _examples(self) -> Examples:
        options = self.options
        if options.method == "expected":
            return usable_pairs(self.pairs, options.max_words)
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
        taught = self.model.taught(self.lexical)
        return _core.ViolationLearner(
            [self._searched(model) for model in self.models],
            self.lexical.native,
            training_text(self.model, self.pairs, self.links),
            self.folds.tolist(),
            taught.search_vector(taught.weight_vector(self.begin)).tolist(),
            self._native_options(taught.decoder_names),
        )

    def _searched(self, model: TranslationModel) -> _core.PhraseModel:
        """A model of which nothing is in memory before it is searched with."""
        native = native_phrase_model(model, self.lexical)
        native.give_back()
        return native

    def _native_options(self, names: Sequence[str]) -> _core.LearnerOptions:
        options = self.options
        native = _core.LearnerOptions()
        name, rate = METHODS[options.method]
        native.method = _core.UpdateMethod[name]
        native.rate = self.unit * (options.rate or rate)
        native.list_size, native.sharpness = options.list_size, options.sharpness / self.unit
        native.background = options.background
        files = (path for model in self.models for path in model.folder.iterdir())
        native.one_fold_in_memory = sum(path.stat().st_size for path in files) > FOLD_BYTES
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
