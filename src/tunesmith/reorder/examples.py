"""`OrientationExamples`: phrase pairs with binary features, each with the class to be found."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.ragged import starts
from tunesmith.engine import EngineLike, as_engine


@dataclass(frozen=True)
class OrientationExamples:
    """Example `i` has the features ``features[offsets[i]:offsets[i + 1]]``, each once.

    >>> examples = OrientationExamples.from_lists([[0, 2], [1]], [1, 0], 3, ("straight", "swap"))
    >>> len(examples), examples.counts()
    (2, {'straight': 1, 'swap': 1})
    """

    offsets: npt.NDArray[np.uint64]
    features: npt.NDArray[np.uint32]
    classes: npt.NDArray[np.uint8]
    feature_count: int
    class_names: tuple[str, ...]

    @classmethod
    def from_lists(
        cls,
        features: Sequence[Sequence[int]],
        classes: Sequence[int],
        feature_count: int,
        class_names: tuple[str, ...],
    ) -> "OrientationExamples":
        """Examples from plain lists."""
        lengths = np.array([len(row) for row in features], dtype=np.int64)
        return cls(
            starts(lengths).astype(np.uint64),
            np.array([feature for row in features for feature in row], dtype=np.uint32),
            np.array(classes, dtype=np.uint8),
            feature_count,
            class_names,
        )

    @cached_property
    def native(self) -> _core.OrientationExamples:
        """The core's view of the arrays, which are checked."""
        return _core.OrientationExamples(
            self.offsets, self.features, self.classes, self.feature_count, len(self.class_names)
        )

    def __len__(self) -> int:
        return len(self.classes)

    def counts(self) -> dict[str, int]:
        """How many examples there are of each class."""
        found = np.bincount(self.classes, minlength=len(self.class_names)).tolist()
        return dict(zip(self.class_names, found, strict=True))

    def check_classes(self) -> None:
        """Refuse examples that leave a class without any: nothing could be learned of it."""
        empty = [name for name, count in self.counts().items() if count == 0]
        if empty:
            raise OptionError(f"no example of class {', '.join(empty)} among {len(self):,}")

    def fingerprint(self) -> str:
        """A hash of all that training sees."""
        digest = hashlib.blake2b(digest_size=16)
        digest.update(f"{self.feature_count} {self.class_names}".encode())
        for array in (self.offsets, self.features, self.classes):
            digest.update(np.ascontiguousarray(array).view(np.uint8).data)
        return digest.hexdigest()

    def error_rate(self, weights: npt.NDArray[np.float64], engine: EngineLike = 1) -> float:
        """The share of examples for which `weights` find another class, or cannot decide."""
        flat = np.ascontiguousarray(weights).reshape(-1)
        return self.native.measure(flat, as_engine(engine).threads)[1] / len(self)
