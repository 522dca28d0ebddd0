"""``model.toml``: what is in a model directory."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tunesmith.base.atomic import atomic_text
from tunesmith.base.config import from_mapping, parse_toml
from tunesmith.base.errors import ConfigError, InputError, OptionError
from tunesmith.base.rundir import read_record, write_record
from tunesmith.formats.plf import MAX_SCORES
from tunesmith.model.search import SearchOptions

MODEL_FILE = "model.toml"
FORMAT = 1
KINDS = ("phrase", "hiero")

# Log-probability of a phrase pair in a joined table that does not have it; chosen on held-out text
# (docs/phrases.md, bench/join_floor.py).
JOIN_FLOOR = -12.0


@dataclass(frozen=True)
class Description:
    """The keys of ``model.toml``."""

    format: int
    kind: str
    language_models: list[str]
    tables: list[str] = field(default_factory=list)
    grammar: str = ""
    source: str = ""
    target: str = ""
    source_language: str = ""
    target_language: str = ""
    features: str = ""
    unused: list[str] = field(default_factory=list)
    lexical: str = ""
    maxent: str = ""
    join_floor: float | None = None
    arc_features: int = 0
    keep_unknown_order: bool = False
    search: dict[str, Any] = field(default_factory=dict)

    def files(self) -> set[str]:
        """The tables, models and features that it names."""
        names = (self.features, self.lexical, self.maxent, self.grammar)
        optional = {name for name in names if name}
        return {*self.tables, *self.language_models, *optional}


def read_description(folder: str | Path) -> Description:
    """What the ``model.toml`` in `folder` says."""
    path = Path(folder) / MODEL_FILE
    try:
        text = path.read_bytes()
    except OSError as error:
        raise InputError(
            folder,
            0,
            f"no readable {MODEL_FILE} in it",
            "a model directory",
            "make one with `tunesmith train` or `tunesmith import`",
        ) from error
    try:
        return _checked(parse_toml(text, path))
    except (ConfigError, OptionError) as error:
        raise InputError(path, 0, str(error)) from error


def write_description(
    folder: Path,
    *,
    language_models: Sequence[str],
    tables: Sequence[str] = (),
    grammar: str = "",
    search: Mapping[str, Any] | None = None,
    source: str = "",
    target: str = "",
    source_language: str = "",
    target_language: str = "",
    features: str = "",
    unused: Sequence[str] = (),
    lexical: str = "",
    maxent: str = "",
    join_floor: float | None = None,
    arc_features: int = 0,
    keep_unknown_order: bool = False,
) -> None:
    """Write ``model.toml``: of a hierarchical model if it has a `grammar`, else of a phrase model.

    With a `join_floor` a phrase pair is one rule with the scores of all tables; those of a table
    that does not have the pair are the floor. Without, it is a rule of each table that has it, with
    the scores of that table alone, as in Moses. With `keep_unknown_order` unknown words that stand
    side by side are one phrase, placed as rare words are; without, each goes its own way.
    """
    lines = [
        "# A Tunesmith model. Names are files beside this one.",
        f"format = {FORMAT}",
        *(
            ['kind = "hiero"', f"grammar = {_toml(grammar)}"]
            if grammar
            else ['kind = "phrase"', f"tables = {_toml(list(tables))}"]
        ),
        f"language_models = {_toml(list(language_models))}",
        f"source = {_toml(source)}",
        f"target = {_toml(target)}",
        *([f"source_language = {_toml(source_language)}"] if source_language else []),
        *([f"target_language = {_toml(target_language)}"] if target_language else []),
        *([f"features = {_toml(features)}"] if features else []),
        *([f"unused = {_toml(list(unused))}"] if unused else []),
        *([f"lexical = {_toml(lexical)}"] if lexical else []),
        *([f"maxent = {_toml(maxent)}"] if maxent else []),
        *([] if join_floor is None else [f"join_floor = {_toml(join_floor)}"]),
        *([f"arc_features = {arc_features}"] if arc_features else []),
        *(["keep_unknown_order = true"] if keep_unknown_order else []),
        "",
        "# Limits of the search; options of `tunesmith translate` go before them.",
        "[search]",
        *(f"{key} = {_toml(value)}" for key, value in (search or {}).items()),
    ]
    with atomic_text(folder / MODEL_FILE) as stream:
        stream.write("\n".join(lines) + "\n")


def write_languages(folder: str | Path, source: str, target: str) -> None:
    """Replace the languages that a model states; nothing else of it changes.

    All other lines of its ``model.toml`` stay, by which a layer knows its model. The record of its
    training keeps the options that its text was prepared with, and names the new languages too.
    """
    path = Path(folder) / MODEL_FILE
    expected = replace(read_description(folder), source_language=source, target_language=target)
    own = [f"source_language = {_toml(source)}", f"target_language = {_toml(target)}"]
    rest = without_languages(path.read_bytes()).decode("utf-8").split("\n")
    # A key stands before the first table; the comment at the top stays there.
    first = next((n for n, line in enumerate(rest) if not line.startswith("#")), len(rest))
    text = "\n".join([*rest[:first], *own, *rest[first:]])
    if _checked(parse_toml(text.encode(), path)) != expected:
        raise InputError(path, 0, "languages among other keys", "a line for each of them")
    record = read_record(folder)
    with atomic_text(path) as stream:
        stream.write(text)
    if record is not None:
        write_record(folder, {**record, "languages": [source, target]})


def without_languages(content: bytes) -> bytes:
    """Return the content of a ``model.toml`` without the lines that name the languages."""
    return re.sub(rb"(?m)^(source|target)_language[ \t]*=.*\n?", b"", content)


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return repr(value)


def _checked(values: dict[str, Any]) -> Description:
    search = values.pop("search", {})
    if not isinstance(search, dict):
        raise ConfigError("key 'search' is no table")
    SearchOptions.checked(search)
    description = from_mapping(values, Description)
    if description.format != FORMAT:
        raise ConfigError(f"format {description.format}, expected {FORMAT}")
    if description.kind not in KINDS:
        raise ConfigError(f"kind '{description.kind}', expected {' or '.join(map(repr, KINDS))}")
    floor = description.join_floor
    if floor is not None and not (math.isfinite(floor) and floor <= 0):
        raise ConfigError(f"join_floor {floor}, expected the logarithm of a probability")
    if not 0 <= description.arc_features <= MAX_SCORES * (description.kind == "hiero"):
        raise ConfigError(
            f"arc_features {description.arc_features} of a {description.kind} model, expected 0"
            + (f" to {MAX_SCORES}" if description.kind == "hiero" else "")
        )
    if description.kind == "hiero" and description.maxent:
        raise ConfigError("key 'maxent' in a hierarchical model")
    if description.kind == "phrase" and not description.tables:
        raise ConfigError("no tables, expected at least one")
    if (description.kind == "hiero") != bool(description.grammar):
        raise ConfigError(
            "no grammar, expected its file"
            if description.kind == "hiero"
            else "key 'grammar' in a model of phrases"
        )
    for name in sorted(description.files()):
        if Path(name).name != name:
            raise ConfigError(f"file '{name}', expected a name without a folder")
    return replace(description, search=search)
