"""Parts of a user's own, named as ``FILE.py:NAME``: tuners, metrics, templates."""

import importlib.util
import sys
import traceback
from pathlib import Path
from typing import Any

from tunesmith.base.errors import InputError, OptionError

_MARK = ".py:"
# Files that were imported, as they were then.
_loaded: dict[tuple[str, int], Any] = {}


def is_own(name: str) -> bool:
    """Whether a name is one of a user's own part.

    >>> is_own("parts/mine.py:Tuner"), is_own("kb-mira"), is_own("column:comet")
    (True, False, False)
    """
    return _MARK in name


def own_file(name: str) -> str:
    """The file that the name of an own part begins with."""
    return name.rpartition(":")[0]


def load_own(place: str, what: str) -> Any:
    """What ``FILE.py:NAME`` names; `what` it is to be is for messages."""
    path, colon, name = place.rpartition(":")
    if not colon or not path or not name:
        raise OptionError(f"{what} '{place}', expected FILE.py:NAME")
    found = getattr(own_module(path, f"a Python file with a {what}"), name, None)
    if found is None:
        raise InputError(path, 0, f"no '{name}'", f"the {what} of that name")
    return found


def own_module(path: str, expected: str) -> Any:
    """The module that a Python file is; what is wrong with it is said with its line."""
    if not Path(path).is_file():
        raise InputError(path, 0, "no such file", expected)
    key = str(Path(path).resolve()), Path(path).stat().st_mtime_ns
    if key in _loaded:
        return _loaded[key]
    # A name of its own: dataclasses look their module up.
    name = f"tunesmith_own_{len(_loaded)}_{Path(path).stem}"
    spec = importlib.util.spec_from_file_location(name, key[0])
    if spec is None or spec.loader is None:
        raise InputError(path, 0, "no Python file", "a file that ends in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, SyntaxError):
            raise InputError(path, error.lineno or 0, f"{error.msg}", "valid Python") from error
        if isinstance(error, Exception):
            raise InputError(
                path, own_line(error, path), f"{type(error).__name__}: {error}",
                "a file that can be imported",
            ) from error  # fmt: skip
        raise
    _loaded[key] = module
    return module


def own_line(error: BaseException, path: str) -> int:
    """The line of the file on which an error came up; 0 if it was elsewhere."""
    own = Path(path).resolve()
    frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename) == own]
    return (frames[-1].lineno or 0) if frames else 0
