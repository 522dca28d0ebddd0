"""Many small grammars in one file: those of the sentences of a text, say."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.array_file import contents_of, read_arrays, write_arrays
from tunesmith.grammar.scfg import ScfgGrammar

KIND, VERSION = "packed-grammars", 1
_TYPES: dict[str, tuple[type, int]] = {"offsets": (np.uint64, 1), "bytes": (np.uint8, 1)}


def write_grammars(path: str | Path, grammars: Iterable[ScfgGrammar]) -> None:
    """Write grammars one behind the other, each packed."""
    parts = []
    with TemporaryDirectory(prefix="tunesmith-") as folder:
        for grammar in grammars:
            grammar.save(file := Path(folder) / "grammar.bin")
            parts.append(zlib.compress(file.read_bytes(), 1))
    arrays: dict[str, npt.NDArray[Any]] = {
        "offsets": np.cumsum([0, *map(len, parts)], dtype=np.uint64),
        "bytes": np.frombuffer(b"".join(parts), np.uint8),
    }
    write_arrays(path, KIND, VERSION, arrays)


class PackedGrammars(Sequence[ScfgGrammar]):
    """The grammars of a file; each is unpacked when it is asked for."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        arrays = read_arrays(path, KIND, VERSION, _TYPES)
        self._offsets, self._bytes = arrays["offsets"], arrays["bytes"]
        with contents_of(path, "grammars one behind the other"):
            ends = self._offsets.astype(np.int64)
            if not len(ends) or ends[0] != 0 or ends[-1] != len(self._bytes):
                raise ValueError("offsets that do not fit")
            if (np.diff(ends) < 0).any():
                raise ValueError("offsets that go back")

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __iter__(self) -> Iterator[ScfgGrammar]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        begin, end = (int(place) for place in self._offsets[number : number + 2])
        with (
            contents_of(self.path, f"grammar {number + 1}"),
            TemporaryDirectory(prefix="tunesmith-") as folder,
        ):
            file = Path(folder) / "grammar.bin"
            try:
                file.write_bytes(zlib.decompress(self._bytes[begin:end].tobytes()))
            except zlib.error as error:
                raise ValueError(f"bytes that cannot be unpacked: {error}") from error
            # It stays mapped when the file's name is gone.
            return ScfgGrammar.load(file)
