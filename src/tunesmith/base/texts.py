"""Many strings as one block of UTF-8."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import overload

import numpy as np
import numpy.typing as npt

from tunesmith import _core


class Texts(Sequence[str]):
    """Strings kept as one block of UTF-8 and decoded when asked for.

    >>> Texts.of(["a b", "", "c"])[0]
    'a b'
    """

    def __init__(self, data: npt.NDArray[np.uint8], offsets: npt.NDArray[np.int64]) -> None:
        self.data, self.offsets = data, offsets

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Texts":
        """The same as an ordinary sequence."""
        encoded = [text.encode() for text in texts]
        offsets = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
        return cls(np.frombuffer(b"".join(encoded), dtype=np.uint8), offsets)

    def take(self, places: npt.NDArray[np.int64]) -> "Texts":
        """The texts at `places`, in their order, without decoding them.

        >>> list(Texts.of(["a", "bc", "d"]).take(np.array([2, 1, 1])))
        ['d', 'bc', 'bc']
        """
        taken = _core.gather_strings(
            np.ascontiguousarray(self.data, np.uint8),
            np.ascontiguousarray(self.offsets, np.int64),
            np.ascontiguousarray(places, np.int64),
        )
        return Texts(taken.data.view(np.uint8), taken.offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"text {index} of {len(self)}")
        index %= len(self)
        return self.data[self.offsets[index] : self.offsets[index + 1]].tobytes().decode()

    def __iter__(self) -> Iterator[str]:
        # Pieces of bytes cost a tenth of pieces of an array.
        data = self.data.tobytes()
        return (data[begin:end].decode() for begin, end in pairwise(self.offsets.tolist()))

    def __repr__(self) -> str:
        return f"<{len(self):,} texts>"
