"""The corpora beside the project: what a test needs of them is looked for file by file."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest


class SharedData(type(Path())):
    """A folder or file of the shared data. Naming one that is absent skips the test, or fails it
    under CI, with the name of the file.
    """

    @classmethod
    def here(cls) -> "SharedData":
        """Beside the project, or where TUNESMITH_DATA says."""
        beside = Path(__file__).resolve().parents[2] / "shared" / "data"
        return cls(os.environ.get("TUNESMITH_DATA", beside))

    def __truediv__(self, name: str) -> "SharedData":
        path = super().__truediv__(name)
        if not path.exists():
            path.is_missed()
        return path

    def glob(self, pattern: str) -> Iterator["SharedData"]:
        """Those that match, in the order of their names: at least one."""
        found = sorted(super().glob(pattern))
        if not found:
            self.joinpath(pattern).is_missed()
        return iter(found)

    def moses_ini(self, weights: str) -> "SharedData":
        """The Moses model with these weights, with all the files that it names."""
        folder = self / "moses-model"
        for name in ("phrase-table.gz", "reordering-table.gz", "lm.arpa.gz"):
            folder / name
        return folder / f"moses.{weights}.ini"

    def is_missed(self) -> NoReturn:
        """Skip the test that runs, or let it fail."""
        reason = f"no data at {self} (set TUNESMITH_DATA)"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
