"""Features kept beside weights, so that whoever uses the weights computes the same ones.

Beside ``weights.tsv`` stands the folder ``weights.tsv.features``: ``features.json`` says what was
added in which order, and models that were trained for it lie next to it. Files that were given are
named with a hash of their content and refused if they have changed.
"""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tunesmith.base.array_file import json_object
from tunesmith.base.atomic import atomic_directory, atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.parameters import check_parameters, parameters_of
from tunesmith.base.rundir import file_hash
from tunesmith.rescore.base import ListFeature
from tunesmith.rescore.registry import feature_class

RECORD = "features.json"
VERSION = 1


def folder_of(weights: str | Path) -> Path:
    """Where the features of a file of weights are kept."""
    return Path(f"{weights}.features")


def comment(weights: str | Path) -> str:
    """The comment in a file of weights that says that it has such a folder."""
    return f"features are added: {folder_of(Path(weights).name)}"


def keep_features(weights: str | Path, features: Sequence[ListFeature]) -> None:
    """Keep features beside weights; without any, a folder of weights before is removed."""
    folder = folder_of(weights)
    if not features:
        if (folder / RECORD).is_file():
            shutil.rmtree(folder)
        return
    with atomic_directory(folder) as place:
        entries = [_entry(feature.kept_in(place), place) for feature in features]
        with atomic_text(place / RECORD) as stream:
            json.dump({"version": VERSION, "features": entries}, stream, indent=1)
            stream.write("\n")


def _entry(feature: ListFeature, folder: Path) -> dict[str, Any]:
    options, hashes = {}, {}
    for field in parameters_of(type(feature)):
        value = getattr(feature, field.name)
        if field.name in feature.files and value:
            path, _, function = _file_of(value)
            if path.parent == folder:
                value = path.name
            else:
                value = str(path.resolve()) + function
                hashes[field.name] = file_hash(path)
        options[field.name] = value
    return {"kind": feature.kind, "options": options, "hashes": hashes}


def _file_of(value: str) -> tuple[Path, str, str]:
    """The file of an option, and what follows its name (``file.py:function``)."""
    path, colon, function = value.rpartition(":")
    if colon and path.endswith(".py"):
        return Path(path), path, f":{function}"
    return Path(value), value, ""


def kept_features(weights: str | Path) -> list[ListFeature]:
    """The features that are kept beside weights; none if there is no such folder."""
    folder = folder_of(weights)
    record = folder / RECORD
    if not record.is_file():
        if comment(weights) in _first_lines(weights):
            raise InputError(
                folder, 0, "no such folder",
                f"the features that {weights} was tuned with", "copy it along with the weights",
            )  # fmt: skip
        return []
    try:
        content = json_object(record.read_bytes())
        if content.get("version") != VERSION:
            raise ValueError(f"version {content.get('version')!r}, expected {VERSION}")
        return [_feature(entry, folder) for entry in content["features"]]
    except (KeyError, TypeError, ValueError, AttributeError, OptionError) as error:
        raise InputError(
            record, 0, f"{error}", "what `tunesmith tune --add` wrote", "tune again"
        ) from error


def _feature(entry: dict[str, Any], folder: Path) -> ListFeature:
    cls = feature_class(str(entry["kind"]))
    options = dict(entry["options"])
    known = {field.name for field in parameters_of(cls)}
    if unknown := sorted(set(options) - known):
        raise OptionError(f"unknown option '{unknown[0]}' of {cls.kind}")
    for name in cls.files:
        if not options.get(name):
            continue
        path, _, _ = _file_of(options[name])
        if not path.is_absolute():
            options[name] = str(folder / options[name])
        elif not path.is_file():
            raise InputError(path, 0, "no such file", "what the weights were tuned with")
        elif file_hash(path) != entry["hashes"].get(name):
            raise InputError(
                path, 0, "another content than when the weights were tuned", "the same file",
                "tune again",
            )  # fmt: skip
    feature = cls(**options)
    check_parameters(feature)
    return feature


def _first_lines(path: str | Path) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as stream:
            return stream.read(4096)
    except OSError:
        return ""
