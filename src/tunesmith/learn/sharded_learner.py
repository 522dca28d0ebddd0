"""`ShardedLearner`: the passes of a learner over shards side by side, mixed after every epoch."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from tunesmith.base.array_file import contents_of, read_arrays, write_arrays
from tunesmith.base.errors import OptionError
from tunesmith.base.progress import progress
from tunesmith.base.ragged import packed_names, unpacked_names
from tunesmith.engine import Engine, as_engine
from tunesmith.engine.watched import Watched
from tunesmith.learn.epochs import BatchReport
from tunesmith.learn.flat_weights import FlatWeights
from tunesmith.learn.learner import Learned
from tunesmith.learn.ranking import Pass, Shard, iter_mix_sgd, iter_sel_sgd, mix_sgd

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce

#: What learns on shards: what needs no more of a sentence pair than a list of its translations.
SHARDED_METHODS = ("ranking", "expected")
FILE_KIND, FILE_VERSION = "mixed-weights", 1


class Shardable(Protocol):
    """A learner whose passes may be made elsewhere, each over a part of its pairs."""

    options: "Maxforce"
    examples: npt.NDArray[np.int64]

    def shards(self) -> Sequence[Shard]:
        """All pairs, in parts that can travel; their lengths are numbers of pairs."""

    def shard_pass(self, engine: Engine) -> Pass:
        """How weights are taken over a shard; `engine` is what one has."""

    def start(self) -> Learned:
        """What it begins with."""

    def flat(self) -> FlatWeights:
        """The same as arrays."""

    def learned_from(self, weights: FlatWeights) -> Learned:
        """What weights that were learned elsewhere are to it."""

    def identity(self) -> dict[str, Any]:
        """All that decides the result."""


class ShardedLearner:
    """Algorithms 2 to 4 of Simianer et al. (2012) over the passes of another learner."""

    def __init__(self, learner: Shardable) -> None:
        options = learner.options
        if options.method not in SHARDED_METHODS:
            raise OptionError(
                f"{options.method} on shards, expected {' or '.join(SHARDED_METHODS)}"
            )
        self.learner, self.options = learner, options
        self.examples = learner.examples
        self.engine = as_engine(options.engine)
        self.shards = learner.shards()
        self._pass = learner.shard_pass(self.engine.share(len(self.shards)))
        self.weights = learner.flat()
        self._epochs: Iterator[FlatWeights] | None = None
        self._done: Callable[[int], None] = lambda number: None

    def one_pass(self, epoch: int) -> list[BatchReport]:
        """An epoch of Algorithm 3 or 4; of Algorithm 2, all epochs at once."""
        with progress(f"epoch {epoch}", len(self.examples)) as bar:
            self._done = lambda number: bar.advance(len(self.shards[number]))
            self._epochs = self._epochs or self._algorithm()
            self.weights = next(self._epochs)
        return list(self.weights.reports)

    def _algorithm(self) -> Iterator[FlatWeights]:
        options = self.options
        engine = Watched(self.engine, lambda number: self._done(number))
        given = engine, self.shards, self._pass, self.weights
        algorithms: dict[str, Callable[[], Iterator[FlatWeights]]] = {
            "mix": lambda: iter([mix_sgd(*given, options.epochs)]),
            "iter-mix": lambda: iter_mix_sgd(*given),
            "iter-select": lambda: iter_sel_sgd(*given, options.keep),
        }
        return algorithms[options.mixing]()

    def start(self) -> Learned:
        """What the learner begins with."""
        return self.learner.start()

    def learned(self) -> Learned:
        """The weights as they are mixed."""
        return self.learner.learned_from(self.weights)

    def identity(self) -> dict[str, Any]:
        """All that decides the result."""
        return self.learner.identity()

    def save(self, path: Path) -> list[Any]:
        """The mixed weights."""
        weights = self.weights
        write_arrays(
            path,
            FILE_KIND,
            FILE_VERSION,
            {
                "keys": weights.keys,
                "values": weights.values,
                "names": packed_names(weights.names.tolist()),
            },
        )
        return [weights.dense.tolist(), weights.text.tolist()]

    def restore(self, path: Path, state: list[Any]) -> None:
        """Go on with these."""
        arrays = read_arrays(path, FILE_KIND, FILE_VERSION)
        with contents_of(path, "the state of a learner"):
            dense, text = (np.array(part, np.float64) for part in state)
            if len(dense) != len(self.weights.dense) or len(arrays["keys"]) != len(
                arrays["values"]
            ):
                raise ValueError("weights of other features")
            names = np.array(unpacked_names(arrays["names"]), dtype=object)
            if len(names) not in (0, len(arrays["keys"])):
                raise ValueError("names of other features")
            self.weights = FlatWeights(dense, arrays["keys"], arrays["values"], text, names=names)
