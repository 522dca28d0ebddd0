"""`Maxforce`: weights of lexical features by the million, learned on the training set.

Yu, Huang, Mi & Zhao (2013), Max-Violation Perceptron and Forced Decoding for Scalable MT Training:
a sentence pair is searched with a small beam; where the beam's best bad partial derivation is
furthest above the best derivation of the reference (found by forced decoding), the weights of
lexical features are moved from the one to the other. Or, which is what gains most (``expected``):
they are moved up the gradient of the beam's expected BLEU (He & Deng 2012, Maximum Expected BLEU
Training of Phrase and Lexicon Translation Models; Gao & He 2013). The dev set decides only when to
stop. As the paper has it, that is all: ``dense="all", dense_weights="from-zero"``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.seeds import seed_parameter
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import Decoder, SearchOptions, open_decoder
from tunesmith.decode.forced import LEAVE_OUT
from tunesmith.decode.table_links import TableLinks
from tunesmith.engine import EngineLike, engine_parameter
from tunesmith.features import LexicalModel
from tunesmith.learn.checkpoint import Checkpoint, state_folder
from tunesmith.learn.epochs import Epoch, LearnResult, MaxforceResult
from tunesmith.learn.folder_learner import FolderLearner
from tunesmith.learn.learner import Judge, Learned, Learner
from tunesmith.learn.learning_run import learn
from tunesmith.learn.list_learner import ListLearner
from tunesmith.learn.methods import METHODS
from tunesmith.learn.sharded_learner import ShardedLearner
from tunesmith.learn.shards import Shards
from tunesmith.learn.stack_learner import StackLearner
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel

#: Judges a lexical model and the weights beside it on the dev set: BLEU, and the weights with which
#: it was reached.
DevJudge = Callable[[LexicalModel, Weights], tuple[float, Weights]]
#: Sources and references, tokenised.
DevSet = tuple[Sequence[str], Sequence[Sequence[str]]]


@dataclass(frozen=True)
class Maxforce:
    """Learns the weights of lexical features on the training set."""

    method: str = parameter(
        "expected",
        "what to move towards: more expected BLEU, or the reference, at the place named",
        choices=tuple(METHODS),
    )
    epochs: int = parameter(5, "passes over the training set at most", at_least=1)
    patience: int = parameter(
        2, "stop when so many epochs brought no better dev score; 0: never", at_least=0
    )
    batch: int = parameter(24, "pairs searched side by side between two updates", at_least=1)
    combine: str = parameter(
        "average", "what becomes of the updates of a batch", choices=("average", "sum")
    )
    beam: int = parameter(30, "states in a bin while learning", at_least=1)
    rate: float = parameter(
        0.0,
        "length of a step for lexical features, in parts of the sum of all dense weights; 0: "
        + ", ".join(f"{rate:g} for {name}" for name, (_, rate) in METHODS.items()),
        at_least=0,
    )
    dense: str = parameter(
        "penalties",
        "dense features that move along while learning: none, word and phrase penalties, or all",
        choices=("none", "penalties", "all"),
    )
    dense_rate: float = parameter(1.0, "what those take of the rate", at_least=0)
    dense_weights: str = parameter(
        "tuned",
        "dense weights of the result: as they were tuned before; as they were learned, beginning "
        "with these; or as they were learned from 0, as in the paper (with --maxforce-dense all)",
        choices=("tuned", "learned", "from-zero"),
    )
    hypotheses: str = parameter(
        "lists",
        "what expected and local learn from, where it is not inside phrase-based search: a "
        "decoder's lists, or its graphs, which have every derivation of its beam",
        choices=("lists", "graphs"),
    )
    density: float = parameter(
        20.0, "graphs: edges per word of the reference; 0 keeps all", at_least=0
    )
    list_size: int = parameter(
        50, "expected, ranking: translations of the beam that count", at_least=2
    )
    level_share: float = parameter(
        0.1,
        "ranking: parts of a list, sorted by BLEU, that are its highest and its lowest level; only "
        "translations of different levels are compared",
        above=0,
        at_most=0.5,
    )
    sharpness: float = parameter(
        10.0,
        "expected: what scores are multiplied by before they become probabilities, for weights "
        "that sum to 1",
        above=0,
    )
    background: float = parameter(
        20.0,
        "expected: sentences of the text in which a translation is judged; 0: by itself (BLEU+1)",
        at_least=0,
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
    shard_size: int = parameter(
        0,
        "expected, ranking: pairs of a shard; shards are learned from side by side, and mixed "
        "after every epoch; 0: no shards",
        at_least=0,
    )
    mixing: str = parameter(
        "iter-select",
        "how shards are mixed: all go on from the average of what all have learned (iter-mix), of "
        "the features with the largest weights across shards alone (iter-select), or every shard "
        "goes on by itself to the end (mix)",
        choices=("iter-select", "iter-mix", "mix"),
    )
    keep: int = parameter(100_000, "iter-select: features that are kept", at_least=1)
    average: bool = parameter(True, "average the weights over all steps (Collins 2002)")
    folds: int = parameter(
        10,
        "parts of the training set, each searched with a model made of the others; 0: the model "
        "itself, with rules left out",
        at_least=0,
    )
    leave_out: str = parameter(
        "own",
        "without folds: rules that a pair may not use, as in `tunesmith force`",
        choices=tuple(LEAVE_OUT),
    )
    min_prefix: int = parameter(
        5, "least source words of a reachable prefix; 0: only whole pairs", at_least=0
    )
    prefixes: str = parameter(
        "longest",
        "what to learn from where a pair is not reachable as a whole: its longest reachable "
        "prefix, or all",
        choices=("longest", "all"),
    )
    dead_ends: bool = parameter(
        False,
        "good derivations are all that make a beginning of the reference, as the paper defines "
        "them, not only those that can be completed",
    )
    max_words: int = parameter(100, "longer source sentences are not learned from", at_least=1)
    max_nodes: int = parameter(
        100_000, "a pair whose forced decoding needs more nodes is given up", at_least=1
    )
    dev_pop_limit: int = parameter(200, "pop limit of the search on the dev set", at_least=1)
    seed: int = seed_parameter("seed of the order of the pairs")
    engine: EngineLike = engine_parameter()

    def check(self) -> None:
        """Refuse values that make no sense."""
        check_parameters(self)
        if self.folds == 1:
            raise OptionError("folds is 1, expected 0 or at least 2: one part has no others")
        if self.dense_weights == "from-zero" and self.dense != "all":
            raise OptionError(
                f"dense_weights is from-zero and dense is {self.dense}, expected all: "
                "weights that do not move would stay 0"
            )

    def fit(
        self,
        model: TranslationModel,
        lexical: LexicalModel,
        pairs: Bitext,
        dev: DevSet,
        *,
        folds: Sequence[TranslationModel] = (),
        links: TableLinks = None,
        judge: DevJudge | None = None,
        folder: str | Path | None = None,
        identity: object = None,
        report: Callable[[Epoch], None] = lambda epoch: None,
    ) -> MaxforceResult:
        """Learn lexical features of a phrase model; `dev` is (sources, references), tokenised.

        `lexical` is what is begun with and stays as it is: the learner has a copy. `folds` are the
        models that `fold_models` makes, one for each of `self.folds`. Without them the model itself
        is used; `links` then tell which rules are a pair's own (see `ForcedDecoder.run`). `judge`
        scores the epochs on the dev set; by default that is BLEU with the dense weights of
        `dense_weights`. With a `folder` the state is kept there after every epoch: a killed run
        goes on from it. `identity` is whatever else decides the result (hashes of inputs, say): a
        folder that was begun with another one is refused.
        """
        self._check_folds(folds)
        if self.hypotheses == "graphs":
            raise OptionError(
                "hypotheses is graphs, expected lists: lexical features are learned inside "
                "phrase-based search, which makes no graphs for it"
            )

        def score(learned: LexicalModel, weights: Weights) -> tuple[float, Weights]:
            search = replace(SearchOptions.of_model(model), pop_limit=self.dev_pop_limit)
            taught = open_decoder(model.taught(learned), search=search, engine=self.engine)
            return dev_score(taught, weights, dev), weights

        with state_folder(folder) as place:
            learner: StackLearner | ShardedLearner
            learner = StackLearner(self, model, lexical, pairs, links, folds)
            if self.shard_size:
                learner = ShardedLearner(learner)
            checkpoint = Checkpoint.open(place, _identity(learner, dev, identity))
            best, epochs, start_score = learn(
                learner,
                self._rounds(),
                lambda found: (judge or score)(_lexical(found), found.weights),
                lambda: score(_lexical(learner.start()), learner.start().weights)[0],
                checkpoint,
                report,
            )
            return MaxforceResult(
                best.weights, _top(epochs), start_score, epochs, lexical=_lexical(best)
            )

    def fit_decoder(
        self,
        decoder: Decoder,
        pairs: Bitext,
        dev: DevSet,
        start: Weights,
        *,
        folds: Sequence[Decoder] = (),
        judge: Judge | None = None,
        folder: str | Path | None = None,
        identity: object = None,
        report: Callable[[Epoch], None] = lambda epoch: None,
    ) -> LearnResult:
        """Learn the weights of a decoder's own features, whatever its search is.

        It learns from the decoder's lists, or its graphs (`hypotheses`).

        Only `expected`, `local` and `ranking` can: the others look into the stacks of phrase-based
        search, and are refused. `start` has the weights to begin with (`dense_weights`); sparse
        features need none. `folds` are decoders that have not seen a part of the pairs, the others
        are as for `fit`; rules are not left out without them. The decoder's own search is used:
        `beam` is for `local` the size of a list.
        """
        self._check_folds(folds)
        learner: ListLearner | ShardedLearner
        learner = ListLearner(self, list(folds) or [decoder], pairs, start)
        if self.shard_size:
            learner = ShardedLearner(learner)
        return self._fit_lists(learner, decoder, dev, judge, folder, identity, report)

    def fit_shards(
        self,
        decoder: Decoder,
        shards: Shards,
        dev: DevSet,
        start: Weights,
        *,
        searched: Decoder | None = None,
        judge: Judge | None = None,
        folder: str | Path | None = None,
        identity: object = None,
        report: Callable[[Epoch], None] = lambda epoch: None,
    ) -> LearnResult:
        """The same from the shards of a folder, whose sentences have rules of their own.

        They take the place of the decoder's rules and of folds; `shard_size` is that of the folder.
        `searched` is what searches the shards, with other limits than `decoder`, say, which
        translates the dev set.
        """
        own = replace(self, folds=0, shard_size=max(map(len, shards), default=1))
        own.check()
        learner = ShardedLearner(FolderLearner(own, searched or decoder, shards, start))
        return own._fit_lists(learner, decoder, dev, judge, folder, identity, report)

    def _fit_lists(
        self,
        learner: ListLearner | ShardedLearner,
        decoder: Decoder,
        dev: DevSet,
        judge: Judge | None,
        folder: str | Path | None,
        identity: object,
        report: Callable[[Epoch], None],
    ) -> LearnResult:
        with state_folder(folder) as place:
            checkpoint = Checkpoint.open(place, _identity(learner, dev, identity))
            best, epochs, start_score = learn(
                learner,
                self._rounds(),
                judge or (lambda found: (dev_score(decoder, found.weights, dev), found.weights)),
                lambda: dev_score(decoder, learner.start().weights, dev),
                checkpoint,
                report,
            )
            return LearnResult(best.weights, _top(epochs), start_score, epochs)

    def _rounds(self) -> "Maxforce":
        """Shards that are mixed at the end alone have one result for all epochs."""
        once = self.shard_size > 0 and self.mixing == "mix"
        return replace(self, epochs=1) if once else self

    def _check_folds(self, folds: Sequence[object]) -> None:
        self.check()
        if len(folds) != self.folds:
            raise OptionError(f"models of {len(folds)} folds, expected {self.folds}")


def dev_score(decoder: Decoder, weights: Weights, dev: DevSet) -> float:
    """BLEU of the dev set under weights."""
    sources, references = dev
    best = decoder.decode(list(sources), weights).best()
    return Bleu(tokenize="none").corpus_score(best, references)


def _identity(learner: Learner, dev: DevSet, more: object) -> dict[str, Any]:
    own = {**learner.identity(), "dev": len(dev[0])}
    return own if more is None else {**own, "inputs": more}


def _lexical(learned: Learned) -> LexicalModel:
    assert learned.lexical is not None  # which a `StackLearner` always has
    return learned.lexical


def _top(epochs: Sequence[Epoch]) -> float:
    return max(epoch.dev_score for epoch in epochs)
