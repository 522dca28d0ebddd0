"""The stage that indexes the text of a hierarchical model."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from tunesmith.corpus import Preprocessor
from tunesmith.corpus.coding import WHOLE_FILE
from tunesmith.corpus.whole_compounds import with_whole_compounds
from tunesmith.formats.text import read_lines
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
        bitext, links = self.place.bitext(), self.place.links()
        if self.place.has_whole_compounds:
            splitter = Preprocessor.load(self.place.path("corpus", "source.json")).compounds
            assert splitter is not None
            lines = read_lines(self.place.path("corpus", WHOLE_FILE))
            bitext, links = with_whole_compounds(bitext, links, lines, splitter, engine=self.engine)
        options.run(bitext, links, folder / "grammar.bin")
