"""Named numpy arrays in one checked, memory-mapped file (the layout is in core/base)."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.atomic import atomic_path
from tunesmith.base.errors import InputError, TunesmithError

_MAGIC = b"TUNESMTH"

Array = npt.NDArray[Any]


def write_arrays(path: str | Path, kind: str, version: int, arrays: Mapping[str, Array]) -> None:
    """Write `arrays` to `path`, which appears when it is complete."""
    with atomic_path(path) as temporary:
        writer = _core.ArrayFileWriter(str(temporary), kind, version)
        for name, array in arrays.items():
            array = np.ascontiguousarray(array)
            code = "V" if array.dtype.kind == "V" else array.dtype.str[1:]
            items = array.reshape(-1).view(np.uint8)
            writer.add(name, code, array.dtype.itemsize, items, array.shape)
        writer.finish()


def read_arrays(
    path: str | Path, kind: str, version: int, types: Mapping[str, tuple[type, int]] | None = None
) -> dict[str, Array]:
    """Map the arrays of `path`; what they hold is compared with their checksums.

    Parameters
    ----------
    types
        Element type and number of dimensions of the arrays that must be there.
    """
    file = _core.ArrayFile(str(path), kind, version)
    arrays = {
        name: file.bytes(name).view(np.dtype(code)).reshape(shape)
        for name, code, shape in file.entries()
    }
    for name, (dtype, dimensions) in (types or {}).items():
        array = arrays.get(name)
        if array is None:
            raise InputError(path, 0, f"no array '{name}'", "a whole file", "make the file again")
        if array.dtype != dtype or array.ndim != dimensions:
            raise InputError(
                path,
                0,
                f"array '{name}' of type {array.dtype} with {array.ndim} dimensions",
                f"type {np.dtype(dtype)} with {dimensions}",
                "make the file again",
            )
    return arrays


@contextmanager
def contents_of(
    path: str | Path, expected: str, remedy: str = "make the file again"
) -> Iterator[None]:
    """Say of which file it is that what was read in the block does not fit together."""
    try:
        yield
    except InputError:
        raise
    except KeyError as error:
        raise InputError(path, 0, f"no {error}", expected, remedy) from error
    except (TunesmithError, ValueError, TypeError, OverflowError, RecursionError) as error:
        what = str(error).splitlines() or [type(error).__name__]
        raise InputError(path, 0, what[0], expected, remedy) from error


def json_object(text: str | bytes) -> dict[str, Any]:
    """What a file says of itself; a `ValueError` if it is no JSON object."""
    found = json.loads(text)
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found


def is_array_file(path: str | Path) -> bool:
    """Whether `path` begins as one of our binary files does; ``-`` (standard input) does not."""
    if str(path) == "-":
        return False
    try:
        with open(path, "rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError:
        return False
