"""Runs that go on where they were: only with the settings that they were begun with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tunesmith.base.errors import OptionError


def check_settings(
    folder: Path,
    known: Mapping[str, Any],
    wanted: Mapping[str, Any],
    *,
    run: str = "run",
    otherwise: str = "delete the folder",
) -> None:
    """Refuse to go on with the run in `folder` if its settings are not the wanted ones.

    >>> check_settings(Path("out"), {"seed": 1, "passes": 2}, {"seed": 1, "passes": 3})
    Traceback (most recent call last):
    tunesmith.base.errors.OptionError: out holds a run with other settings (passes differ); give \
the old settings to go on with it, or delete the folder
    """
    changed = [key for key in {**wanted, **known} if known.get(key) != wanted.get(key)]
    if changed:
        raise OptionError(
            f"{folder} holds a {run} with other settings ({', '.join(changed)} differ); give the "
            f"old settings to go on with it, or {otherwise}"
        )
