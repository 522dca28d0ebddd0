"""The stages that align words."""

from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.align import Aligner
from tunesmith.align.mismatch import warn_of_mismatch
from tunesmith.base.log import log
from tunesmith.train.keywords import relevant, replace_parameters
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage
from tunesmith.train.workplace import second_aligner


class Align(TrainingStage):
    """``bitext.bin`` → ``links.bin``."""

    name = "align"

    def aligner(self) -> Aligner:
        """That of the section align."""
        return self.options.align

    def inputs(self) -> list[Any]:
        """The pairs and the aligner."""
        filter = ["filter"] if self.options.filter else []
        return [self.place.key("corpus"), relevant(self.aligner()), *filter]

    def write(self, folder: Path) -> None:
        """Learn an alignment model of the pairs, and align them; pairs left out get no links."""
        aligner = replace_parameters(self.aligner(), engine=self.engine)
        bitext = self.place.bitext()
        wants_all = self.options.filter
        matches = warn_of_mismatch(bitext, engine=self.engine, wants_all=wants_all)
        if not wants_all:
            aligner.fit(bitext).align(bitext).save(folder / "links.bin")
            return
        worst = matches.worst()
        log.info(f"{len(worst):,} of {len(bitext):,} sentence pairs are left out")
        kept = bitext.select(np.setdiff1d(np.arange(len(bitext)), worst))
        aligner.fit(kept).align(bitext).without(worst).save(folder / "links.bin")


class SecondAlign(Align):
    """The same by another alignment model, for a second phrase table."""

    name = "align2"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether a second table is extracted."""
        return bool(options.second_alignment)

    def aligner(self) -> Aligner:
        """That of the section align with another model."""
        return second_aligner(self.options)
