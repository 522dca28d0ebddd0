"""What a learner keeps between epochs, so that a killed run goes on with the same result."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json
from tunesmith.base.lock import locked
from tunesmith.base.resume import check_settings
from tunesmith.features import LexicalModel
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.learn.epochs import Epoch
from tunesmith.learn.learner import Learned, Learner

STATE_FILE = "maxforce.json"


@contextmanager
def state_folder(folder: str | Path | None) -> Iterator[Path]:
    """The folder, which is in use meanwhile; None: a temporary one."""
    if folder is None:
        with TemporaryDirectory(prefix="maxforce.") as temporary:
            yield Path(temporary)
    else:
        with locked(folder):
            yield Path(folder)


@dataclass
class Checkpoint:
    """A folder with the learner's state after its last whole epoch, and the best model so far."""

    folder: Path
    identity: Mapping[str, Any]
    state: list[Any] = field(default_factory=list)
    """What the learner gave to be kept here; its files have the rest."""
    epochs: list[dict[str, Any]] = field(default_factory=list)
    start_score: float | None = None

    @classmethod
    def open(cls, folder: str | Path, identity: Mapping[str, Any]) -> "Checkpoint":
        """What is in `folder`; a run with other settings is refused."""
        identity = json.loads(json.dumps(identity))
        folder = Path(folder)
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
        return cls(folder, identity, state, epochs, start_score)

    def restore(self, learner: Learner) -> list[Epoch]:
        """The epochs that are done; the learner goes on behind them."""
        if self.epochs:
            learner.restore(self._learner_file(len(self.epochs)), self.state)
        return [Epoch(**row) for row in self.epochs]

    def save(self, learner: Learner, best: Learned | None, epochs: list[Epoch]) -> None:
        """Keep an epoch, and what it has learned if it is the best: files first, then the state."""
        done = len(epochs)
        state = learner.save(self._learner_file(done))
        if best is not None:
            if best.lexical is not None:
                best.lexical.save(self.folder / f"best-{done}.bin")
            write_weights(self.folder / f"best-{done}.tsv", best.weights)
        values = {
            "identity": self.identity,
            "state": state,
            "epochs": [asdict(epoch) for epoch in epochs],
            "start_score": self.start_score,
        }
        with atomic_text(self.folder / STATE_FILE) as stream:
            json.dump(values, stream, indent=1)
        self._learner_file(done - 1).unlink(missing_ok=True)
        if best is not None:
            for number in range(1, done):
                (self.folder / f"best-{number}.bin").unlink(missing_ok=True)
                (self.folder / f"best-{number}.tsv").unlink(missing_ok=True)

    @property
    def best(self) -> Learned:
        """What the best epoch has learned."""
        path = max(self.folder.glob("best-*.tsv"), key=lambda p: int(p.stem.split("-")[1]))
        lexical = path.with_suffix(".bin")
        return Learned(read_weights(path), LexicalModel.load(lexical) if lexical.exists() else None)

    def _learner_file(self, epochs: int) -> Path:
        return self.folder / f"learner-{epochs}.bin"
