"""`Learner`: what a run over the training set needs of whatever updates weights in mini-batches."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from tunesmith.base.seeds import generator
from tunesmith.base.weights import Weights
from tunesmith.features import LexicalModel
from tunesmith.learn.epochs import BatchReport

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
    """Moves weights, one mini-batch of the training set after the other."""

    @property
    def examples(self) -> npt.NDArray[np.int64]:
        """All that it learns from, as rows of a batch."""

    @property
    def parts(self) -> int:
        """Parts of the training set that have a model of their own."""

    @property
    def folds(self) -> npt.NDArray[np.uint32]:
        """The part that each pair belongs to; a batch is of one part."""

    def start(self) -> Learned:
        """What it begins with."""

    def step(self, batch: Batch) -> BatchReport:
        """Search the examples under the weights so far, then update."""

    def learned(self) -> Learned:
        """The weights after the last step, averaged over all steps if they are averaged."""

    def identity(self) -> dict[str, Any]:
        """All that decides the result, for a run that goes on."""

    def save(self, path: Path) -> list[Any]:
        """Write what a learner needs to go on to a file, and give what is small."""

    def restore(self, path: Path, state: list[Any]) -> None:
        """Go on from what `save` has kept."""


def batches(learner: Learner, size: int, seed: int, epoch: int) -> Iterator[Batch]:
    """The examples in a new order, in batches of one fold each."""
    chance = generator(seed, "maxforce", epoch)
    examples, folds = learner.examples, learner.folds
    every = []
    for fold in range(learner.parts):
        own = examples[folds[examples[:, 0]] == fold]
        own = own[chance.permutation(len(own))]
        every += [own[at : at + size] for at in range(0, len(own), size)]
    for i in chance.permutation(len(every)):
        yield every[i].astype(np.uint32)
