"""The iterations of EM over an engine: shards give plain results, put together in their order.

Where native threads share one memory there is one shard, and nothing is copied. Otherwise every
worker maps the text, gets the lexicon as it is, and does the E-step of its part of the text.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.align.model import Direction, TranslationLexicon
from tunesmith.corpus import Bitext
from tunesmith.engine import Engine
from tunesmith.engine.shards import ranges

Result = TypeVar("Result")
Range = tuple[int, int]
Offsets = npt.NDArray[np.uint64]
Words = npt.NDArray[np.uint32]
Floats = npt.NDArray[np.float32]

# Blocks of sentences in an iteration of model 1, as kIbm1Blocks in core/align/ibm1.hh.
IBM1_BLOCKS = 32


@dataclass(frozen=True)
class StepOptions:
    """What an iteration does besides its model."""

    null_probability: float
    agreement: bool
    smoothing: str
    alpha: float

    def native(self, engine: Engine) -> _core.AlignmentStep:
        """The core's form."""
        return _core.AlignmentStep(
            self.null_probability, self.agreement, self.smoothing, self.alpha, engine.threads
        )


@dataclass(frozen=True)
class Work:
    """All that a worker needs to know of an iteration; it can travel."""

    text: Path
    max_length: int
    lexicon: TranslationLexicon
    forward: Direction
    reverse: Direction
    options: StepOptions
    engine: Engine
    """The worker's own."""

    def trainer(self) -> _core.AlignmentTrainer:
        """A trainer for a part of the work."""
        text = Bitext.load(self.text)
        source_offsets, source, target_offsets, target = text_arrays(text)
        trainer = _core.AlignmentTrainer.of(
            source_offsets, source, target_offsets, target, self.max_length, *self.lexicon
        )
        trainer.forward, trainer.reverse = self.forward.native(), self.reverse.native()
        return trainer


def text_arrays(text: Bitext) -> tuple[Offsets, Words, Offsets, Words]:
    """Offsets and words of both sides, as trainers take them."""
    return (
        np.ascontiguousarray(text.source.offsets, np.uint64),
        np.ascontiguousarray(text.source.ids, np.uint32),
        np.ascontiguousarray(text.target.offsets, np.uint64),
        np.ascontiguousarray(text.target.ids, np.uint32),
    )


@contextmanager
def text_for_workers(text: Bitext, engine: Engine) -> Iterator[Path | None]:
    """The text in a file while workers need it; None where there is one memory only."""
    if engine.workers == 1:
        yield None
        return
    with TemporaryDirectory(prefix="tunesmith-align-") as folder:
        text.save(path := Path(folder) / "text.bitext")
        yield path


def normalisers(blocks: Range, work: Work) -> _core.AlignmentNormalisers:
    """Step 1 of model 1 for a range of blocks."""
    return work.trainer().normalisers(work.options.native(work.engine), *blocks)


def rows(words: Range, work: Work, found: _core.AlignmentNormalisers) -> tuple[int, Floats, Floats]:
    """Step 2 of model 1 for a range of source words: the first, and the values of all rows."""
    trainer = work.trainer()
    trainer.rows(found, work.options.native(work.engine), *words)
    return words[0], *trainer.row_values(*words)


def expected_counts(blocks: Range, work: Work) -> _core.AlignmentCounts:
    """The E-step of the other models for a range of blocks."""
    return work.trainer().expect(work.options.native(work.engine), *blocks)


@dataclass(frozen=True)
class Iterations:
    """Iterations of a trainer; `text` is the file of its text, where workers need one."""

    trainer: _core.AlignmentTrainer
    engine: Engine
    model: str
    options: StepOptions
    max_length: int
    source_words: int
    text: Path | None = None

    def run(self) -> tuple[float, float]:
        """One iteration; the logarithms of both likelihoods before it."""
        return self._ibm1() if self.model == "ibm1" else self._em()

    def _ibm1(self) -> tuple[float, float]:
        trainer, options = self.trainer, self.options.native(self.engine)
        if self.text is None:
            found = trainer.normalisers(options, 0, IBM1_BLOCKS)
            trainer.rows(found, options, 0, self.source_words)
        else:
            found = _core.AlignmentNormalisers.joined(self._map(normalisers, IBM1_BLOCKS))
            for first, forward, reverse in self._map(partial(rows, found=found), self.source_words):
                trainer.set_row_values(first, forward, reverse)
        return trainer.finish_ibm1(found, options)

    def _em(self) -> tuple[float, float]:
        trainer, options = self.trainer, self.options.native(self.engine)
        if self.text is None:
            counts = [trainer.expect(options, 0, trainer.blocks)]
        else:
            counts = self._map(expected_counts, trainer.blocks)
        return trainer.maximise(counts, options)

    def _map(self, function: Callable[..., Result], total: int) -> list[Result]:
        assert self.text is not None
        shards = ranges(total, self.engine.workers)
        work = Work(
            self.text,
            self.max_length,
            TranslationLexicon(*self.trainer.copy_lexicon()),
            Direction.from_native(self.model, self.trainer.forward),
            Direction.from_native(self.model, self.trainer.reverse),
            self.options,
            self.engine.share(len(shards)),
        )
        return self.engine.map(partial(function, work=work), shards)
