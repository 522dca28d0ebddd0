"""The stage that trains a maximum-entropy reordering model."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

from tunesmith.model.files import MAXENT_FILE
from tunesmith.train.keywords import relevant
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage


class Reorder(TrainingStage):
    """``bitext.bin`` and ``links.bin`` → ``maxent.bin``."""

    name = "reorder"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether the model has one."""
        return options.has_maxent

    def inputs(self) -> list[Any]:
        """The links and the section maxent."""
        return [self.place.key("align"), relevant(self.options.maxent), self.options.seed]

    def write(self, folder: Path) -> None:
        """Take the examples from the text, and train; a killed run goes on after the last pass."""
        kept = self.place.state_folder(self.name)
        kept.mkdir(exist_ok=True)
        training = replace(self.options.maxent, engine=self.engine, seed=self.options.seed)
        training.run(
            self.place.bitext(),
            self.place.links(),
            folder / MAXENT_FILE,
            examples=kept / "examples.bin",
            checkpoints=kept,
        )
        shutil.rmtree(kept)
