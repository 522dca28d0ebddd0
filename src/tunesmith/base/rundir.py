"""Run directories: the resolved configuration, version and input hashes beside every result."""

import dataclasses
import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from typing import Any

import tunesmith
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json

RECORD_NAME = "run.json"

# What stands beside a record does not need it.
_REMEDY = "delete this file: only the note of where the rest came from is lost"


def file_hash(path: str | Path) -> str:
    """The content hash of a file (BLAKE2b, 16 bytes, hexadecimal)."""
    digest = hashlib.blake2b(digest_size=16)
    try:
        with open(path, "rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    except OSError as error:
        raise InputError(path, 0, error.strerror or str(error), "a readable file") from error
    return digest.hexdigest()


@cache
def code_hash(*, without: tuple[str, ...] = ()) -> str:
    """A hash of the program itself, native part included, without the rooms that are named.

    The version tells releases apart; this tells a program from the one that somebody changed.
    """
    digest = hashlib.blake2b(digest_size=16)
    for folder in map(Path, tunesmith.__path__):
        files = [*folder.rglob("*.py"), *folder.glob(f"_core*{EXTENSION_SUFFIXES[-1]}")]
        for path in sorted(files):
            name = path.relative_to(folder)
            if name.parts[0] not in without:
                digest.update(f"{name.as_posix()} {file_hash(path)}\n".encode())
    return digest.hexdigest()


def run_record(command: str, options: Any, inputs: Iterable[str | Path]) -> dict[str, Any]:
    """What must be known to repeat a run: version, command, all options, hashes of the inputs."""
    if dataclasses.is_dataclass(options) and not isinstance(options, type):
        options = dataclasses.asdict(options)
    return {
        "tunesmith": tunesmith.__version__,
        "command": command,
        "options": options,
        "inputs": {str(path): file_hash(path) for path in inputs},
    }


def write_record(folder: str | Path, record: Mapping[str, Any]) -> None:
    """Write the record of a run into its folder."""
    with atomic_text(Path(folder) / RECORD_NAME) as stream:
        json.dump(record, stream, indent=2, default=str, ensure_ascii=False)
        stream.write("\n")


def read_record(folder: str | Path) -> dict[str, Any] | None:
    """The record of an earlier run in `folder`, or None."""
    path = Path(folder) / RECORD_NAME
    if not path.exists():
        return None
    try:
        record = parse_json(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(path, 0, "not a run record", "JSON", _REMEDY) from error
    if not isinstance(record, dict) or not isinstance(record.get("inputs", {}), dict):
        raise InputError(path, 0, "not a run record", "a JSON object", _REMEDY)
    return record
