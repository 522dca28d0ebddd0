"""Copies of files on a worker that does not share the storage, kept by their content.

FOLDER/
content/<hash>     a file, whatever its name
trees/<key>/…      links to these, with the names that the sender's file or folder has
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import time

from tunesmith.base.atomic import atomic_path
from tunesmith.base.errors import OptionError
from tunesmith.engine.packing import Stamp, content_key

#: Seconds after which a copy that nobody used goes.
UNUSED = 7 * 24 * 3600


def copies_folder() -> Path:
    """Where copies are on this machine: one place for all workers of a user."""
    return Path(tempfile.gettempdir()) / f"tunesmith-copies-{os.getuid()}"


class Copies:
    """Those that this worker has."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._origins: dict[Path, str] = {}
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        if folder.stat().st_uid != os.getuid():
            raise OptionError(f"{folder} is another user's, expected one's own")
        for name in ("content", "trees"):
            (folder / name).mkdir(exist_ok=True)
        self._forget()

    def find(self, place: str, wanted: Stamp) -> Path | None:
        """The copy of a file or folder of the sender, if it is here."""
        tree = self._tree(place, wanted)
        if not tree.exists():
            return None
        os.utime(tree)
        copy = tree / Path(place).name
        self._origins[copy] = place
        return copy

    def lacks(self, contents: Sequence[str]) -> list[str]:
        """Those of the hashes that are not here."""
        return [one for one in contents if not (self.folder / "content" / one).exists()]

    def add(self, content: str, blocks: Iterator[bytes]) -> None:
        """Keep a file under its hash."""
        with atomic_path(self.folder / "content" / content) as path, open(path, "wb") as stream:
            stream.writelines(blocks)

    def arrange(self, place: str, wanted: Stamp, contents: Sequence[str]) -> None:
        """Give the contents the names that they have at `place`."""
        with tempfile.TemporaryDirectory(dir=self.folder) as temporary:
            top = Path(temporary) / "tree"
            if not wanted:  # an empty folder, for what work makes
                (top / Path(place).name).mkdir(parents=True)
            for (name, _, _), content in zip(wanted, contents, strict=True):
                path = top / Path(place).name / name
                path.parent.mkdir(parents=True, exist_ok=True)
                os.link(self.folder / "content" / content, path)
            with contextlib.suppress(
                OSError
            ):  # another worker was faster, and may be using its own
                top.rename(self._tree(place, wanted))
        if self.find(place, wanted) is None:
            raise OSError(f"no copy of {place} could be made in {self.folder}")

    def sent_back(self, path: Path) -> tuple[str, bytes] | None:
        """Of a file that work made beside a copy: its place at the sender's, and what is in it."""
        for copy, origin in self._origins.items():
            if path.is_relative_to(copy) and path != copy:
                content = path.read_bytes()
                path.unlink()
                return str(Path(origin) / path.relative_to(copy)), content
        return None

    def _tree(self, place: str, wanted: Stamp) -> Path:
        return self.folder / "trees" / content_key(repr((place, wanted)).encode())

    def _forget(self) -> None:
        for path in [*(self.folder / "content").iterdir(), *(self.folder / "trees").iterdir()]:
            with contextlib.suppress(OSError):  # another worker may be at it, too
                if path.stat().st_mtime < time() - UNUSED:
                    path.unlink() if path.is_file() else shutil.rmtree(path)
