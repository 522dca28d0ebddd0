"""What training keeps on disk between two passes."""

import json
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.base.array_file import Array, contents_of, json_object, read_arrays, write_arrays
from tunesmith.base.resume import check_settings

FILE_KIND, FILE_VERSION = "reorder-state", 1
_EXPECTED, _REMEDY = "the state of a training that was stopped", "delete the file to begin again"

Arrays = dict[str, Array]


@dataclass(frozen=True)
class Found:
    """A state to go on from."""

    path: Path
    arrays: Arrays
    passes: list[dict[str, Any]]

    def checked(self) -> AbstractContextManager[None]:
        """Say of the file what is found wrong with its state in a block."""
        return contents_of(self.path, _EXPECTED, _REMEDY)


@dataclass(frozen=True)
class TrainerCheckpoint:
    """A file, and the settings of the run that it belongs to."""

    path: Path
    settings: Mapping[str, Any]

    def read(self, types: Mapping[str, tuple[type, int]]) -> Found | None:
        """What the file has, if it is there; a run with other settings is refused."""
        if not self.path.exists():
            return None
        every = {**types, "meta": (np.uint8, 1)}
        arrays = read_arrays(self.path, FILE_KIND, FILE_VERSION, every)
        with contents_of(self.path, _EXPECTED, _REMEDY):
            meta = json_object(arrays["meta"].tobytes())
            known, passes = dict(meta["settings"]), [dict(row) for row in meta["passes"]]
        check_settings(self.path, known, self.settings, run="training", otherwise="delete the file")
        return Found(self.path, {name: arrays[name] for name in types}, passes)

    def write(self, arrays: Arrays, passes: list[dict[str, Any]]) -> None:
        """Keep a state."""
        meta = json.dumps({"settings": self.settings, "passes": passes}).encode()
        everything = {**arrays, "meta": np.frombuffer(meta, dtype=np.uint8)}
        write_arrays(self.path, FILE_KIND, FILE_VERSION, everything)
