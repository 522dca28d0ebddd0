"""The stages that extract phrase tables."""

from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from tunesmith.train.keywords import relevant
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage


class Phrases(TrainingStage):
    """``bitext.bin`` and ``links.bin`` → ``phrases.bin``."""

    name = "phrases"
    links_of: ClassVar[str] = "align"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether the model has phrases."""
        return options.model == "phrase"

    def inputs(self) -> list[Any]:
        """The links and the section phrases."""
        return [self.place.key(self.links_of), relevant(self.options.phrases)]

    def write(self, folder: Path) -> None:
        """Extract and score."""
        extraction = replace(self.options.phrases, engine=self.engine)
        extraction.run(self.place.bitext(), self.place.links(self.links_of), folder / "phrases.bin")


class SecondPhrases(Phrases):
    """The same with the links of the other alignment model."""

    name = "phrases2"
    links_of = "align2"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether a second table is extracted."""
        return bool(options.second_alignment)
