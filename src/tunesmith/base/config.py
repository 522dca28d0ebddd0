"""Configuration: TOML files into dataclasses. An unknown key is an error, as is a wrong type."""

import dataclasses
import tomllib
import types
import typing
from pathlib import Path
from typing import Any, TypeVar

from tunesmith.base.errors import ConfigError, InputError, UnknownKeyError

T = TypeVar("T")
# What people call the types of values.
_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}


def read_config(path: str | Path, kind: type[T]) -> T:
    """Read the TOML file `path` into the dataclass `kind` (tables into nested dataclasses)."""
    try:
        text = Path(path).read_bytes()
    except OSError as error:
        raise InputError(path, 0, error.strerror or str(error), "a readable TOML file") from error
    try:
        return from_mapping(parse_toml(text, path), kind)
    except ConfigError as error:
        raise InputError(path, 0, str(error)) from error


def parse_toml(text: bytes, path: str | Path) -> dict[str, Any]:
    """The keys and values of the TOML file `path`, whose content is `text`."""
    try:
        return tomllib.loads(text.decode("utf-8"))
    except RecursionError as error:
        raise InputError(path, 0, "values nested too deeply", "valid TOML") from error
    except ValueError as error:  # also of a number with thousands of digits
        raise InputError(path, 0, str(error), "valid TOML") from error


def from_mapping(
    values: dict[str, Any], kind: type[T], where: str = "", start: T | None = None
) -> T:
    """Build the dataclass `kind` from a mapping, checking every key and type.

    What the mapping does not say is as in `start`: for a table, what the field has without it.

    >>> @dataclasses.dataclass
    ... class Options:
    ...     order: int = 5
    >>> from_mapping({"order": 3}, Options)
    Options(order=3)
    >>> from_mapping({"ordre": 3}, Options)
    Traceback (most recent call last):
    tunesmith.base.errors.UnknownKeyError: unknown key 'ordre', expected one of: order
    """
    # What a class finds out by itself (an aligner's model) is nothing to be told.
    fields = {
        field.name: field
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
        if field.init
    }
    hints = typing.get_type_hints(kind)
    for key in values:
        if key not in fields:
            raise UnknownKeyError(f"{where}{key}", fields)
    found = {} if start is None else {name: getattr(start, name) for name in fields}
    for name, field in fields.items():
        needed = field.default is field.default_factory is dataclasses.MISSING
        if needed and name not in values and name not in found:
            raise ConfigError(f"no key '{where}{name}'")
    for key, value in values.items():
        factory = fields[key].default_factory
        inner = None if factory is dataclasses.MISSING else factory()
        found[key] = _checked(value, hints[key], f"{where}{key}", inner)
    return kind(**found)


def _checked(value: Any, hint: Any, key: str, start: Any = None) -> Any:
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return from_mapping(value, hint, f"{key}.", start)  # type: ignore[arg-type]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        for alternative in arguments:
            try:
                return _checked(value, alternative, key)
            except ConfigError:
                continue
    elif origin is typing.Literal:
        if value in arguments:
            return value
    elif origin in (list, tuple):
        if isinstance(value, list):
            items = [_checked(item, arguments[0], key) for item in value]
            return tuple(items) if origin is tuple else items
    elif origin is dict:
        if isinstance(value, dict):
            return {
                name: _checked(item, arguments[1], f"{key}.{name}") for name, item in value.items()
            }
    elif hint is float:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return float(value)
    elif hint is Path:
        if isinstance(value, str):
            return Path(value)
    elif hint is Any or (isinstance(hint, type) and type(value) is hint):
        return value
    plain = getattr(hint, "__name__", str(hint)) if not arguments else str(hint)
    name = _NAMES.get(hint, plain)
    raise ConfigError(f"key '{key}' is {value!r}, expected {name}")
