"""`Maxforce`: the violation-fixing perceptron on the training set.

Yu, Huang, Mi & Zhao (2013), Max-Violation Perceptron and Forced Decoding for Scalable MT Training.
A sentence pair is searched with a small beam; where the beam's best bad partial derivation is
furthest above the best derivation of the reference (found by forced decoding), the weights of
lexical features are moved from the one to the other. The dev set decides only when to stop.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.progress import progress
from tunesmith.base.seeds import DEFAULT_SEED, generator
from tunesmith.base.weights import Weights
from tunesmith.decode import PhraseDecoder, SearchOptions
from tunesmith.decode.forced import LEAVE_OUT, ForcedDecoder, ForcedOptions, link_arrays
from tunesmith.decode.sentence import split
from tunesmith.engine import default_threads
from tunesmith.features import LexicalModel
from tunesmith.formats.pharaoh import Links
from tunesmith.learn.checkpoint import Checkpoint
from tunesmith.learn.folds import fold_language_models, fold_numbers
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.model.folder import LEXICAL_FEATURE

METHODS = {
    "max-violation": "MAX_VIOLATION",
    "early": "EARLY",
    "standard": "STANDARD",
    "local": "LOCAL",
}
# What decides how many words and phrases there are. References are made of shorter phrases than the
# translations that BLEU likes best: while learning, these weights take that up, so that lexical
# features need not.
PENALTIES = ("word_penalty", "phrase_penalty")
# A step of the word penalty on the dev set, as a share of the sum of all dense weights.
LENGTH_STEP = 0.03
# The core's outcomes of a pair.
_UNREACHABLE, _SOLVED, _UPDATED, _INVALID, _TOO_FAR = range(5)

Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Epoch:
    """One pass over the training set."""

    number: int
    dev_score: float
    """BLEU of the dev set, with the averaged weights if they are averaged."""
    scale: float
    """The weight of the lexical features as a group with which it was reached."""
    pairs: int
    reached: float
    """Share of the pairs whose reference was the beam's best translation."""
    updates: int
    too_far: int
    """Pairs left alone because of `max_violation`."""
    invalid: float
    """Share of updates (and of pairs without one) at which the good derivation was the better."""
    violation: float
    """Mean of the updates' violations."""
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


