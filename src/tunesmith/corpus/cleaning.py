"""Cleaning: pairs that are not fit to learn from are left out, and every one is counted."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.corpus.scripts import main_script, script_number, script_table
from tunesmith.corpus.sentences import blocks
from tunesmith.engine import ALL_CORES, EngineLike, as_engine

# As Removal in core/corpus/cleaner.hh.
REASONS = (
    "kept", "empty side", "too long", "length ratio", "wrong script", "identical sides",
    "duplicate",
)  # fmt: skip


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
        self._native: _core.Cleaner | None = None

    @property
    def total(self) -> int:
        """The number of pairs judged."""
        return sum(self.counts.values())

    def mask(self, sources: list[str], targets: list[str]) -> npt.NDArray[np.bool_]:
        """Which of these pairs to keep."""
        if self._native is None:
            self._native = self._make(sources, targets)
        verdicts = self._native.judge(sources, targets, self.engine.threads)
        for number, count in enumerate(np.bincount(verdicts, minlength=len(REASONS)).tolist()):
            self.counts[REASONS[number]] += count
        kept: npt.NDArray[np.bool_] = verdicts == 0
        return kept

    def _make(self, sources: list[str], targets: list[str]) -> _core.Cleaner:
        options, native = self.options, _core.CleanOptions()
        native.max_words, native.max_ratio = options.max_words, options.max_ratio
        native.min_script = options.min_script
        native.remove_identical = not options.keep_identical
        native.remove_duplicates = not options.keep_duplicates
        return _core.Cleaner(
            native,
            script_table()[1],
            self._script(options.source_script, sources),
            self._script(options.target_script, targets),
        )

    def _script(self, name: str | None, lines: list[str]) -> int:
        if self.options.min_script == 0:
            return 0
        name = name or main_script(lines, engine=self.engine)
        return script_number(name) if name else 0

    def report(self) -> str:
        """One line: how many pairs stay, and how many go for which reason."""
        gone = [f"{REASONS[i]} {self.counts[REASONS[i]]:,}" for i in range(1, len(REASONS))]
        return f"kept {self.counts['kept']:,} of {self.total:,} pairs ({', '.join(gone)})"


def clean_pairs(pairs: Iterable[tuple[str, str]], cleaner: Cleaner) -> Iterator[tuple[str, str]]:
    """The pairs that stay, as a stream."""
    for block in blocks(pairs):
        mask = cleaner.mask([source for source, _ in block], [target for _, target in block])
        yield from (pair for pair, kept in zip(block, mask.tolist(), strict=True) if kept)
