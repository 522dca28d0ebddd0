"""The parallel texts of a run: one corpus, or several of different domains."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, zip_longest
from pathlib import Path

import numpy as np

from tunesmith.base.errors import InputError, OptionError
from tunesmith.corpus import Bitext
from tunesmith.corpus.bitext import Origins
from tunesmith.formats.parallel import read_parallel

# Every corpus adds a feature, and 255 is what a byte can tell apart.
MOST_CORPORA = 20

PathOrPaths = Path | Sequence[Path]


@dataclass(frozen=True)
class Corpora:
    """Files of source and target, corpus by corpus; without targets a file has both sides."""

    sources: tuple[Path, ...]
    targets: tuple[Path, ...]
    languages: tuple[str | None, str | None] = None, None
    """Which two to take of translation memories; None: their first."""

    @classmethod
    def of(cls, sources: PathOrPaths, targets: PathOrPaths | None) -> "Corpora":
        """One file or several of each; other numbers of targets than of sources are refused."""
        own = _several(sources)
        theirs = () if targets is None else _several(targets)
        if theirs and len(own) != len(theirs):
            raise OptionError(
                f"--src has {len(own)} files and --tgt {len(theirs)}, expected as many: the first "
                "target belongs to the first source, and so on"
            )
        if Path("-") in (*own, *theirs):
            raise OptionError(
                "- as training text, expected files: training reads its text several times; write "
                "standard input to a file"
            )
        if not 1 <= len(own) <= MOST_CORPORA:
            raise OptionError(f"{len(own)} corpora, expected 1 to {MOST_CORPORA}")
        return cls(own, theirs)

    def __len__(self) -> int:
        return len(self.sources)

    def pairs_of_files(self) -> list[tuple[Path, Path | None]]:
        """Source and target of every corpus."""
        return list(zip_longest(self.sources, self.targets))

    def paths(self) -> list[Path]:
        """All files."""
        return [path for pair in self.pairs_of_files() for path in pair if path is not None]

    def read(self) -> Iterator[tuple[str, str]]:
        """All pairs, corpus after corpus."""
        return chain.from_iterable(self._texts())

    def read_in_turn(self) -> Iterator[tuple[str, str]]:
        """All pairs, one of every corpus in turn: what comes first is a sample of all."""
        for turn in zip_longest(*self._texts()):
            yield from (pair for pair in turn if pair is not None)

    @cached_property
    def sizes(self) -> list[int]:
        """The pairs of each."""
        return [sum(1 for _ in text) for text in self._texts()]

    def _texts(self) -> list[Iterator[tuple[str, str]]]:
        """The pairs of each, read as they are asked for."""
        return [read_parallel(*files, languages=self.languages) for files in self.pairs_of_files()]

    def origins(self) -> Origins:
        """The corpus of every pair that `read` gives."""
        return np.repeat(np.arange(len(self), dtype=np.uint8), self.sizes)

    def check_all_used(self, bitext: Bitext) -> None:
        """Refuse a corpus of which no pair is left to learn from."""
        for number, path in enumerate(self.sources):
            own = len(bitext) if bitext.origins is None else (bitext.origins == number).sum()
            if not own:
                raise no_pairs(path)


def no_pairs(path: Path) -> InputError:
    """What is said of a corpus that nothing can be learned from."""
    return InputError(path, 0, "no usable sentence pairs", "parallel text")


def _several(paths: PathOrPaths) -> tuple[Path, ...]:
    return (paths,) if isinstance(paths, Path) else tuple(paths)