@dataclass(frozen=True)
class Maxforce:
    """Learns the weights of lexical features by updates at search errors."""

    method: str = parameter("max-violation", "where to update", choices=tuple(METHODS))
    epochs: int = parameter(10, "passes over the training set at most", at_least=1)
    patience: int = parameter(
        3, "stop when so many epochs brought no better dev score; 0: never", at_least=0
    )
    batch: int = parameter(24, "pairs searched side by side between two updates", at_least=1)
    combine: str = parameter(
        "average", "what becomes of the updates of a batch", choices=("average", "sum")
    )
    beam: int = parameter(30, "states in a bin while learning", at_least=1)
    rate: float = parameter(0.0005, "length of a step for lexical features", above=0)
    dense: str = parameter(
        "penalties",
        "dense features that move along while learning: none, word and phrase penalties, or all",
        choices=("none", "penalties", "all"),
    )
    dense_rate: float = parameter(1.0, "what those take of the rate", at_least=0)
    keep_dense: bool = parameter(
        False, "keep the moved dense weights; otherwise the tuned ones are put back"
    )
    scales: str = parameter(
        "0.25,0.5,1", "weights of the lexical features as a group, of which the dev set takes one"
    )
    step: str = parameter(
        "perceptron",
        "length of a step: always the rate, or as much of it as mends the violation",
        choices=("perceptron", "passive-aggressive"),
    )
    margin: float = parameter(
        0.0, "how much better a good derivation must be than a bad one", at_least=0
    )
    max_violation: float = parameter(
        0.0,
        "no update where the reference is further than this from the model's choice, which makes "
        "free translations harmless; 0: no limit",
        at_least=0,
    )
    average: bool = parameter(True, "average the weights over all steps (Collins 2002)")
    leave_out: str = parameter(
        "own", "rules that a pair may not use, as in `tunesmith force`", choices=tuple(LEAVE_OUT)
    )
    min_prefix: int = parameter(
        5, "least source words of a reachable prefix; 0: only whole pairs", at_least=0
    )
    max_words: int = parameter(100, "longer source sentences are not learned from", at_least=1)
    max_nodes: int = parameter(
        100_000, "a pair whose forced decoding needs more nodes is given up", at_least=1
    )
    lm_folds: int = parameter(
        10, "language models that each leave out a part, for the pairs of it; 0: none", at_least=0
    )
    dev_pop_limit: int = parameter(200, "pop limit of the search on the dev set", at_least=1)
    seed: int = parameter(DEFAULT_SEED, "seed of the order of the pairs")
    threads: int = parameter(0, "threads; 0: all cores", at_least=0)

    def group_weights(self) -> list[float]:
        """The numbers of `scales`."""
        try:
            scales = [float(text) for text in self.scales.split(",")]
        except ValueError:
            scales = []
        if not scales or not all(0 < scale < float("inf") for scale in scales):
            raise OptionError(f"scales is '{self.scales}', expected numbers such as 0.25,0.5,1")
        return scales

    def fit(
        self,
        model: TranslationModel,
        lexical: LexicalModel,
        sources: Sequence[str],
        targets: Sequence[str],
        dev: tuple[Sequence[str], Sequence[Sequence[str]]],
        *,
        links: Links | None = None,
        folder: str | Path | None = None,
        report: Callable[[Epoch], None] = lambda epoch: None,
    ) -> MaxforceResult:
        """Learn from tokenised pairs; `dev` is (sources, references), tokenised too.

        `links` are those that the phrase table was made from (see `ForcedDecoder.run`). With a
        `folder` the state is kept there after every epoch: a killed run goes on from it.
        """
        check_parameters(self)
        self.group_weights()
        threads = self.threads or default_threads()
        forced = ForcedOptions(
            distortion_limit=SearchOptions.of_model(model).distortion_limit,
            max_words=self.max_words,
            max_nodes=self.max_nodes,
            min_prefix=self.min_prefix,
            leave_out=self.leave_out,
        )
        found = ForcedDecoder(model, forced, threads=threads).run(sources, targets, links)
        usable = np.flatnonzero(found.source_words > 0)
        log.info(
            "%s of %s pairs can be made, %s with prefixes; given up: %d too long, %d too large",
            f"{int(found.whole.sum()):,}",
            f"{len(sources):,}",
            f"{len(usable):,}",
            found.stopped.count("length"),
            found.stopped.count("nodes"),
        )
        if not len(usable):
            raise OptionError("no sentence pair can be made by the model: nothing to learn from")
        run = _Run(self, model, lexical, forced, sources, targets, links, usable, dev, threads)
        return run.fit(Checkpoint.open(folder, run.identity()), report)


