"""`ScfgGrammar`: synchronous context-free rules in the text formats of cdec and Joshua."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tunesmith import _core
from tunesmith.base.atomic import atomic_text
from tunesmith.formats.text import whole_lines


class ScfgGrammar:
    """Rules with up to two non-terminals, and their features.

    One rule a line, files may be packed (``.gz``)::

        [X] ||| [X,1] ein [X,2] ||| [X,2] a [X,1] ||| EgivenF=0.5 CountEF=2 ||| 1-1
    """

    def __init__(self, native: _core.ScfgGrammar) -> None:
        self.native = native

    @classmethod
    def read(cls, *paths: str | Path) -> "ScfgGrammar":
        """The rules of one or more files together."""
        native = _core.ScfgGrammar()
        for path in paths:
            for lines, first in whole_lines(path):
                native.add(lines, str(path), first)
        return cls(native)

    @classmethod
    def from_lines(cls, lines: Iterable[str], name: str = "lines") -> "ScfgGrammar":
        """The rules of these lines; messages call them `name`."""
        native = _core.ScfgGrammar()
        native.add("".join(f"{line}\n" for line in lines).encode(), name, 1)
        return cls(native)

    @classmethod
    def load(cls, path: str | Path) -> "ScfgGrammar":
        """Map a grammar that `save` has written: its rules are read as they are needed."""
        return cls(_core.ScfgGrammar.load(str(path)))

    def save(self, path: str | Path) -> None:
        """Write the rules to a binary file."""
        self.native.save(str(path))

    def __len__(self) -> int:
        """The number of rules."""
        return len(self.native)

    @property
    def features(self) -> list[str]:
        """The names of the rules' features, in the order in which they first occur."""
        return list(self.native.features())

    def distinct(self) -> "ScfgGrammar":
        """The grammar without rules that are there for a second time: the first counts."""
        return ScfgGrammar(self.native.distinct())

    def lines(self) -> Iterator[str]:
        """The rules in cdec's format, in their order."""
        return iter(self.native.text().decode().split("\n")[:-1])

    def write(self, path: str | Path) -> None:
        """Write the rules in cdec's format; a name that ends with ``.gz`` is packed."""
        with atomic_text(path) as stream:
            stream.write(self.native.text().decode())
