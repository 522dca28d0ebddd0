"""A dev set out of the training text, for those who give none."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import InputError
from tunesmith.corpus.sentences import blocks
from tunesmith.corpus.split import DEV, Keys, sentence_keys, split_pairs
from tunesmith.engine import EngineLike

# As many as tuning can use; of a small text less, so that most of it is still learned from.
USUAL_SIZE, SHARE, LEAST = 1_000, 20, 20
# Longer ones take long to decode and say little.
MOST_WORDS, MOST_CHARACTERS = 60, 400

Pairs = Iterable[tuple[str, str]]


class HeldOutPairs:
    """Which pairs of a text are held out: by the seed, none that shares a sentence with another.

    Attributes
    ----------
    lines
        Their numbers in the text, from 0.
    pairs
        How many pairs there are in all.
    """

    def __init__(
        self, read: Callable[[], Pairs], size: int, path: object, *, seed: int, engine: EngineLike
    ) -> None:
        self._read = read
        keys: tuple[list[Keys], list[Keys]] = ([], [])
        fit: list[bool] = []
        for block in blocks(read()):
            for side, lines in zip(keys, zip(*block, strict=True), strict=True):
                side.append(sentence_keys(lines, engine=engine))
            fit += [_is_fit(source) and _is_fit(target) for source, target in block]
        self.pairs = len(fit)
        usable = np.flatnonzero(fit)
        size = size or usual_size(len(usable))
        if size < LEAST or size * 2 > len(usable):
            raise InputError(
                path,
                0,
                f"{len(usable):,} usable pairs, too few to hold {max(size, LEAST):,} of them out",
                "more text, or a dev set",
                "give one by --dev-src and --dev-ref",
            )
        sources, targets = (np.concatenate(side)[usable] for side in keys)
        sets = split_pairs(sources, targets, dev=size, test=0, seed=seed)
        self.lines: npt.NDArray[np.intp] = usable[sets == DEV]

    def dev(self) -> tuple[list[str], list[str]]:
        """Source and target of the pairs that are held out."""
        wanted = set(self.lines.tolist())
        chosen = [pair for number, pair in enumerate(self._read()) if number in wanted]
        return [source for source, _ in chosen], [target for _, target in chosen]

    def train(self) -> Iterator[tuple[str, str]]:
        """All other pairs, in their order."""
        begin, rest = 0, iter(self._read())
        for line in self.lines.tolist():
            yield from islice(rest, line - begin)
            next(rest)
            begin = line + 1
        yield from rest


def usual_size(pairs: int) -> int:
    """How many of so many pairs are held out where nothing is said."""
    return min(USUAL_SIZE, pairs // SHARE)


def _is_fit(line: str) -> bool:
    return 0 < len(line.split()) <= MOST_WORDS and len(line) <= MOST_CHARACTERS
