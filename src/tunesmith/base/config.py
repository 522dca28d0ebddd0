"""Configuration: TOML files into dataclasses. An unknown key is an error, as is a wrong type."""

import dataclasses
import tomllib
import types
import typing
from pathlib import Path
from typing import Any, TypeVar

from tunesmith.base.errors import ConfigError, InputError

T = TypeVar("T")


def read_config(path: str | Path, kind: type[T]) -> T:
    """Read the TOML file `path` into the dataclass `kind` (tables into nested dataclasses)."""
    try:
        with open(path, "rb") as stream:
            values = tomllib.load(stream)
    except OSError as error:
        raise InputError(path, 0, error.strerror or str(error), "a readable TOML file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(path, 0, str(error), "valid TOML") from error
    try:
        return from_mapping(values, kind)
    except ConfigError as error:
        raise InputError(path, 0, str(error)) from error


def from_mapping(values: dict[str, Any], kind: type[T], where: str = "") -> T:
    """Build the dataclass `kind` from a mapping, checking every key and type.

    >>> @dataclasses.dataclass
    ... class Options:
    ...     order: int = 5
    >>> from_mapping({"order": 3}, Options)
    Options(order=3)
    >>> from_mapping({"ordre": 3}, Options)
    Traceback (most recent call last):
    tunesmith.base.errors.ConfigError: unknown key 'ordre', expected one of: order
    """
    fields = {field.name: field for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    hints = typing.get_type_hints(kind)
    for key in values:
        if key not in fields:
            raise ConfigError(f"unknown key '{where}{key}', expected one of: {', '.join(fields)}")
    for name, field in fields.items():
        if name not in values and field.default is field.default_factory is dataclasses.MISSING:
            raise ConfigError(f"no key '{where}{name}'")
    return kind(
        **{key: _checked(value, hints[key], f"{where}{key}") for key, value in values.items()}
    )


def _checked(value: Any, hint: Any, key: str) -> Any:
    if dataclasses.is_dataclass(hint) and isinstance(value, dict):
        return from_mapping(value, hint, where=f"{key}.")  # type: ignore[arg-type]
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
    name = getattr(hint, "__name__", str(hint)) if not arguments else str(hint)
    raise ConfigError(f"key '{key}' is {value!r}, expected {name}")
