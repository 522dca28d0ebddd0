"""`LayerFolder`: the files of an adaptation.

LAYER/
layer.json         which model it belongs to, and with which options it learns
corrections.jsonl  the log: a line for each correction or undo; all that follows is made from it
rules.bin          the rules of the corrections that hold (a table, or an index for a grammar)
weights.tsv        all weights of the model with them
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import tunesmith
from tunesmith.adapt.correction import Correction, Undo, correction_of
from tunesmith.adapt.options import AdaptOptions
from tunesmith.base.atomic import atomic_text
from tunesmith.base.config import from_mapping
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.json_text import parse_json
from tunesmith.base.parameters import check_parameters
from tunesmith.base.rundir import file_hash
from tunesmith.base.weights import Weights
from tunesmith.formats.weights import write_weights
from tunesmith.model import TranslationModel
from tunesmith.model.description import MODEL_FILE, without_languages
from tunesmith.model.files import WEIGHTS_FILE

FORMAT = 1
HEAD_FILE, LOG_FILE, RULES_FILE = "layer.json", "corrections.jsonl", "rules.bin"
# Of a large file its ends are looked at: it has checksums of what is between.
ENDS = 1 << 16


def model_digest(model: TranslationModel) -> str:
    """Return what tells a model from others: its files and weights, not what it is called.

    So a layer still fits when the languages of its model are corrected.
    """
    digest = hashlib.blake2b(digest_size=16)
    for path in [*model.files(), model.folder / WEIGHTS_FILE]:
        if path.name == MODEL_FILE:
            content = without_languages(path.read_bytes())
            own = hashlib.blake2b(content, digest_size=16).hexdigest()
            digest.update(f"{path.name} {own}\n".encode())
            continue
        size = path.stat().st_size
        if size <= 2 * ENDS:
            digest.update(f"{path.name} {file_hash(path)}\n".encode())
            continue
        with open(path, "rb") as stream:
            digest.update(f"{path.name} {size}\n".encode() + stream.read(ENDS))
            stream.seek(-ENDS, os.SEEK_END)
            digest.update(stream.read())
    return digest.hexdigest()


class LayerFolder:
    """Reads and writes the files of a layer; the log is what counts."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.log_path, self.rules_path = self.path / LOG_FILE, self.path / RULES_FILE
        self.weights_path = self.path / WEIGHTS_FILE

    @property
    def exists(self) -> bool:
        """Whether there is a layer."""
        return (self.path / HEAD_FILE).exists()

    def make(self, model: TranslationModel, options: AdaptOptions) -> None:
        """A new layer without corrections; a folder with something else in it is refused."""
        check_parameters(options)
        others = [one.name for one in self.path.iterdir()] if self.path.is_dir() else []
        if self.path.exists() and (not self.path.is_dir() or set(others) - {".lock"}):
            raise InputError(self.path, 0, "exists and is no layer", "a new name or a layer")
        head = {
            "format": FORMAT,
            "tunesmith": tunesmith.__version__,
            "model": model_digest(model),
            "kind": model.kind,
            "options": asdict(options),
        }
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self.log_path.touch()
        except OSError as error:
            raise InputError(
                self.path, 0, error.strerror or str(error), "a writable folder"
            ) from error
        with atomic_text(self.path / HEAD_FILE) as stream:
            json.dump(head, stream, indent=2)
            stream.write("\n")

    def head(self) -> dict[str, Any]:
        """What ``layer.json`` says."""
        path = self.path / HEAD_FILE
        try:
            head = parse_json(path.read_bytes())
        except OSError as error:
            raise InputError(
                self.path, 0, f"no readable {HEAD_FILE} in it", "a layer",
                "make one with `tunesmith adapt`",
            ) from error  # fmt: skip
        except ValueError as error:
            raise InputError(path, 0, "not JSON", "what `tunesmith adapt` wrote") from error
        if not isinstance(head, dict) or not isinstance(head.get("options"), dict):
            raise InputError(path, 0, "no options of a layer", "what `tunesmith adapt` wrote")
        if head.get("format") != FORMAT:
            raise InputError(
                path, 0, f"format {head.get('format')!r}", f"{FORMAT}",
                "export its corrections with the version that made it, and learn them again",
            )  # fmt: skip
        return head

    def options(self) -> AdaptOptions:
        """Those that the layer was made with."""
        path = self.path / HEAD_FILE
        try:
            options = from_mapping(self.head()["options"], AdaptOptions)
            check_parameters(options)
        except InputError:
            raise
        except TunesmithError as error:
            raise InputError(path, 0, str(error)) from error
        return options

    def check_options(self, given: Mapping[str, Any]) -> None:
        """Refuse options that are not those of the layer: what it learned depends on them."""
        own = asdict(self.options())
        for name, value in given.items():
            if own[name] != value:
                raise OptionError(
                    f"{name} is {value}, but {self.path} learns with {own[name]}: give a new layer "
                    "other options, and --merge this one into it"
                )

    def check_model(self, model: TranslationModel) -> None:
        """Refuse a model that the layer was not made for."""
        if self.head().get("model") != model_digest(model):
            raise InputError(
                self.path / HEAD_FILE,
                0,
                f"a layer of another model than {model.folder}",
                "the model that it was made for",
                "for another one export its corrections and learn them again "
                "(`tunesmith adapt --export`, --post-edits)",
            )

    def read_log(self) -> list[Correction | Undo]:
        """All lines of the log; a last one that was cut off is not there."""
        return read_log(self.log_path)

    def files(self) -> list[Path]:
        """What a layer is made of."""
        names = (HEAD_FILE, LOG_FILE, RULES_FILE, WEIGHTS_FILE)
        return [self.path / name for name in names]

    def size(self) -> int:
        """Bytes of the log: it only grows."""
        return self.log_path.stat().st_size

    def append(self, entry: Correction | Undo) -> None:
        """Add a line to the log; what a kill left of an earlier one goes first."""
        line = json.dumps(entry.to_json(), ensure_ascii=False).encode() + b"\n"
        try:
            with open(self.log_path, "r+b") as stream:
                data = stream.read()
                stream.seek(data.rfind(b"\n") + 1)
                stream.truncate()
                stream.write(line)
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise InputError(
                self.log_path, 0, error.strerror or str(error), "a writable file"
            ) from error

    def write_weights(self, weights: Weights) -> None:
        """All weights, for people and other programs."""
        write_weights(self.weights_path, weights)


def read_log(path: Path) -> list[Correction | Undo]:
    """All lines of a log; a last one that was cut off is not there."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(path, 0, error.strerror or str(error), "the log of a layer") from error
    found: list[Correction | Undo] = []
    made, holding = 0, set[int]()
    for number, line in enumerate(data.split(b"\n")[:-1], 1):
        try:
            entry = correction_of(parse_json(line), number)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            expected = "a line that `tunesmith adapt` wrote"
            raise InputError(path, number, "no correction", expected) from error
        if isinstance(entry, Undo):
            if entry.id not in holding:
                raise InputError(path, number, f"undo of {entry.id}", "a correction that holds")
            holding.remove(entry.id)
        else:
            made += 1
            if entry.id != made:
                raise InputError(path, number, f"id {entry.id}", "ids in their order")
            holding.add(entry.id)
        found.append(entry)
    return found
