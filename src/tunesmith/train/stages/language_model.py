"""The stages that estimate language models."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from tunesmith.base.rundir import file_hash
from tunesmith.train.language_models import (
    MONO_FILE,
    second_estimation,
    write_clusters,
    write_first,
)
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage


class FirstModel(TrainingStage):
    """The target side of ``bitext.bin`` → ``lm.bin``, n-grams of words.

    Those of several corpora and of monolingual text are interpolated on the dev set.
    """

    name = "lm"

    def inputs(self) -> list[Any]:
        """The text and the order that was asked for."""
        mono = [self.place.key("mono")] if self.options.lm.mono else []
        return [self.place.key("corpus"), self.options.lm.order, *mono]

    def write(self, folder: Path) -> None:
        """Estimate it."""
        place, options = self.place, self.options.lm
        write_first(
            place.bitext(),
            place.path("mono", MONO_FILE) if options.mono else None,
            place.dev_reference_lines(),
            options,
            folder,
            self.engine,
        )


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
        for first in ("order", "mono", "mono_share"):
            del second[first]
        if self.options.lm.lm2:
            second["lm2"] = file_hash(self.options.lm.lm2)
        return [self.place.key("corpus"), second]

    def write(self, folder: Path) -> None:
        """Find the classes and estimate the model."""
        pairs, options = self.place.bitext(), self.options.lm
        if not options.lm2:
            write_clusters(pairs.target, options, folder, self.engine)
        second_estimation(folder, options, self.engine)(pairs).save(folder / "lm.bin")
