"""The stage that learns lexical features on the training set, after the dense weights are tuned."""

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tunesmith.base.rundir import file_hash
from tunesmith.corpus.coding import BITEXT_FILE
from tunesmith.decode import Decoder
from tunesmith.formats.weights import read_weights
from tunesmith.learn import Maxforce
from tunesmith.learn.shards import Shards
from tunesmith.model import TranslationModel
from tunesmith.model.files import WEIGHTS_FILE
from tunesmith.train.assembly import assembled
from tunesmith.train.keywords import relevant
from tunesmith.train.learning import Lesson, classes_of
from tunesmith.train.options import TrainOptions
from tunesmith.train.rule_learning import RuleLesson, rule_templates
from tunesmith.train.stages.base import TrainingStage
from tunesmith.train.tuning import tuning_decoder, tuning_loop
from tunesmith.tune.loop import TuningLoop


class Learn(TrainingStage):
    """Pairs, links, folds and tuned weights → ``lexical.bin``, ``weights.tsv``, ``result.json``.

    Of a hierarchical model ``features.json`` with what it names in the place of ``lexical.bin``.
    """

    name = "learn"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether there is a learner."""
        return options.learns

    def inputs(self) -> list[Any]:
        """The tuned model, the learner's sections, the files that they name."""
        sections = ("learn", "maxforce", "lexical")
        how = {name: relevant(getattr(self.options, name)) for name in sections}
        del how["learn"]["retune"]
        given = [file_hash(path) for path in self.options.learn.files()]
        return [self.place.key("tune"), how, given]

    def write(self, folder: Path) -> None:
        """Learn; a killed run goes on behind its last epoch."""
        place, options = self.place, self.options
        state = place.state_folder(self.name)
        folds = [
            TranslationModel.load(place.path("folds", f"fold-{number}"))
            for number in range(options.maxforce.folds if options.has_folds else 0)
        ]
        weights = read_weights(place.path("tune", WEIGHTS_FILE))
        # Where folds or shards are learned from, the model itself decodes the dev set alone.
        dev_only = bool(folds or options.learn.shards)
        with assembled(place, folder, weights, dev_only=dev_only) as model:
            maxforce = replace(options.maxforce, seed=options.seed, engine=self.engine)
            if options.model == "hiero":
                self._learn_rules(model, folds, maxforce, folder, state)
            else:
                self._learn_phrases(model, folds, maxforce, folder, state)
        shutil.rmtree(state, ignore_errors=True)

    def _learn_phrases(
        self,
        model: TranslationModel,
        folds: list[TranslationModel],
        maxforce: Maxforce,
        folder: Path,
        state: Path,
    ) -> None:
        """Lexical features, inside phrase-based search."""
        place, options = self.place, self.options
        lesson = Lesson(
            model=model,
            bitext=place.bitext(),
            links=place.table_links(),
            folds=folds,
            dev=place.dev_set(),
            tuning=lambda taught: self._judging(tuning_decoder(place, taught)),
        )
        lesson.learn(options.learn, maxforce, options.lexical, folder, state)

    def _learn_rules(
        self,
        model: TranslationModel,
        folds: list[TranslationModel],
        maxforce: Maxforce,
        folder: Path,
        state: Path,
    ) -> None:
        """Sparse features of hierarchical rules, from the lists or graphs of a chart."""
        place, options = self.place, self.options
        shards = None
        if options.learn.shards:
            shards = Shards(options.learn.shards)
            shards.check_origin(
                place.path("corpus", BITEXT_FILE), place.path("grammar", "grammar.bin")
            )
        lesson = RuleLesson(
            model=model,
            bitext=place.bitext(),
            folds=folds,
            shards=shards,
            dev=place.dev_set(),
            open=partial(tuning_decoder, place),
            tuning=self._judging if options.learn.epoch_tuning else None,
        )
        edges = None
        if options.lexical.edges:
            classes = classes_of(place.bitext(), options.learn, self.engine)
            edges = options.lexical.build(*classes)
        templates = rule_templates(options.lexical, edges)
        lesson.learn(templates, maxforce, folder, state)

    def _judging(self, decoder: Decoder) -> TuningLoop:
        return tuning_loop(self.place, decoder, self.options.learn.epoch_tuning)
