"""Word links in Pharaoh format: ``0-0 1-2`` per sentence pair, source-target, from 0.

Gold files mark possible links with ``p`` (``1p2``); ``1-2:0.97`` carries a probability.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import contents_of, is_array_file, read_arrays, write_arrays
from tunesmith.base.atomic import atomic_path
from tunesmith.formats.text import read_bytes

# Decimals of a written probability.
DIGITS = 4

# The binary form, and the types of its arrays.
KIND, VERSION = "links", 1
TYPES = {
    "offsets": np.uint64,
    "source": np.uint32,
    "target": np.uint32,
    "possible": np.uint8,
    "probability": np.float32,
}


@dataclass(frozen=True, eq=False)
class Links:
    r"""The word links of many sentence pairs, as arrays.

    Pair `s` has the links ``offsets[s]`` to ``offsets[s + 1]``.

    >>> links = Links.from_lists([[(0, 0), (1, 2)], [], [(3, 1)]])
    >>> len(links), links[0], links[1]
    (3, [(0, 0), (1, 2)], [])
    >>> links.text()
    '0-0 1-2\n\n3-1\n'
    """

    offsets: npt.NDArray[np.uint64]
    source: npt.NDArray[np.uint32]
    target: npt.NDArray[np.uint32]
    #: 1 for links that gold marks as possible only; empty when none is marked.
    possible: npt.NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, np.uint8))
    #: The probability of each link; empty when unknown.
    probability: npt.NDArray[np.float32] = field(default_factory=lambda: np.empty(0, np.float32))

    @classmethod
    def from_lists(cls, pairs: Iterable[Iterable[Sequence[int]]]) -> "Links":
        """Links from lists of (source position, target position)."""
        offsets = [0]
        flat: list[tuple[int, ...]] = []
        for pair in pairs:
            flat.extend(tuple(link) for link in pair)
            offsets.append(len(flat))
        columns = np.array(flat, dtype=np.uint32).reshape(-1, 2)
        return cls(
            np.array(offsets, dtype=np.uint64),
            np.ascontiguousarray(columns[:, 0]),
            np.ascontiguousarray(columns[:, 1]),
        )

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, pair: int) -> list[tuple[int, int]]:
        if not -len(self) <= pair < len(self):
            raise IndexError(f"pair {pair} of {len(self)}")
        pair %= len(self)
        span = slice(int(self.offsets[pair]), int(self.offsets[pair + 1]))
        return list(zip(self.source[span].tolist(), self.target[span].tolist(), strict=True))

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        return (self[pair] for pair in range(len(self)))

    def select(self, pairs: npt.ArrayLike) -> "Links":
        r"""The links of these pairs, in this order.

        >>> Links.from_lists([[(0, 0)], [(1, 1), (2, 2)], []]).select([1, 2, 0]).text()
        '1-1 2-2\n\n0-0\n'
        """
        numbers = np.asarray(pairs, dtype=np.int64)
        begins = self.offsets[numbers].astype(np.int64)
        sizes = self.offsets[numbers + 1].astype(np.int64) - begins
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        chosen = np.arange(offsets[-1]) + np.repeat(begins - offsets[:-1], sizes)
        return Links(
            offsets.astype(np.uint64),
            self.source[chosen],
            self.target[chosen],
            self.possible[chosen] if len(self.possible) else self.possible,
            self.probability[chosen] if len(self.probability) else self.probability,
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Links):
            return NotImplemented
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in TYPES)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Links({len(self):,} pairs, {len(self.source):,} links)"

    def without(self, numbers: npt.NDArray[np.int64]) -> "Links":
        r"""The links of all pairs but those with these numbers, which have none.

        >>> print(parse_links("0-0\n1-1\n").without(np.array([0])).text())
        <BLANKLINE>
        1-1
        <BLANKLINE>
        """
        ends = self.offsets.astype(np.int64)
        counts: npt.NDArray[np.int64] = ends[1:] - ends[:-1]
        is_kept = np.ones(len(counts), np.bool_)
        is_kept[numbers] = False
        of_kept = np.repeat(is_kept, counts)
        offsets = np.cumsum([0, *(counts * is_kept)]).astype(self.offsets.dtype)
        values = {name: getattr(self, name) for name in TYPES if name != "offsets"}
        taken = {name: one[of_kept] if len(one) else one for name, one in values.items()}
        return Links(offsets=offsets, **taken)

    def save(self, path: str | Path) -> None:
        """Write the binary form, which is mapped and not read."""
        write_arrays(path, KIND, VERSION, {name: getattr(self, name) for name in TYPES})

    @classmethod
    def load(cls, path: str | Path) -> "Links":
        """Map a file that `save` made."""
        arrays = read_arrays(path, KIND, VERSION, {name: (kind, 1) for name, kind in TYPES.items()})
        links = cls(**{name: arrays[name] for name in TYPES})
        with contents_of(path, "word links"):
            _core.check_links(*(getattr(links, name) for name in TYPES))
        return links

    def text(self) -> str:
        """All links in Pharaoh format."""
        return self.encoded().decode()

    def encoded(self) -> bytes:
        """All links in Pharaoh format, as bytes."""
        return _core.format_pharaoh(
            self.offsets, self.source, self.target, self.possible, self.probability, DIGITS
        )


def parse_links(text: str | bytes, path: object = "links") -> Links:
    r"""Links from Pharaoh text; `path` is for messages.

    >>> parse_links("0-0 2p1\n")[0]
    [(0, 0), (2, 1)]
    >>> parse_links("0-0 1_2\n", "a.links")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    tunesmith.base.errors.InputError: a.links:1: link '1_2', expected links such as 0-1, ...
    """
    encoded = text.encode() if isinstance(text, str) else text
    return Links(*_core.parse_pharaoh(encoded, str(path)))


def read_links(path: str | Path) -> Links:
    """Links from a file in Pharaoh format, plain or packed, or a binary one; ``-``: stdin."""
    return Links.load(path) if is_array_file(path) else parse_links(read_bytes(path), path)


def links_file(folder: Path) -> Path:
    """The links in a folder of `tunesmith train`; older versions wrote them as text."""
    binary = folder / "links.bin"
    text = folder / "links.gz"
    return text if text.exists() and not binary.exists() else binary


def write_links(path: str | Path, links: Links) -> None:
    """Write links in Pharaoh format; the file appears when it is complete."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(_pack(links.encoded(), Path(path).suffix))


def _pack(data: bytes, suffix: str) -> bytes:
    if suffix == ".gz":
        import gzip

        return gzip.compress(data, compresslevel=6, mtime=0)
    if suffix == ".xz":
        import lzma

        return lzma.compress(data)
    return data
