"""The stage that counts the rules of the first table again (Wuebker et al. 2010)."""

import shutil
from pathlib import Path
from typing import Any

from tunesmith.decode import ForcedOptions
from tunesmith.formats.weights import write_weights
from tunesmith.learn import reestimate
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE, link_or_copy
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage


class ForcedPhrases(TrainingStage):
    """The first table and language model → ``phrases.bin`` of what forced decoding uses."""

    name = "phrases2"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether the second table is one that was counted again."""
        return options.second_table == "forced"

    def inputs(self) -> list[Any]:
        """The model, and how far it may reorder."""
        parts = [self.place.key(name) for name in ("phrases", "lm")]
        return [*parts, self.options.search.distortion_limit]

    def write(self, folder: Path) -> None:
        """Force every pair with a model that has the first table alone."""
        with new_model(folder / "first") as first:
            for stage, name in (("phrases", "phrases.bin"), ("lm", "lm.bin")):
                link_or_copy(self.place.path(stage, name), first / name)
            write_description(first, tables=["phrases.bin"], language_models=["lm.bin"])
            write_weights(first / WEIGHTS_FILE, TranslationModel.load(first).initial_weights())
        reestimate(
            TranslationModel.load(folder / "first"),
            self.place.bitext(),
            folder / "phrases.bin",
            links=self.place.table_links(),
            options=ForcedOptions(distortion_limit=self.options.search.distortion_limit),
            engine=self.engine,
        )
        shutil.rmtree(folder / "first")
