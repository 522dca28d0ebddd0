"""Train, dev and test without leaks: no sentence of either side stands in two of them.

Pairs that share a sentence, on the source or on the target side, directly or through other
pairs, form a group; groups are never divided. Sentences are the same when they differ only in
capitals and white space.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import compress

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.seeds import DEFAULT_SEED, generator
from tunesmith.corpus.sentences import blocks
from tunesmith.engine import ALL_CORES, EngineLike, as_engine

Keys = npt.NDArray[np.uint64]
Pair = tuple[str, str]
#: Which pairs of a block, given as its sources and its targets.
PairMask = Callable[[list[str], list[str]], Sequence[bool] | npt.NDArray[np.bool_]]

TRAIN, DEV, TEST, LEFT_OUT = 0, 1, 2, 3
SETS = ("train", "dev", "test")


class PairSets:
    """The set of each pair of a text: `TRAIN`, `DEV`, `TEST`, or `LEFT_OUT` of all three.

    `read` returns the text from its first pair on, as often as it is called. Dev and test are taken
    from the pairs that `usable` marks; others that share a sentence with them are left out.

    Attributes
    ----------
    sets
        The number of the set of each pair.
    usable
        The numbers of the pairs that dev and test are taken from.
    """

    def __init__(
        self,
        read: Callable[[], Iterable[Pair]],
        usable: PairMask | None = None,
        *,
        engine: EngineLike = ALL_CORES,
    ) -> None:
        self._read = read
        keys: tuple[list[Keys], list[Keys]] = ([], [])
        masks: list[npt.NDArray[np.bool_]] = []
        for block in blocks(read()):
            sources, targets = map(list, zip(*block, strict=True))
            for side, lines in zip(keys, (sources, targets), strict=True):
                side.append(sentence_keys(lines, engine=engine))
            mask = usable(sources, targets) if usable else np.ones(len(block), bool)
            masks.append(np.asarray(mask, bool))
        self._keys = joined_keys(keys)
        self.usable = np.flatnonzero(np.concatenate([np.empty(0, bool), *masks]))
        self.sets = np.full(len(self._keys[0]), TRAIN, np.uint8)

    def choose(self, *, dev: int, test: int = 0, seed: int = DEFAULT_SEED) -> None:
        """Take pairs for dev and test, as `split_pairs` does."""
        sources, targets = (side[self.usable] for side in self._keys)
        chosen = split_pairs(sources, targets, dev=dev, test=test, seed=seed)
        self.sets[:] = TRAIN
        if dev + test:
            for side in self._keys:
                taken = side[self.usable[chosen != TRAIN]]
                self.sets[np.isin(side, taken)] = LEFT_OUT
        self.sets[self.usable] = chosen

    def size(self, number: int) -> int:
        """The number of pairs of a set."""
        return int((self.sets == number).sum())

    def read(self, number: int) -> Iterator[Pair]:
        """The pairs of a set, in their order."""
        return compress(self._read(), self.sets == number)

    def lines(self, number: int) -> tuple[list[str], list[str]]:
        """The sources and the targets of a set."""
        pairs = list(self.read(number))
        return [source for source, _ in pairs], [target for _, target in pairs]


def joined_keys(blocks_of_sides: tuple[list[Keys], list[Keys]]) -> tuple[Keys, Keys]:
    """The keys of both sides, from those of their blocks."""
    none = [np.empty(0, np.uint64)]
    return np.concatenate(none + blocks_of_sides[0]), np.concatenate(none + blocks_of_sides[1])


def sentence_keys(lines: Iterable[str], *, engine: EngineLike = ALL_CORES) -> Keys:
    """A number for each sentence, the same for sentences that are the same here."""
    parts = [
        _core.hash_lines([line.casefold() for line in block], as_engine(engine).threads)
        for block in blocks(lines)
    ]
    return np.concatenate([np.empty(0, np.uint64), *parts])


def split_pairs(
    sources: Keys, targets: Keys, *, dev: int, test: int, seed: int = DEFAULT_SEED
) -> npt.NDArray[np.uint8]:
    """The set of each pair (`TRAIN`, `DEV` or `TEST`), with exactly `dev` and `test` pairs.

    Groups are taken in a random order, those that no longer fit are passed over, so large groups
    end in the training set.

    >>> keys = sentence_keys(["a", "b", "c", "A"]), sentence_keys(["x", "y", "z", "w"])
    >>> sets = split_pairs(*keys, dev=1, test=1)
    >>> sorted(sets.tolist()), sets[0] == sets[3]
    ([0, 0, 1, 2], np.True_)
    """
    if dev < 0 or test < 0:
        raise OptionError(f"{dev} dev and {test} test pairs, expected no negative number")
    if dev + test > len(sources):
        raise OptionError(f"{dev:,} dev and {test:,} test pairs of only {len(sources):,} pairs")
    if dev + test == 0:
        return np.full(len(sources), TRAIN, np.uint8)
    groups = _core.group_by_sentence(sources, targets)
    firsts, members = np.unique(groups, return_inverse=True)
    sizes = np.bincount(members, minlength=len(firsts))
    chosen = np.zeros(len(firsts), np.uint8)
    left = {DEV: dev, TEST: test}
    for group in generator(seed, "split").permutation(len(firsts)):
        number = TEST if left[TEST] >= sizes[group] else DEV
        if left[number] >= sizes[group]:
            chosen[group] = number
            left[number] -= int(sizes[group])
        if not any(left.values()):
            break
    if any(left.values()):
        raise OptionError(
            f"only {dev - left[DEV]:,} dev and {test - left[TEST]:,} test pairs can be had without "
            "a sentence in two sets; ask for fewer, or remove duplicates before"
        )
    return chosen[members]


def warn_of_overlap(train: tuple[Keys, Keys], other: tuple[Keys, Keys], name: str) -> int:
    """Warn when sentences of a dev or test set are in the training set; returns their number."""
    known = np.zeros(len(other[0]), bool)
    for ours, theirs in zip(train, other, strict=True):
        known |= np.isin(theirs, ours)
    count = int(known.sum())
    if count:
        log.warning(
            "%s of %s %s pairs have a sentence that is in the training set too (%.1f %%); scores "
            "on them are too good",
            f"{count:,}",
            f"{len(known):,}",
            name,
            100 * count / len(known),
        )
    return count


def write_split(
    read: Callable[[], Iterable[Pair]],
    prefix: str,
    *,
    dev: int,
    test: int,
    seed: int = DEFAULT_SEED,
    engine: EngineLike = ALL_CORES,
) -> None:
    """Write ``PREFIX.train.source``, ``PREFIX.train.target`` and the same for dev and test.

    `read` is called twice, so that no more than one number a sentence is held in memory.
    """
    text = PairSets(read, engine=engine)
    text.choose(dev=dev, test=test, seed=seed)
    with ExitStack() as stack:
        files = [
            [
                stack.enter_context(atomic_text(f"{prefix}.{name}.{side}"))
                for side in ("source", "target")
            ]
            for name in SETS
        ]
        for (source, target), number in zip(read(), text.sets, strict=True):
            files[number][0].write(f"{source}\n")
            files[number][1].write(f"{target}\n")
