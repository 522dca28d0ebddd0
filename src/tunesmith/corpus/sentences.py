"""`Sentences`: tokenised text as word ids in two plain arrays and a vocabulary."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import Array
from tunesmith.base.errors import TunesmithError
from tunesmith.base.ragged import joined_offsets, ranges, starts
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.engine import ALL_CORES, EngineLike, as_engine

# Lines that are held as text at one time; the rest is ids.
BLOCK_LINES = 1 << 16

T = TypeVar("T")
Offsets = npt.NDArray[np.uint64]
Ids = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Sentences:
    """Sentence `i` is ``ids[offsets[i]:offsets[i + 1]]``; an empty line is an empty sentence.

    Words are separated by ASCII white space and by nothing else. Ids follow the order of first
    appearance in the text.

    >>> text = Sentences.from_lines(["a rose is", "", "a rose"])
    >>> text.offsets.tolist(), text.ids.tolist()
    ([0, 3, 3, 5], [0, 1, 2, 0, 1])
    >>> text.lines()
    ['a rose is', '', 'a rose']
    """

    offsets: Offsets
    ids: Ids
    vocabulary: Vocabulary

    @classmethod
    def from_lines(
        cls,
        lines: Iterable[str],
        *,
        vocabulary: Vocabulary | None = None,
        grow: bool = True,
        engine: EngineLike = ALL_CORES,
    ) -> "Sentences":
        """Encode tokenised `lines`; with ``grow=False`` an unknown word gets the id `UNKNOWN`."""
        vocabulary = Vocabulary() if vocabulary is None else vocabulary
        parts = [
            _core.encode_lines(vocabulary.native, block, grow, as_engine(engine).threads)
            for block in blocks(lines)
        ]
        return cls(
            joined_offsets(offsets for offsets, _ in parts).astype(np.uint64),
            np.concatenate([np.empty(0, np.uint32), *(ids for _, ids in parts)]),
            vocabulary,
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, number: int) -> Ids:
        """The word ids of one sentence."""
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        number %= len(self)
        return self.ids[int(self.offsets[number]) : int(self.offsets[number + 1])]

    def __iter__(self) -> Iterator[Ids]:
        return (self[i] for i in range(len(self)))

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The number of words of each sentence."""
        return (self.offsets[1:] - self.offsets[:-1]).astype(np.int64)

    def counts(self) -> npt.NDArray[np.int64]:
        """How often each word of the vocabulary occurs."""
        return np.bincount(self.ids, minlength=len(self.vocabulary)).astype(np.int64)

    def lines(self, begin: int = 0, end: int | None = None) -> list[str]:
        """Sentences `begin` to `end` as text, words joined by single spaces."""
        begin, end, _ = slice(begin, end).indices(len(self))
        if begin >= end:
            return []
        return _core.decode_lines(self.vocabulary.native, self.offsets[begin : end + 1], self.ids)

    def select(self, numbers: npt.ArrayLike) -> "Sentences":
        """The sentences with these numbers, in this order, over the same vocabulary."""
        chosen = np.asarray(numbers, dtype=np.int64)
        offsets = starts(self.lengths[chosen]).astype(np.uint64)
        places = ranges(self.offsets.astype(np.int64), chosen)
        return Sentences(offsets, self.ids[places], self.vocabulary)

    def arrays(self, prefix: str = "") -> dict[str, Array]:
        """All parts by name, for `tunesmith.base.array_file`."""
        return {
            f"{prefix}offsets": self.offsets,
            f"{prefix}ids": self.ids,
            **self.vocabulary.arrays(f"{prefix}vocabulary."),
        }

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array], prefix: str = "") -> "Sentences":
        """The inverse of `arrays`, checked; raises `TunesmithError` when they do not fit."""
        try:
            offsets, ids = arrays[f"{prefix}offsets"], arrays[f"{prefix}ids"]
        except KeyError as error:
            raise TunesmithError(f"no array {error} of sentences") from error
        vocabulary = Vocabulary.from_arrays(arrays, f"{prefix}vocabulary.")
        types = offsets.dtype, ids.dtype, offsets.ndim, ids.ndim
        if types != (np.dtype(np.uint64), np.dtype(np.uint32), 1, 1):
            raise TunesmithError("sentences of the wrong type")
        if not len(offsets) or offsets[0] != 0 or offsets[-1] != len(ids):
            raise TunesmithError("sentence offsets that do not fit the words")
        if np.any(offsets[1:] < offsets[:-1]):
            raise TunesmithError("sentence offsets out of order")
        if len(ids) and int(ids.max()) >= len(vocabulary):
            raise TunesmithError("a word id outside the vocabulary")
        return cls(offsets, ids, vocabulary)


def blocks(items: Iterable[T]) -> Iterator[list[T]]:
    """Lines, or pairs of lines, in lists of `BLOCK_LINES`."""
    rest = iter(items)
    while block := list(islice(rest, BLOCK_LINES)):
        yield block
