"""`Bitext`: tokenised parallel text as word ids, in memory or mapped from one file."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import Array, contents_of, read_arrays, write_arrays
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.corpus.sentences import BLOCK_LINES, Sentences, blocks
from tunesmith.engine import ALL_CORES, EngineLike, as_engine

KIND, VERSION = "bitext", 1

Origins = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Bitext:
    """Two texts of equally many sentences, each with its own vocabulary.

    >>> pairs = Bitext.from_lines(["das Haus", "das Buch"], ["the house", "the book"])
    >>> len(pairs), pairs.source.ids.tolist(), pairs.target.vocabulary["book"]
    (2, [0, 1, 0, 2], 2)
    """

    source: Sentences
    target: Sentences
    _: KW_ONLY
    origins: Origins | None = None
    """Which of several corpora each pair is from, from 0."""
    corpora: int = 1

    def __post_init__(self) -> None:
        if len(self.source) != len(self.target):
            raise OptionError(
                f"{len(self.source):,} source sentences and {len(self.target):,} target "
                "sentences, expected equally many"
            )
        if (self.origins is None) != (self.corpora == 1):
            raise OptionError(f"origins of {self.corpora} corpora, expected them of two or more")
        if self.origins is not None and (
            self.origins.shape != (len(self),) or self.origins.max(initial=0) >= self.corpora
        ):
            raise OptionError(
                f"origins that do not fit {len(self):,} pairs of {self.corpora} corpora"
            )

    @classmethod
    def from_lines(
        cls, source: Iterable[str], target: Iterable[str], *, engine: EngineLike = ALL_CORES
    ) -> "Bitext":
        """Encode tokenised lines; ids follow the order of first appearance on each side."""
        return cls(
            Sentences.from_lines(source, engine=engine),
            Sentences.from_lines(target, engine=engine),
        )

    def __len__(self) -> int:
        return len(self.source)

    @property
    def origin_numbers(self) -> Origins:
        """`origins`, or nothing of one corpus: what native code takes."""
        return np.empty(0, np.uint8) if self.origins is None else self.origins

    def pairs(self) -> Iterator[tuple[str, str]]:
        """All pairs as text, a block at a time."""
        for begin in range(0, len(self), BLOCK_LINES):
            end = begin + BLOCK_LINES
            yield from zip(
                self.source.lines(begin, end), self.target.lines(begin, end), strict=True
            )

    def select(self, numbers: npt.ArrayLike) -> "Bitext":
        """The pairs with these numbers, in this order, over the same vocabularies."""
        chosen = None if self.origins is None else self.origins[np.asarray(numbers, np.int64)]
        return Bitext(
            self.source.select(numbers),
            self.target.select(numbers),
            origins=chosen,
            corpora=self.corpora,
        )

    def of_corpus(self, number: int) -> "Bitext":
        """The pairs of one of the corpora, from 0, as a text of its own."""
        if self.origins is None:
            return self
        chosen = np.flatnonzero(self.origins == number)
        return Bitext(self.source.select(chosen), self.target.select(chosen))

    def reversed(self) -> "Bitext":
        """Source and target exchanged."""
        return Bitext(self.target, self.source, origins=self.origins, corpora=self.corpora)

    def save(self, path: str | Path) -> None:
        """Write everything to one file, which appears when it is complete."""
        _write(path, self)

    @classmethod
    def load(cls, path: str | Path) -> "Bitext":
        """Map a file that `save` or `write_bitext` made."""
        arrays = read_arrays(path, KIND, VERSION)
        with contents_of(path, "a bitext"):
            origins, corpora = _origins_of(arrays)
            return cls(
                Sentences.from_arrays(arrays, "source."),
                Sentences.from_arrays(arrays, "target."),
                origins=origins,
                corpora=corpora,
            )


def write_bitext(
    path: str | Path,
    pairs: Iterable[tuple[str, str]],
    *,
    origins: Callable[[], tuple[Origins | None, int]] = lambda: (None, 1),
    engine: EngineLike = ALL_CORES,
) -> "Bitext":
    """Encode a stream of tokenised pairs into the file `path`, and map it.

    Memory holds the two vocabularies and one block of text; the ids of the sides wait in
    temporary files beside `path`, so the disk must have room for twice the result. Of pairs of
    several corpora `origins` is asked where each is from, and how many corpora there are, when the
    stream has come to its end.
    """
    path = Path(path)
    if not path.parent.is_dir():
        raise InputError(path, 0, "its folder does not exist", "an existing folder")
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent))
        source = _Spool(Path(folder) / "source", engine, stack)
        target = _Spool(Path(folder) / "target", engine, stack)
        for block in blocks(pairs):
            try:
                source.add([line for line, _ in block])
                target.add([line for _, line in block])
            except OSError as error:
                raise InputError(path, 0, error.strerror or str(error), "room to write") from error
        numbers, corpora = origins()
        _write(path, Bitext(source.close(), target.close(), origins=numbers, corpora=corpora))
    return Bitext.load(path)


def _write(path: str | Path, pairs: Bitext) -> None:
    own: dict[str, Array] = {}
    if pairs.origins is not None:
        own = {"origins": pairs.origins, "corpora": np.array([pairs.corpora], np.uint8)}
    sides = pairs.source.arrays("source.") | pairs.target.arrays("target.")
    write_arrays(path, KIND, VERSION, sides | own)


def _origins_of(arrays: Mapping[str, Array]) -> tuple[Origins | None, int]:
    """What a file says of several corpora; nothing if it has the pairs of one."""
    found = [arrays[name] for name in ("origins", "corpora") if name in arrays]
    if not found:
        return None, 1
    if len(found) != 2 or any(one.dtype != np.uint8 for one in found) or found[1].shape != (1,):
        raise ValueError("origins of the wrong type")
    return found[0], int(found[1][0])


class _Spool:
    """One side of a bitext on its way to disk."""

    def __init__(self, path: Path, engine: EngineLike, stack: ExitStack) -> None:
        self.vocabulary = Vocabulary()
        self.threads = as_engine(engine).threads
        self.end = np.uint64(0)
        self.offsets = stack.enter_context(path.with_suffix(".offsets").open("wb"))
        self.ids = stack.enter_context(path.with_suffix(".ids").open("wb"))
        self.offsets.write(np.zeros(1, np.uint64).tobytes())

    def add(self, lines: list[str]) -> None:
        offsets, ids = _core.encode_lines(self.vocabulary.native, lines, True, self.threads)
        self.offsets.write((offsets[1:] + self.end).tobytes())
        self.ids.write(ids.tobytes())
        self.end += offsets[-1]

    def close(self) -> Sentences:
        self.offsets.close()
        self.ids.close()
        return Sentences(
            _mapped(self.offsets.name, np.uint64),
            _mapped(self.ids.name, np.uint32),
            self.vocabulary,
        )


def _mapped(path: str, kind: type) -> Array:
    if Path(path).stat().st_size == 0:  # which cannot be mapped
        return np.empty(0, kind)
    return np.memmap(path, kind, mode="r")
