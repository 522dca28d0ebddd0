"""The stage that learns lexical features on the training set, after the dense weights are tuned."""

import shutil
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from tunesmith.base.rundir import file_hash
from tunesmith.formats.weights import read_weights
from tunesmith.model import TranslationModel
from tunesmith.model.folder import WEIGHTS_FILE
from tunesmith.train.assembly import assembled
from tunesmith.train.keywords import relevant
from tunesmith.train.learning import Lesson
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage
from tunesmith.train.tuning import tuning_loop


class Learn(TrainingStage):
    """Pairs, links, folds and tuned weights → ``lexical.bin``, ``weights.tsv``, ``result.json``."""

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
            for number in range(options.maxforce.folds)
        ]
        weights = read_weights(place.path("tune", WEIGHTS_FILE))
        # Where folds are learned from, the model itself decodes nothing but the dev set.
        with assembled(place, folder, weights, dev_only=bool(folds)) as model:
            lesson = Lesson(
                model=model,
                bitext=place.bitext(),
                links=place.table_links(),
                folds=folds,
                dev=place.dev_set(),
                tuning=partial(tuning_loop, place, iterations=options.learn.epoch_tuning),
            )
            maxforce = replace(options.maxforce, seed=options.seed, engine=self.engine)
            lesson.learn(options.learn, maxforce, options.lexical, folder, state)
        shutil.rmtree(state, ignore_errors=True)
