"""Named numpy arrays in one checked, memory-mapped file (the layout is in core/base)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.atomic import atomic_path

# Files up to this size are checked in full when they are opened; it costs less than 0.1 s.
VERIFY_UP_TO_BYTES = 256 << 20

_MAGIC = b"TUNESMTH"

Array = npt.NDArray[Any]


def write_arrays(path: str | Path, kind: str, version: int, arrays: Mapping[str, Array]) -> None:
    """Write `arrays` to `path`, which appears when it is complete."""
    with atomic_path(path) as temporary:
        writer = _core.ArrayFileWriter(str(temporary), kind, version)
        for name, array in arrays.items():
            array = np.ascontiguousarray(array)
            writer.add(name, array.dtype.str[1:], array.dtype.itemsize, array)
        writer.finish()


def is_verified(path: str | Path, verify: bool | None) -> bool:
    """Whether to look at all of a file: as the caller says; if he does not, where it is small."""
    return Path(path).stat().st_size <= VERIFY_UP_TO_BYTES if verify is None else verify


def read_arrays(
    path: str | Path, kind: str, version: int, *, verify: bool | None = None
) -> dict[str, Array]:
    """Map the arrays of `path`; checksums are compared when asked, by default in small files."""
    file = _core.ArrayFile(str(path), kind, version)
    if is_verified(path, verify):
        file.verify()
    return {
        name: file.bytes(name).view(np.dtype(code)).reshape(shape)
        for name, code, shape in file.entries()
    }


def is_array_file(path: str | Path) -> bool:
    """Whether `path` begins as one of our binary files does, of whatever kind."""
    try:
        with open(path, "rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False
