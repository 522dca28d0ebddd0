"""A run of `Maxforce`: its passes over the training set, epoch by epoch, until one is the best."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from time import monotonic
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.progress import progress
from tunesmith.base.seeds import generator
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
from tunesmith.decode.phrase_model import native_phrase_model
from tunesmith.decode.table_links import TableLinks, as_list
from tunesmith.decode.training_text import training_text
from tunesmith.engine import as_engine
from tunesmith.features import LexicalModel
from tunesmith.learn.checkpoint import Checkpoint
from tunesmith.learn.folds import fold_numbers
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.model.folder import LEXICAL_FEATURE

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce

#: Name of an update → the core's, and the rate that suits it.
METHODS = {
    "expected": ("EXPECTED", 0.5),
    "max-violation": ("MAX_VIOLATION", 0.0005),
    "early": ("EARLY", 0.0005),
    "standard": ("STANDARD", 0.0005),
    "local": ("LOCAL", 0.0005),
}
# What decides how many words and phrases there are. References are made of shorter phrases than the
# translations that BLEU likes best: while learning, these weights take that up, so that lexical
# features need not.
PENALTIES = ("word_penalty", "phrase_penalty")
# The core's outcomes of a pair.
_UNREACHABLE, _SOLVED, _UPDATED, _INVALID, _TOO_FAR = range(5)

#: Judges a lexical model and the weights beside it on the dev set: BLEU, and the weights with which
#: it was reached.
DevJudge = Callable[[LexicalModel, Weights], tuple[float, Weights]]


@dataclass(frozen=True)
class Epoch:
    """One pass over the training set."""

    number: int
    dev_score: float
    """BLEU of the dev set, with the averaged weights if they are averaged."""
    pairs: int
    """Examples: with all prefixes, more than there are pairs."""
    reached: float
    """Share of the pairs whose reference was the beam's best translation."""
    updates: int
    too_far: int
    """Pairs left alone because of `max_violation`."""
    invalid: float
    """Share of updates (and of pairs without one) at which the good derivation was the better."""
    violation: float
    """Mean of the updates' violations; for ``expected`` of what expected BLEU lacks to the best."""
    features: int
    seconds: float
    bins: list[int]
    """Updates by their place in the sentence, in tenths of its length."""


@dataclass(frozen=True)
class MaxforceResult:
    """The lexical model and dense weights of the best epoch, and how it went."""

    lexical: LexicalModel
    weights: Weights
    dev_score: float
    start_score: float
    """BLEU of the dev set before the first update."""
    epochs: list[Epoch] = field(default_factory=list)


