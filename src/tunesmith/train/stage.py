"""A stage of a pipeline: a folder of outputs, kept as long as what it was made from is the same."""

import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import tunesmith
from tunesmith.base.atomic import atomic_directory, atomic_text
from tunesmith.base.json_text import parse_json
from tunesmith.base.log import log
from tunesmith.engine.resources import Meter
from tunesmith.evaluate.training_files import KEY_FILE, RESOURCES_FILE


@dataclass(frozen=True)
class Stage:
    """What a stage is: its name, all that decides its outputs, and the work itself."""

    name: str
    inputs: Any
    """Options, hashes of files, keys of earlier stages: plain JSON values."""
    work: Callable[[Path], None]
    """Writes the outputs into a folder."""

    @property
    def key(self) -> str:
        """A hash of everything that decides the outputs."""
        text = json.dumps(
            [tunesmith.__version__, self.name, self.inputs], sort_keys=True, default=str
        )
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def folder(self, work_folder: Path) -> Path:
        """Where the outputs are."""
        return work_folder / self.name

    def is_done(self, work_folder: Path) -> bool:
        """Whether the outputs are there and were made from the same inputs."""
        path = self.folder(work_folder) / KEY_FILE
        try:
            return bool(parse_json(path.read_text(encoding="utf-8"))["key"] == self.key)
        except (OSError, ValueError, KeyError, TypeError):
            return False

    def run(self, work_folder: Path, *, again: bool = False) -> Path:
        """Do the work, unless it is done already; the folder appears when it is complete."""
        folder = self.folder(work_folder)
        if self.is_done(work_folder) and not again:
            log.info("%s: kept from an earlier run", self.name)
            return folder
        meter = Meter()
        shutil.rmtree(folder, ignore_errors=True)
        with atomic_directory(folder) as temporary:
            self.work(temporary)
            with atomic_text(temporary / KEY_FILE) as stream:
                json.dump({"key": self.key, "inputs": self.inputs}, stream, indent=1, default=str)
            used = meter.used()
            with atomic_text(temporary / RESOURCES_FILE) as stream:
                json.dump(asdict(used), stream)
        log.info("%s: done in %.1f s", self.name, used.seconds)
        return folder
