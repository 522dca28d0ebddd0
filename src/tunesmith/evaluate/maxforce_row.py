"""The learner as a row of a comparison: all weights from the training text, none from the dev set.

By default the row “dense” of Yu et al. (2013), Table 4, and the base of their Figure 12: the
max-violation perceptron learns the dense weights from zero and keeps them; the dev set only says
when to stop. Options add lexical features (their other rows) or change the learner.
"""

from collections.abc import Callable, Sequence
from dataclasses import Field, asdict, dataclass, replace
from pathlib import Path
from typing import Any

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import check_parameters, parameters_of
from tunesmith.base.rundir import file_hash
from tunesmith.base.weights import Weights
from tunesmith.corpus import Sentences, WordClusters
from tunesmith.decode import SearchOptions, open_decoder
from tunesmith.engine import EngineLike
from tunesmith.evaluate.training_text import TrainingText
from tunesmith.features import LexicalFeatures, LexicalModel, SideClasses
from tunesmith.learn import Epoch, Maxforce
from tunesmith.metrics.base import Metric
from tunesmith.model import TranslationModel
from tunesmith.model.files import LEXICAL_FEATURE, WEIGHTS_FILE
from tunesmith.tune.loop import Iteration, LoopResult

#: In the place of a tuner.
MAXFORCE = "maxforce"
#: Among the templates of sparse features: all that the learner has given a weight.
LEXICAL = LEXICAL_FEATURE

PAPER = Maxforce(
    method="max-violation", dense="all", dense_weights="from-zero", prefixes="all", dead_ends=True
)
NO_LEXICAL = LexicalFeatures(rule_ids=False, edges=False)
# Brown clusters of either side where lexical features see them; as many as `train` makes.
CLUSTERS = 200


def maxforce_parameters() -> list["Field[Any]"]:
    """The options of the row: those of the learner and of its lexical features."""
    return [*parameters_of(Maxforce), *parameters_of(LexicalFeatures)]


@dataclass(frozen=True)
class LearnedWeights:
    """What came of a run: a model that has the lexical features, and how its weights were found."""

    model: TranslationModel
    lexical: LexicalModel
    result: LoopResult


@dataclass(frozen=True)
class MaxforceRow:
    """The learner of a run and what it learns from."""

    learner: Maxforce
    lexical: LexicalFeatures
    text: TrainingText

    @classmethod
    def of(
        cls, options: dict[str, Any], text: TrainingText | None, *, seed: int, engine: EngineLike
    ) -> "MaxforceRow":
        """The paper's settings but for `options`; such as make no sense are refused."""
        if text is None:
            raise OptionError(
                f"{MAXFORCE} learns from training text: give --train-src and --train-tgt, or "
                "--train-work"
            )
        lexical = {item.name for item in parameters_of(LexicalFeatures)}
        own = {key: value for key, value in options.items() if key not in lexical}
        row = cls(
            replace(
                PAPER, **{"folds": text.default_folds, **own}, seed=seed, engine=engine
            ),
            replace(NO_LEXICAL, **{key: options[key] for key in options if key in lexical}),
            text,
        )  # fmt: skip
        row.learner.check()
        check_parameters(row.lexical)
        row.lexical.level_names()
        return row

    def identity(self, model: str) -> dict[str, Any]:
        """All that decides the result besides what every run has."""
        weights = Path(model) / WEIGHTS_FILE
        return {
            "learner": {k: v for k, v in asdict(self.learner).items() if k != "engine"},
            "lexical": asdict(self.lexical),
            "text": self.text.inputs(),
            **({} if self.learner.dense_weights == "from-zero" else {"start": file_hash(weights)}),
        }

    def learn(
        self,
        model: TranslationModel,
        features: str | None,
        dev: tuple[Sequence[str], Sequence[Sequence[str]]],
        metric: Metric,
        search: SearchOptions,
        shared: Path,
        folder: Path,
        *,
        identity: object,
        report: Callable[[int, Iteration], None],
    ) -> LearnedWeights:
        """Learn from the text that was prepared in `shared`; `folder` keeps the state."""
        text = self.text.load(model, features, self.learner.folds, shared)
        sides = [self._classes(side) for side in (text.bitext.source, text.bitext.target)]
        sources, references = dev

        def judge(learned: LexicalModel, weights: Weights) -> tuple[float, Weights]:
            taught = open_decoder(model.taught(learned), search=search, engine=self.learner.engine)
            best = taught.decode(sources, weights).best()
            return metric.corpus_score(best, references), weights

        found = self.learner.fit(
            model,
            self.lexical.build(*sides),
            text.bitext,
            dev,
            folds=text.folds,
            links=text.links,
            judge=judge,
            folder=folder,
            identity=identity,
            report=lambda epoch: report(epoch.number, _turn(epoch)),
        )
        enough = len(found.epochs) < self.learner.epochs
        stopped = f"nothing better in {self.learner.patience} epochs" if enough else ""
        taught, weights = model.taught(found.lexical), found.weights
        if not len(found.lexical):
            # Dense weights alone are weights of the model as it is.
            taught = model
            weights = Weights({k: v for k, v in weights.items() if k != LEXICAL_FEATURE})
        turns = [_turn(epoch) for epoch in found.epochs]
        result = LoopResult(weights, found.dev_score, turns, stopped)
        return LearnedWeights(taught, found.lexical, result)

    def _classes(self, text: Sentences) -> SideClasses:
        """Clusters of the words of one side, where a feature sees them."""
        if not (self.lexical.edges and "cluster" in self.lexical.levels):
            return SideClasses()
        found = WordClusters.fit(text, classes=CLUSTERS, engine=self.learner.engine)
        return SideClasses({word: found.bits(word) or "" for word in found})


def _turn(epoch: Epoch) -> Iteration:
    """An epoch as a turn of a loop; its weights are kept by the learner."""
    return Iteration(epoch.dev_score, {}, epoch.pairs, epoch.dev_score, "examples")
