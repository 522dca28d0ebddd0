"""The stage that indexes the text of a hierarchical model."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from tunesmith.train.keywords import relevant
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage


class RuleIndex(TrainingStage):
    """``bitext.bin`` and ``links.bin`` → ``grammar.bin``."""

    name = "grammar"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether the model is hierarchical."""
        return options.model == "hiero"

    def inputs(self) -> list[Any]:
        """The links and the section hiero."""
        return [self.place.key("align"), relevant(self.options.hiero)]

    def write(self, folder: Path) -> None:
        """Index the text, so that the rules of any input can be looked up."""
        options = replace(self.options.hiero, engine=self.engine)
        options.run(self.place.bitext(), self.place.links(), folder / "grammar.bin")
