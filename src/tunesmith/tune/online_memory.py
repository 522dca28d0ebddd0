"""What one epoch of online learning hands to the next."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.array_file import contents_of, read_arrays, write_arrays
from tunesmith.base.ragged import packed_names, unpacked_names
from tunesmith.tune.base import Vector

FILE_KIND, FILE_VERSION = "online-memory", 1


@dataclass(frozen=True, eq=False)
class OnlineMemory:
    """What one epoch hands to the next."""

    names: tuple[str, ...]
    weights: Vector
    """The mixture of the shards' last weights: where the next epoch starts."""
    mean: Vector
    """Of the weights that sentences were met with, in all shards: in the last epoch, or in all."""
    scale: Vector
    """The natural size of every feature."""
    gain_spread: float
    backgrounds: npt.NDArray[np.float64]
    """[shards, statistics] the pseudo-corpora, and their sizes in sentences."""
    background_sizes: Vector
    visits: int = 0
    epochs: int = 0

    def save(self, path: str | Path) -> None:
        """Write it to one file."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "names": packed_names(self.names),
            "weights": self.weights,
            "mean": self.mean,
            "scale": self.scale,
            "backgrounds": self.backgrounds,
            "background_sizes": self.background_sizes,
            "numbers": np.array([self.gain_spread, self.visits, self.epochs]),
        }
        write_arrays(path, FILE_KIND, FILE_VERSION, arrays)

    @classmethod
    def load(cls, path: str | Path) -> "OnlineMemory":
        """The inverse of `save`."""
        arrays = read_arrays(path, FILE_KIND, FILE_VERSION, ARRAYS)
        parts: dict[str, Any] = {name: arrays[name] for name in ARRAYS}
        with contents_of(path, "what an epoch leaves"):
            gain_spread, visits, epochs = parts.pop("numbers").tolist()
            names = unpacked_names(parts.pop("names"))
            memory = cls(
                names=names,
                gain_spread=gain_spread,
                visits=int(visits),
                epochs=int(epochs),
                **parts,
            )
            memory.check()
        return memory

    def check(self) -> None:
        """Refuse what no epoch can leave; a `ValueError`."""
        vectors = (self.weights, self.mean, self.scale)
        if any(len(vector) != len(self.names) for vector in vectors):
            raise ValueError("weights of other features")
        if len(self.backgrounds) != len(self.background_sizes):
            raise ValueError("backgrounds of other shards")
        values = (*vectors, self.backgrounds, self.background_sizes, np.array(self.gain_spread))
        if not all(np.isfinite(array).all() for array in values):
            raise ValueError("a number that is not finite")
        if not all(0 <= number < 2**53 for number in (self.visits, self.epochs)):
            raise ValueError("a number of sentences or epochs that is none")
        if min(self.gain_spread, *self.scale) <= 0:
            raise ValueError("a size that is not above 0")


ARRAYS: dict[str, tuple[type, int]] = {
    "names": (np.uint8, 1),
    "weights": (np.float64, 1),
    "mean": (np.float64, 1),
    "scale": (np.float64, 1),
    "backgrounds": (np.float64, 2),
    "background_sizes": (np.float64, 1),
    "numbers": (np.float64, 1),
}
"""The arrays of a file: types of their elements and numbers of dimensions."""
