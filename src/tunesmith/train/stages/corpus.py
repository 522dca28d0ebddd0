"""The stage that prepares text: tokenised, cased, cleaned and coded."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from tunesmith.base.rundir import file_hash
from tunesmith.train.stages.base import TrainingStage
from tunesmith.train.text import prepare_text


class Corpus(TrainingStage):
    """Texts → ``bitext.bin``, ``source.json`` and ``target.json`` (preprocessors), the dev set."""

    name = "corpus"

    def inputs(self) -> list[Any]:
        """The section text and the files' contents."""
        return [asdict(self.options.text), [file_hash(path) for path in self.place.files.paths()]]

    def write(self, folder: Path) -> None:
        """Prepare training and dev text."""
        files = self.place.files
        prepare_text(
            folder,
            (files.source, files.target),
            (files.dev_source, files.dev_references),
            self.options.text,
            engine=self.engine,
        )
