"""`Slot`: what a worker of a cluster does; an actor that keeps what it has opened between calls.

Every call answers with a status, which is small, and a result, which stays where it was made until
somebody wants it.
"""

import os
import platform
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import tunesmith
from tunesmith.base import log, progress
from tunesmith.base.rundir import code_hash
from tunesmith.engine.copies import Copies, copies_folder
from tunesmith.engine.packing import MissingFiles, Stamp, Unpacker, packed
from tunesmith.engine.ray_library import ray

DONE, FAILED, MISSING, LOST = "done", "failed", "missing", "lost"
Answer = tuple[tuple[str, Any], bytes]


@dataclass(frozen=True)
class Program:
    """What must be the same wherever a part of the work is done."""

    version: str
    code: str
    python: str

    @classmethod
    def here(cls) -> "Program":
        """That of this process."""
        return cls(tunesmith.__version__, code_hash(), platform.python_version())

    def __str__(self) -> str:
        return f"Tunesmith {self.version} (code {self.code[:8]}) with Python {self.python}"


class Slot:
    """A worker in the caller's folder, if it is there, with the caller's modules."""

    def __init__(self, folder: str, modules: Sequence[str]) -> None:
        log.configure(quiet=True)
        progress.silence()
        with suppress(OSError):  # relative names are the caller's, where storage is shared
            os.chdir(folder)
        sys.path += [place for place in modules if place not in sys.path]
        self._copies = Copies(copies_folder())
        self._unpack = Unpacker(self._copies.find)
        self._function: tuple[str, Callable[..., Any] | None] = "", None

    def begun(self) -> tuple[Program, str]:
        """What it runs, and on which node."""
        return Program.here(), ray().util.get_node_ip_address()

    def run(self, key: str, function: Sequence[Any], inputs: Sequence[Any]) -> Answer:
        """``function(*inputs)``; both come as packs, or as references to them.

        `key` tells one function, with all that it is given beforehand, from others: the last one is
        kept.
        """
        try:
            values = [
                self._unpack(one if isinstance(one, bytes) else self._got(one)) for one in inputs
            ]
            if self._function[0] != key or self._function[1] is None:
                self._function = key, self._unpack(self._got(function[0]))
            work = self._function[1]
            assert work is not None
            return (DONE, None), packed(work(*values), self._copies.sent_back)
        except MissingFiles as missing:
            return (MISSING, missing.files), b""
        except _Lost as lost:
            return (LOST, str(lost)), b""
        except Exception as error:
            return (FAILED, _as_it_travels(error)), b""

    def lacks(self, contents: Sequence[str]) -> list[str]:
        """Those of the hashes of which it has no copy."""
        return self._copies.lacks(contents)

    def store(
        self, place: str, wanted: Stamp, contents: Sequence[str], blocks: dict[str, Sequence[Any]]
    ) -> Answer:
        """Keep copies of the files at `place`; `blocks` are references to what it lacks."""
        try:
            for content, references in blocks.items():
                self._copies.add(content, map(self._got, references))
            self._copies.arrange(place, wanted, contents)
        except _Lost as lost:
            return (LOST, str(lost)), b""
        except Exception as error:
            return (FAILED, _as_it_travels(error)), b""
        return (DONE, None), b""

    def _got(self, reference: Any) -> Any:
        try:
            return ray().get(reference)
        except Exception as error:
            raise _Lost(reference.hex()) from error


class _Lost(Exception):
    """What a reference stood for has gone with the node that had it."""


def _as_it_travels(error: Exception) -> bytes:
    """The error; one that cannot travel, by its words."""
    try:
        return packed(error)
    except Exception:
        return packed(RuntimeError(f"{type(error).__name__}: {error}"))
