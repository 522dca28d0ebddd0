"""The stages that estimate language models."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from tunesmith.base.rundir import file_hash
from tunesmith.train.language_models import first_estimation, second_estimation, write_clusters
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage


class FirstModel(TrainingStage):
    """The target side of ``bitext.bin`` → ``lm.bin``, n-grams of words."""

    name = "lm"

    def inputs(self) -> list[Any]:
        """The text and the order that was asked for."""
        return [self.place.key("corpus"), self.options.lm.order]

    def write(self, folder: Path) -> None:
        """Estimate it."""
        text = self.place.bitext().target
        first_estimation(text, self.options.lm, self.engine)(text).save(folder / "lm.bin")


class SecondModel(TrainingStage):
    """The same text → ``lm.bin``, n-grams of ``clusters.tsv``, its word classes; or a given one."""

    name = "lm2"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether the feature set has two language models."""
        return options.second_lm

    def inputs(self) -> list[Any]:
        """The text, and the options but those of the first model."""
        second = asdict(self.options.lm)
        del second["order"]
        if self.options.lm.lm2:
            second["lm2"] = file_hash(self.options.lm.lm2)
        return [self.place.key("corpus"), second]

    def write(self, folder: Path) -> None:
        """Find the classes and estimate the model."""
        text, options = self.place.bitext().target, self.options.lm
        if not options.lm2:
            write_clusters(text, options, folder, self.engine)
        second_estimation(folder, options, self.engine)(text).save(folder / "lm.bin")
