"""JSON that somebody may have changed."""

import json
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any, get_args, get_origin

from tunesmith.base.errors import ConfigError


def parse_json(text: str | bytes) -> Any:
    """The value that `text` is; ValueError if it is none, or nested too deeply to be read.

    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: values nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("values nested too deeply") from None


def checked(values: Any, types: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Return the entries of an object, or raise ConfigError if one of them has another type.

    Types are ``int``, ``str``, ``bool``, ``list``, ``dict`` and ``tuple`` (a list of this length)
    of others, and ``X | None`` for an entry that may be missing.

    >>> checked({"counts": {"a": [1, 2]}}, {"counts": dict[str, tuple[int, int]]}, "words")
    {'counts': {'a': [1, 2]}}
    >>> checked({"counts": {"a": [1]}}, {"counts": dict[str, tuple[int, int]]}, "words")
    Traceback (most recent call last):
    tunesmith.base.errors.ConfigError: words: 'counts' is missing or broken
    """
    for key, kind in types.items():
        if not isinstance(values, Mapping) or not _checker(kind)(values.get(key)):
            raise ConfigError(f"{name}: '{key}' is missing or broken")
    return dict(values)


def _checker(kind: Any) -> Callable[[Any], bool]:
    outer, inner = get_origin(kind), list(map(_checker, get_args(kind)))
    if outer is UnionType:
        return lambda value: any(fits(value) for fits in inner)
    if outer is list:
        return lambda value: isinstance(value, list) and all(map(inner[0], value))
    if outer is tuple:
        return lambda value: (
            isinstance(value, list)
            and len(value) == len(inner)
            and all(fits(one) for fits, one in zip(inner, value, strict=True))
        )
    if outer is dict:
        return lambda value: (
            isinstance(value, dict)
            and all(map(inner[0], value))
            and all(map(inner[1], value.values()))
        )
    return lambda value: type(value) is kind
