"""Cleaning: pairs that are not fit to learn from are left out, and every one is counted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError, TunesmithError
from tunesmith.corpus.scripts import have_script, main_script, script_number
from tunesmith.corpus.sentences import Sentences, blocks
from tunesmith.engine import ALL_CORES, EngineLike, as_engine

# In the order in which they are looked for; a pair has the first reason that holds.
REASONS = (
    "kept", "empty side", "too long", "length ratio", "wrong script", "identical sides",
    "duplicate",
)  # fmt: skip
# Makes one hash of those of both sides.
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, kw_only=True)
class CleanOptions:
    """When a pair is left out. Words are what white space separates.

    >>> CleanOptions(max_words=0)
    Traceback (most recent call last):
    tunesmith.base.errors.OptionError: max_words is 0, expected at least 1
    """

    # A side may have so many words.
    max_words: int = 100
    # One side may have so many times the words of the other.
    max_ratio: float = 9.0
    # The share of a side's letters that its script must have; 0 lets all scripts pass.
    min_script: float = 0.1
    # The scripts of the sides; by default those of most letters in the first block of pairs.
    source_script: str | None = None
    target_script: str | None = None
    # Whether both sides may be the same text.
    keep_identical: bool = False
    # Whether the same pair may come again.
    keep_duplicates: bool = False

    def __post_init__(self) -> None:
        if self.max_words < 1:
            raise OptionError(f"max_words is {self.max_words}, expected at least 1")
        if not self.max_ratio >= 1:
            raise OptionError(f"max_ratio is {self.max_ratio}, expected at least 1")
        if not 0 <= self.min_script <= 1:
            raise OptionError(f"min_script is {self.min_script}, expected 0 to 1")
        for script in (self.source_script, self.target_script):
            if script is not None:
                script_number(script)


class Cleaner:
    """Judges pairs block by block; the first block decides about scripts.

    >>> cleaner = Cleaner(CleanOptions(max_words=5))
    >>> cleaner.mask(["ein Haus", "", "OK", "ein Haus"], ["a house", "x", "OK", "a house"])
    array([ True, False, False, False])
    >>> cleaner.counts["duplicate"], cleaner.total
    (1, 4)
    """

    def __init__(
        self, options: CleanOptions | None = None, *, engine: EngineLike = ALL_CORES
    ) -> None:
        self.options, self.engine = options or CleanOptions(), as_engine(engine)
        self.counts = dict.fromkeys(REASONS, 0)
        self._scripts: list[int] = []
        self._seen = np.empty(0, np.uint64)

    @property
    def total(self) -> int:
        """The number of pairs judged."""
        return sum(self.counts.values())

    def mask(self, sources: list[str], targets: list[str]) -> npt.NDArray[np.bool_]:
        """Return which of these pairs to keep."""
        options, sides = self.options, (sources, targets)
        left, right = (_core.hash_lines(lines, self.engine.threads) for lines in sides)
        if len(left) != len(right):
            raise TunesmithError(
                f"{len(left)} source sentences and {len(right)} target sentences, expected "
                "equally many"
            )
        sizes = [Sentences.from_lines(lines, engine=self.engine).lengths for lines in sides]
        fewer, more = np.minimum(*sizes), np.maximum(*sizes)
        verdicts = np.select(
            [
                fewer == 0,
                more > options.max_words,
                more > options.max_ratio * np.maximum(fewer, 1),
                ~self._have_scripts(sides),
                (left == right) & (not options.keep_identical),
            ],
            range(1, 6),
        )
        if not options.keep_duplicates:
            kept = np.flatnonzero(verdicts == 0)
            new = self._are_new(left[kept] * _FACTOR + right[kept])
            verdicts[kept[~new]] = REASONS.index("duplicate")
        for reason, count in zip(REASONS, np.bincount(verdicts, minlength=7).tolist(), strict=True):
            self.counts[reason] += count
        mask: npt.NDArray[np.bool_] = verdicts == 0
        return mask

    def _have_scripts(self, sides: tuple[list[str], list[str]]) -> npt.NDArray[np.bool_]:
        """Return which pairs are written in the scripts of both sides."""
        options = self.options
        if not self._scripts:
            names = [options.source_script, options.target_script]
            names = [name or main_script(lines) for name, lines in zip(names, sides, strict=True)]
            self._scripts = [script_number(name) if name else 0 for name in names]
        found = np.ones(len(sides[0]), bool)
        for lines, script in zip(sides, self._scripts, strict=True):
            if script and options.min_script > 0:
                found &= have_script(lines, script, options.min_script)
        return found

    def _are_new(self, keys: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        """Return which pairs came neither in an earlier block nor earlier in this one.

        Keys are 64-bit hashes: two different pairs among ten million are taken for duplicates with
        a probability of 3 in a million.
        """
        new = np.zeros(len(keys), bool)
        new[np.unique(keys, return_index=True)[1]] = True
        new &= np.searchsorted(self._seen, keys) == np.searchsorted(self._seen, keys, "right")
        # Of two sorted parts a stable sort is a merge.
        self._seen = np.sort(np.concatenate([self._seen, np.sort(keys[new])]), kind="stable")
        return new

    def report(self) -> str:
        """One line: how many pairs stay, and how many go for which reason."""
        gone = [f"{REASONS[i]} {self.counts[REASONS[i]]:,}" for i in range(1, len(REASONS))]
        return f"kept {self.counts['kept']:,} of {self.total:,} pairs ({', '.join(gone)})"


def clean_pairs(pairs: Iterable[tuple[str, str]], cleaner: Cleaner) -> Iterator[tuple[str, str]]:
    """The pairs that stay, as a stream."""
    for block in blocks(pairs):
        mask = cleaner.mask([source for source, _ in block], [target for _, target in block])
        yield from (pair for pair, kept in zip(block, mask.tolist(), strict=True) if kept)
