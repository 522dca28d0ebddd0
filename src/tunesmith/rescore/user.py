"""`python` and `command`: features that users write."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import parameter
from tunesmith.formats.added_features import values_from_command, values_from_function
from tunesmith.rescore.base import ListFeature, Lists


@dataclass
class Function(ListFeature):
    """A Python function of whole lists, as ``nbest add-feature --python`` takes it."""

    kind: ClassVar[str] = "python"
    title: ClassVar[str] = "what a Python function gives"
    files: ClassVar[tuple[str, ...]] = ("function",)

    function: str = parameter("", "file.py:FUNCTION")

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """One column, named after the function unless it has a name."""
        if not self.function:
            raise OptionError("python: give function=FILE.py:FUNCTION")
        name = self.name or self.function.rpartition(":")[2]
        sources = None if lists.sources is None else list(lists.sources)
        return {name: values_from_function(lists.nbest, self.function, sources)}


@dataclass
class Command(ListFeature):
    """A shell command, as ``nbest add-feature --command`` takes it."""

    kind: ClassVar[str] = "command"
    title: ClassVar[str] = "what a shell command prints for every text"

    command: str = parameter("", "lines in, numbers out")
    with_ids: bool = parameter(False, "the command gets 'sentence<TAB>text'")

    def columns(self, lists: Lists) -> Mapping[str, npt.ArrayLike]:
        """One column."""
        if not self.command:
            raise OptionError("command: give command=COMMAND")
        return {
            self.column_name: values_from_command(lists.nbest, self.command, with_ids=self.with_ids)
        }
