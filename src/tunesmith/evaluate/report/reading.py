"""What readers of run folders share."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json


@contextmanager
def contents(path: Path, what: str, remedy: str = "") -> Iterator[None]:
    """Give what is wrong with the values of a file its name."""
    try:
        yield
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        raise InputError(path, 0, f"no {what}", "", remedy) from error


def read_json(path: Path, what: str, remedy: str = "") -> Any:
    """The value of a file that a run has written."""
    try:
        content = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(path, 0, error.strerror or str(error), what, remedy) from error
    except UnicodeDecodeError as error:
        raise InputError(path, 0, f"no {what}", "", remedy) from error
    with contents(path, what, remedy):
        return parse_json(content)


def flat(options: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Nested options by their names.

    >>> flat({"tune": {"size": 100, "tuner": "pro"}, "seed": 1})
    {'tune.size': '100', 'tune.tuner': 'pro', 'seed': '1'}
    """
    found: dict[str, str] = {}
    for key, value in options.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{key}.")
        else:
            found[f"{prefix}{key}"] = str(value)
    return found


def is_dense(feature: str) -> bool:
    """Whether a feature is one of the few that all hypotheses have: sparse ones have a template."""
    return ":" not in feature


def traced(weights: list[Mapping[str, float]]) -> dict[str, list[float]]:
    """The dense weights of every iteration by feature."""
    names = dict.fromkeys(name for one in weights for name in one if is_dense(name))
    return {name: [float(one.get(name, 0.0)) for one in weights] for name in names}
