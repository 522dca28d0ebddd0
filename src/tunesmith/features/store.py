"""`RuleFeatures`: the sparse features of all rules of a model, memory-mapped."""

import json
from functools import cached_property
from pathlib import Path
from typing import Any

from tunesmith import _core
from tunesmith.base.array_file import is_verified
from tunesmith.base.errors import InputError, TunesmithError
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.grammar import PhraseTable


class RuleFeatures:
    """Sparse features on disk, made by `build_features`. Names are read when they are asked for."""

    def __init__(self, path: str | Path, *, verify: bool | None = None) -> None:
        """Map the features at `path`.

        With `verify` all contents are checked; by default only those of a small file, since it
        takes time.
        """
        self.path = Path(path)
        self.native = _core.RuleFeatures(str(path))
        if is_verified(path, verify):
            self.native.verify()

    def __len__(self) -> int:
        """The number of features."""
        return len(self.native)

    @property
    def meta(self) -> dict[str, Any]:
        """How the features were made: their templates."""
        return dict(json.loads(self.native.meta))

    @cached_property
    def names(self) -> Vocabulary:
        """Names ↔ ids."""
        text, ends = self.native.names()
        try:
            return Vocabulary.from_arrays({"bytes": text, "ends": ends})
        except TunesmithError as error:
            raise InputError(
                self.path, 0, str(error), "names of features", "make the features again"
            ) from error

    def of_rule(self, table: PhraseTable, rule: int) -> dict[str, float]:
        """The features of a rule of one of the tables, by name."""
        place = self.native.table_of(table.native)
        return {self.native.name(i): value for i, value in self.native.row(place, rule)}