class LearningRun:
    """What a fit needs besides its parameters."""

    judge: DevJudge

    def __init__(
        self,
        options: "Maxforce",
        model: TranslationModel,
        lexical: LexicalModel,
        pairs: Bitext,
        links: TableLinks,
        dev: tuple[Sequence[str], Sequence[Sequence[str]]],
        folds: Sequence[TranslationModel],
    ) -> None:
        self.options, self.model, self.lexical = options, model, lexical
        self.pairs, self.links = pairs, links
        self.engine = as_engine(options.engine)
        self.dev_sources, self.dev_references = list(dev[0]), dev[1]
        self.metric = Bleu(tokenize="none")
        if options.dense_weights == "from-zero" and model.sparse_names:
            raise OptionError("dense weights from 0: sparse features would keep their tuned ones")
        tuned = Weights() if options.dense_weights == "from-zero" else model.weights
        self.start = Weights({**tuned, LEXICAL_FEATURE: 1.0})
        # Steps and sharpness mean the same whatever the tuned weights sum up to.
        dense = [tuned.get(name, 0.0) for name in model.decoder_names if name != LEXICAL_FEATURE]
        self.unit = float(np.abs(dense).sum()) or 1.0
        self.models = list(folds) or [model]
        self.folds = fold_numbers(len(pairs), len(self.models))
        self.forced = ForcedOptions(
            distortion_limit=SearchOptions.of_model(model).distortion_limit,
            max_words=options.max_words,
            max_nodes=options.max_nodes,
            min_prefix=options.min_prefix,
            leave_out="none" if folds else options.leave_out,
        )
        self.examples = self._examples()

    def _examples(self) -> npt.NDArray[np.int64]:
        """What to learn from, as rows of (pair, source words, target words of a prefix or 0, 0).

        All pairs that are not too long, or those that the model can make: 0, 0 is then the whole
        pair or its longest reachable prefix.
        """
        if self.options.method == "expected":
            words = self.pairs.source.lengths
            usable = np.flatnonzero((words > 0) & (words <= self.options.max_words))
            log.info(
                "learning from %s of %s pairs, the others are empty or too long",
                f"{len(usable):,}",
                f"{len(words):,}",
            )
            return _whole(usable)
        whole, made, stopped = 0, np.zeros(len(self.pairs), bool), Counter[str]()
        every = self.options.prefixes == "all"
        prefixes = []
        for number, model in enumerate(self.models):
            pairs = np.flatnonzero(self.folds == number)
            found = ForcedDecoder(model, self.forced, engine=self.engine).run(
                self.pairs.select(pairs),
                [one.select(pairs) for one in as_list(self.links)] or None,
                list_prefixes=every,
            )
            made[pairs] = found.whole if every else found.source_words > 0
            whole += int(found.whole.sum())
            places = found.prefixes.copy()
            places[:, 0] = pairs[places[:, 0]]
            prefixes.append(places)
            stopped.update(found.stopped)
        examples = np.concatenate([_whole(np.flatnonzero(made)), *prefixes])
        log.info(
            "%s of %s pairs can be made, %s with prefixes, %s examples; given up: %d too long, "
            "%d too large",
            f"{whole:,}",
            f"{len(made):,}",
            f"{len(np.unique(examples[:, 0])):,}",
            f"{len(examples):,}",
            stopped["length"],
            stopped["nodes"],
        )
        return examples

    def identity(self) -> dict[str, Any]:
        """All that decides the result, for a run that goes on."""
        free = {"engine", "epochs", "patience"}
        return {
            "options": {k: v for k, v in asdict(self.options).items() if k not in free},
            "lexical": self.lexical.meta,
            "weights": dict(self.model.weights),
            "pairs": [len(self.pairs), len(self.examples)],
            "dev": len(self.dev_sources),
        }

    def fit(self, checkpoint: Checkpoint, report: Callable[[Epoch], None]) -> MaxforceResult:
        """All epochs that are not done, each kept by the checkpoint and told to `report`."""
        options = self.options
        if checkpoint.lexical is not None:
            self.lexical = checkpoint.lexical
        learner = self._learner()
        if checkpoint.state:
            learner.restore(*checkpoint.state)
        epochs = [Epoch(**row) for row in checkpoint.epochs]
        for epoch in epochs:
            report(epoch)
        start_score = checkpoint.start_score
        if start_score is None:
            start_score, _ = self.dev_score(self.lexical, self.start)
            log.info("dev %.2f before the first update", start_score)
        while len(epochs) < options.epochs and not self._is_enough(epochs):
            begin = monotonic()
            counts = self._pass(learner, len(epochs) + 1)
            lexical = LexicalModel(learner.lexical(options.average), self.lexical.meta)
            score, weights = self.judge(lexical, self._weights(learner))
            epoch = Epoch(
                len(epochs) + 1,
                score,
                **counts,
                features=len(lexical),
                seconds=monotonic() - begin,
            )
            best = not epochs or epoch.dev_score > max(e.dev_score for e in epochs)
            epochs.append(epoch)
            state = (
                learner.dense_weights(False),
                list(learner.lagged),
                list(learner.text),
                learner.steps,
            )
            checkpoint.save(
                self.lexical,
                lexical if best else None,
                weights if best else None,
                {
                    "state": state,
                    "epochs": [asdict(e) for e in epochs],
                    "start_score": start_score,
                },
            )
            report(epoch)
        chosen, weights = checkpoint.best
        score = max(epoch.dev_score for epoch in epochs)
        return MaxforceResult(chosen, weights, score, start_score, epochs)

    def _is_enough(self, epochs: list[Epoch]) -> bool:
        patience = self.options.patience
        if not patience or len(epochs) <= patience:
            return False
        before = max(epoch.dev_score for epoch in epochs[:-patience])
        return max(epoch.dev_score for epoch in epochs[-patience:]) <= before

    def _learner(self) -> Any:
        options = self.options
        taught = self.model.taught(self.lexical)
        native = _core.LearnerOptions()
        name, rate = METHODS[options.method]
        native.method = getattr(_core.UpdateMethod, name)
        moving = {"none": (), "penalties": PENALTIES, "all": self.model.feature_names}
        native.rate = self.unit * (options.rate or rate)
        native.list_size, native.sharpness = options.list_size, options.sharpness / self.unit
        native.background = options.background
        native.dense_rates = [
            options.dense_rate * (name in moving[options.dense]) for name in taught.decoder_names
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
        return _core.ViolationLearner(
            [native_phrase_model(model, self.lexical) for model in self.models],
            self.lexical.native,
            training_text(self.model, self.pairs, self.links),
            self.folds.tolist(),
            taught.search_vector(taught.weight_vector(self.start)).tolist(),
            native,
        )

    def _weights(self, learner: Any) -> Weights:
        """Those of the result: as they were tuned, or as they are learned so far."""
        if self.options.dense_weights == "tuned":
            return self.start
        learned = learner.dense_weights(self.options.average)
        dense = dict(zip(self.model.decoder_names, learned, strict=False))
        return Weights({**self.start, **{name: dense[name] for name in self.model.feature_names}})

    def _pass(self, learner: Any, number: int) -> dict[str, Any]:
        outcomes, bins, words, violations, reached = [], [], [], [], []
        with progress(f"epoch {number}", len(self.examples)) as bar:
            for batch in self._batches(number):
                outcome, bin_, size, violation, made = learner.step(
                    batch[:, 0].copy(), self.engine.threads, batch[:, 1:].ravel()
                )
                outcomes.append(outcome)
                bins.append(bin_)
                words.append(size)
                violations.append(violation)
                reached.append(made)
                bar.advance(len(batch))
        outcome, place = np.concatenate(outcomes), np.concatenate(bins)
        updated = place > 0
        tenths = (10 * (place[updated] - 1)) // np.maximum(np.concatenate(words)[updated], 1)
        tried = int(((outcome == _UPDATED) | (outcome == _INVALID)).sum())
        return {
            "pairs": len(outcome),
            "reached": float(np.concatenate(reached).mean()),
            "updates": int(updated.sum()),
            "too_far": int((outcome == _TOO_FAR).sum()),
            "invalid": float((outcome == _INVALID).sum()) / max(tried, 1),
            "violation": float(np.concatenate(violations)[updated].mean()) if tried else 0.0,
            "bins": np.bincount(tenths, minlength=10).tolist(),
        }

    def _batches(self, epoch: int) -> Iterator[npt.NDArray[np.uint32]]:
        """The examples in a new order, in batches of one fold each."""
        chance = generator(self.options.seed, "maxforce", epoch)
        size = self.options.batch
        batches = []
        for fold in range(len(self.models)):
            own = self.examples[self.folds[self.examples[:, 0]] == fold]
            own = own[chance.permutation(len(own))]
            batches += [own[at : at + size] for at in range(0, len(own), size)]
        for i in chance.permutation(len(batches)):
            yield batches[i].astype(np.uint32)

    def dev_score(self, lexical: LexicalModel, weights: Weights) -> tuple[float, Weights]:
        """BLEU of the dev set with these weights, and these."""
        search = replace(SearchOptions.of_model(self.model), pop_limit=self.options.dev_pop_limit)
        decoder = open_decoder(self.model.taught(lexical), search=search, engine=self.engine)
        best = decoder.decode(self.dev_sources, weights).best()
        score = self.metric.corpus_score(best, self.dev_references)
        return score, weights


def _whole(pairs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Examples that are no prefixes."""
    return np.stack([pairs, np.zeros_like(pairs), np.zeros_like(pairs)], axis=1)
