"""What a learner keeps between epochs, so that a killed run goes on with the same result."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json
from tunesmith.base.resume import check_settings
from tunesmith.base.weights import Weights
from tunesmith.features import LexicalModel
from tunesmith.formats.weights import read_weights, write_weights

STATE_FILE = "maxforce.json"


@dataclass
class Checkpoint:
    """A folder with the learner's state after its last whole epoch, and the best model so far."""

    folder: Path
    identity: Mapping[str, Any]
    lexical: LexicalModel | None = None
    """The weights to go on with; None at the start."""
    state: list[Any] = field(default_factory=list)
    epochs: list[dict[str, Any]] = field(default_factory=list)
    start_score: float | None = None

    @classmethod
    def open(cls, folder: str | Path | None, identity: Mapping[str, Any]) -> "Checkpoint":
        """What is in `folder`; a run with other settings is refused. None: a temporary folder."""
        identity = json.loads(json.dumps(identity))
        folder = Path(mkdtemp(prefix="maxforce.") if folder is None else folder)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / STATE_FILE
        if not path.exists():
            return cls(folder, identity)
        try:
            saved = parse_json(path.read_text(encoding="utf-8"))
            known, epochs = saved["identity"], saved["epochs"]
            state, start_score = saved["state"], float(saved["start_score"])
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(path, 0, "no state of a learner", "", "delete the folder") from error
        check_settings(folder, known, identity)
        lexical = LexicalModel.load(folder / f"learner-{len(epochs)}.bin")
        return cls(folder, identity, lexical, state, epochs, start_score)

    def save(
        self,
        learner: LexicalModel,
        best: LexicalModel | None,
        weights: Weights | None,
        values: Mapping[str, Any],
    ) -> None:
        """Keep an epoch: first its files, then the state that names them."""
        done = len(values["epochs"])
        learner.save(self.folder / f"learner-{done}.bin", resumable=True)
        if best is not None and weights is not None:
            best.save(self.folder / f"best-{done}.bin")
            write_weights(self.folder / f"best-{done}.tsv", weights)
        with atomic_text(self.folder / STATE_FILE) as stream:
            json.dump({"identity": self.identity, **values}, stream, indent=1)
        (self.folder / f"learner-{done - 1}.bin").unlink(missing_ok=True)
        if best is not None:
            for number in range(1, done):
                (self.folder / f"best-{number}.bin").unlink(missing_ok=True)
                (self.folder / f"best-{number}.tsv").unlink(missing_ok=True)

    @property
    def best(self) -> tuple[LexicalModel, Weights]:
        """The model and weights of the best epoch."""
        path = max(self.folder.glob("best-*.bin"), key=lambda p: int(p.stem.split("-")[1]))
        return LexicalModel.load(path), read_weights(path.with_suffix(".tsv"))
