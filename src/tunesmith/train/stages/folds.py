"""The stage that makes models which have not seen a part of the pairs, for the learner."""

import shutil
from pathlib import Path
from typing import Any

from tunesmith.learn import fold_models
from tunesmith.train.assembly import assembled, model_inputs
from tunesmith.train.language_models import first_estimation, second_estimation
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage


class Folds(TrainingStage):
    """``bitext.bin`` and ``links.bin`` → ``fold-0``, ``fold-1``…, each a model directory."""

    name = "folds"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether there is a learner that wants them."""
        return options.has_folds

    def inputs(self) -> list[Any]:
        """The model that they are like, and their number."""
        whole = [*model_inputs(self.place), list(self.place.unused())]
        # Earlier versions gave all folds the reordering model of the whole text.
        own = ["a reordering model each"] if self.options.has_maxent else []
        return [whole, self.options.maxforce.folds, *own]

    def write(self, folder: Path) -> None:
        """Make them one by one; those of a killed run are kept."""
        place, bitext = self.place, self.place.bitext()
        state = place.state_folder(self.name)
        estimates = [first_estimation(place.path("lm", ""), bitext, self.options.lm, self.engine)]
        if self.options.second_lm:
            second = place.path("lm2", "")
            estimates.append(second_estimation(second, self.options.lm, self.engine))
        with assembled(place, folder, None, dev_only=False) as whole:
            fold_models(
                whole,
                bitext,
                place.table_links(),
                estimates,
                state,
                folds=self.options.maxforce.folds,
                extraction=self.options.phrases,
                engine=self.engine,
            )
        for made in state.glob("fold-*"):
            made.rename(folder / made.name)
        shutil.rmtree(state)
