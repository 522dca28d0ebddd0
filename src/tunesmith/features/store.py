"""`RuleFeatures`: the sparse features of all rules of a model, memory-mapped."""

from functools import cached_property
from pathlib import Path
from typing import Any

from tunesmith import _core
from tunesmith.base.array_file import contents_of, json_object
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.grammar import PhraseTable


class RuleFeatures:
    """Sparse features on disk, made by `build_features`. Names are read when they are asked for."""

    def __init__(self, path: str | Path) -> None:
        """Map the features at `path`; what is used of them is checked as it is first used."""
        self.path = Path(path)
        self.native = _core.RuleFeatures(str(path))
        with contents_of(path, "how the features were made"):
            self._meta = json_object(self.native.meta)
            made = self._meta.get("templates", [])
            if not all(isinstance(x, dict) and isinstance(x.get("template"), str) for x in made):
                raise ValueError("templates without names")

    def __len__(self) -> int:
        """The number of features."""
        return len(self.native)

    @property
    def meta(self) -> dict[str, Any]:
        """How the features were made: their templates."""
        return dict(self._meta)

    @cached_property
    def names(self) -> Vocabulary:
        """Names ↔ ids."""
        text, ends = self.native.names()
        with contents_of(self.path, "names of features"):
            return Vocabulary.from_arrays({"bytes": text, "ends": ends})

    def of_rule(self, table: PhraseTable, rule: int) -> dict[str, float]:
        """The features of a rule of one of the tables, by name."""
        place = self.native.table_of(table.native)
        return {self.native.name(i): value for i, value in self.native.row(place, rule)}
