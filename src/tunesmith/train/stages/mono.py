"""The stage that takes from monolingual text what is like the training text."""

from pathlib import Path
from typing import Any

from tunesmith.base.rundir import file_hash
from tunesmith.corpus import Preprocessor
from tunesmith.train.language_models import MONO_FILE
from tunesmith.train.mono import MonoText, select
from tunesmith.train.options import TrainOptions
from tunesmith.train.stages.base import TrainingStage


class Mono(TrainingStage):
    """Files → ``mono.target``, the lines that are taken, and ``mono.bin``, a model of them."""

    name = "mono"

    @classmethod
    def is_part_of(cls, options: TrainOptions) -> bool:
        """Whether there is such text."""
        return bool(options.lm.mono)

    def inputs(self) -> list[Any]:
        """The training text, the files and what of them is taken."""
        lm = self.options.lm
        return [self.place.key("corpus"), list(map(file_hash, lm.mono)), lm.mono_share, lm.order]

    def write(self, folder: Path) -> None:
        """Choose the lines and estimate the model."""
        place, lm = self.place, self.options.lm
        pairs, dev = place.bitext(), place.dev_reference_lines()
        text = MonoText.prepare(
            [Path(path) for path in lm.mono],
            folder / "all",
            Preprocessor.load(place.path("corpus", "target.json")),
            dev,
            max_words=self.options.text.max_words,
            engine=self.engine,
        )
        order = lm.resolved_order(len(pairs.target.ids))
        chosen = select(text, pairs, dev, share=lm.mono_share, order=order, engine=self.engine)
        with (folder / "mono.target").open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(f"{line}\n" for line in text.chosen(chosen.is_chosen))
        text.path.unlink()
        chosen.model.save(folder / MONO_FILE)
