"""What travels to a worker elsewhere, and back: pickles that know of files and of what stays there.

A `Path` is looked for where it arrives. If the same file is there (shared storage) nothing else
happens; if not, whoever unpacks is told which files are missing, and takes copies of them.
A `Resident` is unpacked once by a worker, which keeps it: files that it has mapped and what it has
prepared serve the next shard, too.
"""

import hashlib
import io
import pickle
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from tunesmith.base.atomic import atomic_path

#: What a worker keeps of residents at most: so many, and so many bytes as they were packed.
KEPT, KEPT_BYTES = 8, 256 << 20

Stamp: TypeAlias = tuple[tuple[str, int, int], ...]
"""Name below the path ("" for a file itself), size and time of every file."""


class Resident:
    """A mark: workers of a cluster keep such an object for work to come."""


class MissingFiles(Exception):
    """Files of a pack that are not where it arrived."""

    def __init__(self, files: list[tuple[str, Stamp]]) -> None:
        super().__init__(files)
        self.files = files


def stamp(path: Path) -> Stamp | None:
    """What tells a file, or all files of a folder, from others; None where there is nothing."""
    if path.is_dir():
        names = sorted(str(one.relative_to(path)) for one in path.rglob("*") if one.is_file())
    elif path.exists():
        names = [""]
    else:
        return None
    return tuple((name, *_size_and_time(path / name)) for name in names)


def is_there(path: Path, wanted: Stamp) -> bool:
    """Whether all these files are there; a folder may have more."""
    try:
        return path.exists() and all(
            _size_and_time(path / name) == (size, time) for name, size, time in wanted
        )
    except OSError:
        return False


def packed(value: Any, sent_back: Callable[[Path], Any] | None = None) -> bytes:
    """`value` as it travels; `sent_back` says what is sent of a file of a worker's own."""
    stream = io.BytesIO()
    _Packer(stream, value, sent_back).dump(value)
    return stream.getvalue()


def content_key(data: bytes) -> str:
    """The same for the same bytes."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


class _Packer(pickle.Pickler):
    def __init__(
        self, stream: io.BytesIO, root: Any, sent_back: Callable[[Path], Any] | None
    ) -> None:
        super().__init__(stream, protocol=pickle.HIGHEST_PROTOCOL)
        self._root, self._sent_back = root, sent_back

    def persistent_id(self, value: Any) -> Any:
        if isinstance(value, Path):
            content = None if self._sent_back is None else self._sent_back(value)
            if content is not None:
                return "file", *content
            # A worker may be in another folder.
            place = value.absolute()
            return "path", str(place), stamp(place)
        if isinstance(value, Resident) and value is not self._root:
            data = packed(value)
            return "resident", content_key(data), data
        return None


class Unpacker:
    """Unpacks in one process, where it keeps residents; `copy_of` knows copies of files."""

    def __init__(
        self, copy_of: Callable[[str, Stamp], Path | None] = lambda path, wanted: None
    ) -> None:
        self._copy_of = copy_of
        self._residents: OrderedDict[str, tuple[Any, int]] = OrderedDict()

    def __call__(self, data: bytes) -> Any:
        """What was packed, or `MissingFiles`, all of them."""
        missing: list[tuple[str, Stamp]] = []
        try:
            value = self._load(data, missing)
        except Exception:
            # Something may have opened a file that will be there the next time.
            if not missing:
                raise
        if missing:
            raise MissingFiles(missing)
        return value

    def _load(self, data: bytes, missing: list[tuple[str, Stamp]]) -> Any:
        return _Unpickler(data, self, missing).load()

    def path(self, place: str, wanted: Stamp | None, missing: list[tuple[str, Stamp]]) -> Path:
        """Where a file of the sender is here."""
        path = Path(place)
        if wanted is None or is_there(path, wanted):
            return path
        copy = self._copy_of(place, wanted)
        if copy is None:
            missing.append((place, wanted))
        return copy or path

    def resident(self, key: str, data: bytes, missing: list[tuple[str, Stamp]]) -> Any:
        """The one that is here already, or a new one, if all its files are here."""
        if key in self._residents:
            self._residents.move_to_end(key)
            return self._residents[key][0]
        before = len(missing)
        value = self._load(data, missing)
        if len(missing) == before:
            self._residents[key] = value, len(data)
            while len(self._residents) > KEPT or (
                len(self._residents) > 1
                and sum(n for _, n in self._residents.values()) > KEPT_BYTES
            ):
                self._residents.popitem(last=False)
        return value


class _Unpickler(pickle.Unpickler):
    def __init__(self, data: bytes, unpacker: Unpacker, missing: list[tuple[str, Stamp]]) -> None:
        super().__init__(io.BytesIO(data))
        self._unpacker, self._missing = unpacker, missing

    def persistent_load(self, found: Any) -> Any:
        kind, name, content = found
        if kind == "path":
            return self._unpacker.path(name, content, self._missing)
        if kind == "resident":
            return self._unpacker.resident(name, content, self._missing)
        return _received_file(name, content)


def _received_file(place: str, content: bytes) -> Path:
    """A file that a worker made, in its place here."""
    with atomic_path(place) as path:
        path.write_bytes(content)
    return Path(place)


def _size_and_time(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_size, found.st_mtime_ns
