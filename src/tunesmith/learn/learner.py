"""`Learner`: what a run over the training set needs of whatever moves weights."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from tunesmith.base.progress import progress
from tunesmith.base.seeds import generator
from tunesmith.base.weights import Weights
from tunesmith.engine.shards import ranges
from tunesmith.features import LexicalModel
from tunesmith.learn.epochs import BatchReport
from tunesmith.learn.ranking import Shard

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce

#: Rows of (pair, source words, target words of a prefix, or 0, 0): what a step learns from.
Batch = npt.NDArray[np.uint32]


@dataclass(frozen=True)
class Learned:
    """What a learner knows so far."""

    weights: Weights
    lexical: LexicalModel | None = None
    """Lexical features with their weights, where it learns any."""

    @property
    def features(self) -> int:
        """How many features it has given a weight, besides dense ones."""
        return len(self.weights) if self.lexical is None else len(self.lexical)


#: Judges what was learned on the dev set: BLEU, and the weights with which it was reached.
Judge = Callable[[Learned], tuple[float, Weights]]


class Learner(Protocol):
    """Moves weights, one pass over the training set after the other."""

    @property
    def examples(self) -> npt.NDArray[np.int64]:
        """All that it learns from, as rows of a batch."""

    def start(self) -> Learned:
        """What it begins with."""

    def one_pass(self, epoch: int) -> list[BatchReport]:
        """Learn from every example once; epochs count from 1."""

    def learned(self) -> Learned:
        """The weights after the last pass, averaged over all steps if they are averaged."""

    def identity(self) -> dict[str, Any]:
        """All that decides the result, for a run that goes on."""

    def save(self, path: Path) -> list[Any]:
        """Write what a learner needs to go on to a file, and give what is small."""

    def restore(self, path: Path, state: list[Any]) -> None:
        """Go on from what `save` has kept."""


class BatchLearner(ABC):
    """Moves weights, one mini-batch of the training set after the other.

    Yu et al. (2013), §5: for every mini-batch, search its examples under the weights so far, add
    what the update rule says of them.
    """

    options: "Maxforce"
    examples: npt.NDArray[np.int64]
    """All that it learns from, as rows of a batch."""
    parts: int
    """Parts of the training set that have a model of their own."""
    folds: npt.NDArray[np.uint32]
    """The part that each pair belongs to; a batch is of one part."""

    @abstractmethod
    def step(self, batch: Batch) -> BatchReport:
        """Search the examples under the weights so far, then update."""

    @abstractmethod
    def shard(self, pairs: npt.NDArray[np.int64]) -> Shard:
        """These pairs, which are of one fold, with all that is theirs alone; it can travel."""

    def shards(self) -> list[Shard]:
        """All that it learns from, in shards."""
        rows = cut(self.examples[:, 0], self.folds, self.parts, self.options.shard_size)
        return [self.shard(some) for some in rows]

    def one_pass(self, epoch: int) -> list[BatchReport]:
        """Every example once, in an order of the epoch's own."""
        reports = []
        with progress(f"epoch {epoch}", len(self.examples)) as bar:
            for batch in self._batches(epoch):
                reports.append(self.step(batch))
                bar.advance(len(batch))
        return reports

    def _batches(self, epoch: int) -> Iterator[Batch]:
        """The examples in a new order, in batches of one fold each."""
        size = self.options.batch
        chance = generator(self.options.seed, "maxforce", epoch)
        every = []
        for fold in range(self.parts):
            own = self.examples[self.folds[self.examples[:, 0]] == fold]
            own = own[chance.permutation(len(own))]
            every += [own[at : at + size] for at in range(0, len(own), size)]
        for i in chance.permutation(len(every)):
            yield every[i].astype(np.uint32)


def cut(
    examples: npt.NDArray[np.int64], folds: npt.NDArray[np.uint32], parts: int, size: int
) -> list[npt.NDArray[np.int64]]:
    """The pairs `examples`, in shards of about `size` that are each of one fold."""
    shards = []
    for fold in range(parts):
        own = examples[folds[examples] == fold]
        for begin, end in ranges(len(own), max(1, round(len(own) / size))):
            shards.append(own[begin:end])
    return shards