class _Run:
    """What a fit needs besides its parameters."""

    def __init__(
        self,
        options: Maxforce,
        model: TranslationModel,
        lexical: LexicalModel,
        forced: ForcedOptions,
        sources: Sequence[str],
        targets: Sequence[str],
        links: Links | None,
        usable: npt.NDArray[np.int64],
        dev: tuple[Sequence[str], Sequence[Sequence[str]]],
        threads: int,
    ) -> None:
        self.options, self.model, self.lexical = options, model, lexical
        self.sources, self.targets, self.links = sources, targets, links
        self.forced, self.usable, self.threads = forced, usable, threads
        self.dev_sources, self.dev_references = list(dev[0]), dev[1]
        self.metric = Bleu(tokenize="none")
        # The weight of lexical features together stands behind the dense ones.
        dense = [model.weights.get(name, 0.0) for name in model.decoder_names]
        named = model.weight_vector(model.weights)[len(model.feature_names) :]
        self.vector = np.array([*dense, 1.0, *named])
        self.folds = fold_numbers(len(sources), max(options.lm_folds, 1))

    def identity(self) -> dict[str, Any]:
        """All that decides the result, for a run that goes on."""
        free = {"threads", "epochs", "patience"}
        return {
            "options": {k: v for k, v in asdict(self.options).items() if k not in free},
            "lexical": self.lexical.meta,
            "weights": dict(self.model.weights),
            "pairs": [len(self.sources), len(self.usable)],
            "dev": len(self.dev_sources),
        }

    def fit(self, checkpoint: Checkpoint, report: Callable[[Epoch], None]) -> MaxforceResult:
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
            start_score = self._dev_score(learner.lexical(False), self.vector)
            log.info("dev %.2f before the first update", start_score)
        while len(epochs) < options.epochs and not self._is_enough(epochs):
            begin = monotonic()
            counts = self._pass(learner, len(epochs) + 1)
            lexical = learner.lexical(options.average)
            score, scale, dense = self._best_scale(lexical, learner)
            epoch = Epoch(
                len(epochs) + 1,
                score,
                scale,
                **counts,
                features=len(lexical),
                seconds=monotonic() - begin,
            )
            best = not epochs or epoch.dev_score > max(e.dev_score for e in epochs)
            epochs.append(epoch)
            state = (learner.dense_weights(False), list(learner.lagged), learner.steps)
            checkpoint.save(
                self.lexical,
                LexicalModel(lexical, self.lexical.meta) if best else None,
                self._weights(dense) if best else None,
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
        native = _core.LearnerOptions()
        native.method = getattr(_core.UpdateMethod, METHODS[options.method])
        moving = {"none": (), "penalties": PENALTIES, "all": self.model.decoder_names}
        native.rate = options.rate
        native.dense_rates = [
            options.dense_rate * (name in moving[options.dense])
            for name in (*self.model.decoder_names, LEXICAL_FEATURE)
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
        native.forced = self.forced.native()
        return _core.ViolationLearner(
            self._fold_models(),
            self.lexical.native,
            list(map(split, self.sources)),
            list(map(split, self.targets)),
            *link_arrays(self.sources, self.targets, self.links),
            self.folds.tolist(),
            self.vector.tolist(),
            native,
        )

    def _fold_models(self) -> list[Any]:
        """The model of every fold: its first language model has not seen the fold's pairs."""
        native = [lm.native for lm in self.model.language_models]
        if self.options.lm_folds < 2 or not native:
            return [self._native(native, self.lexical.native)] * max(self.options.lm_folds, 1)
        order = self.model.language_models[0].order
        models = fold_language_models(self.targets, self.folds, order=order, threads=self.threads)
        return [self._native([lm.native, *native[1:]], self.lexical.native) for lm in models]

    def _native(self, language_models: list[Any], lexical: Any) -> Any:
        return PhraseDecoder(self.model).native_with(language_models, lexical)

    def _pass(self, learner: Any, number: int) -> dict[str, Any]:
        outcomes, bins, words, violations, reached = [], [], [], [], []
        with progress(f"epoch {number}", len(self.usable)) as bar:
            for batch in self._batches(number):
                outcome, bin_, size, violation, made = learner.step(batch, self.threads)
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
        """The usable pairs in a new order, in batches of one fold each."""
        chance = generator(self.options.seed, "maxforce", epoch)
        size = self.options.batch
        batches = []
        for fold in range(max(self.options.lm_folds, 1)):
            pairs = chance.permutation(self.usable[self.folds[self.usable] == fold])
            batches += [pairs[at : at + size] for at in range(0, len(pairs), size)]
        for i in chance.permutation(len(batches)):
            yield batches[i].astype(np.uint32)

    def _best_scale(self, lexical: Any, learner: Any) -> tuple[float, float, Vector]:
        """Dev score, weight of the lexical features as a group, and all weights."""
        weights = self.vector.copy()
        if self.options.keep_dense:
            weights = np.array(learner.dense_weights(self.options.average))
        place = len(self.model.decoder_names)
        tried = []
        for scale in self.options.group_weights():
            weights[place] = scale
            tried.append((self._dev_score(lexical, weights), scale, weights.copy()))
        best = max(tried, key=lambda item: item[:2])
        # What is learned makes translations a little longer or shorter, which one weight mends.
        penalty = self.model.decoder_names.index("word_penalty")
        step = LENGTH_STEP * float(np.abs(self.vector[:place]).sum())
        for direction in (-step, step):
            while True:
                weights = best[2].copy()
                weights[penalty] += direction
                score = self._dev_score(lexical, weights)
                if score <= best[0]:
                    break
                best = (score, best[1], weights)
        return best

    def _dev_score(self, lexical: Any, weights: Vector) -> float:
        search = replace(SearchOptions.of_model(self.model), pop_limit=self.options.dev_pop_limit)
        native = self._native([lm.native for lm in self.model.language_models], lexical)
        output = _core.decode_phrases(
            native,
            [(split(line), [], [], [], []) for line in self.dev_sources],
            weights,
            search.native(),
            1,
            True,
            self.threads,
        )
        return self.metric.corpus_score(output.texts(), self.dev_references)

    def _weights(self, dense: Vector) -> Weights:
        names = (*self.model.decoder_names, LEXICAL_FEATURE, *self.model.sparse_names)
        used = {*self.model.feature_names, LEXICAL_FEATURE}
        known = len(self.model.decoder_names) + 1
        pairs = list(zip(names, dense.tolist(), strict=True))
        return Weights(
            {name: value for name, value in pairs[:known] if name in used}
            | {name: value for name, value in pairs[known:] if value}
        )
