"""`ShardedLearner`: the passes of a learner over shards side by side, mixed after every epoch."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from tunesmith.base.array_file import contents_of, read_arrays, write_arrays
from tunesmith.base.errors import OptionError
from tunesmith.learn.epochs import BatchReport
from tunesmith.learn.flat_weights import FlatWeights
from tunesmith.learn.learner import Learned
from tunesmith.learn.ranking import iter_mix_sgd, iter_sel_sgd, mix_sgd
from tunesmith.learn.shard_pass import PassWork, one_pass, shards_of
from tunesmith.learn.stack_learner import StackLearner

#: What learns on shards: what needs no more of a sentence pair than a list of its translations.
SHARDED_METHODS = ("ranking", "expected")
FILE_KIND, FILE_VERSION = "mixed-weights", 1


class ShardedLearner:
    """Algorithms 2 to 4 of Simianer et al. (2012) over the passes of the core's learner."""

    def __init__(self, learner: StackLearner) -> None:
        options = learner.options
        if options.method not in SHARDED_METHODS:
            raise OptionError(
                f"{options.method} on shards, expected {' or '.join(SHARDED_METHODS)}"
            )
        self.learner, self.options = learner, options
        self.examples = learner.examples
        self.shards = shards_of(
            learner.pairs,
            learner.links,
            learner.examples[:, 0],
            learner.folds,
            learner.models,
            options.shard_size,
        )
        engine = learner.engine
        work = PassWork(learner.how, learner.empty_lexical(), engine.share(len(self.shards)))
        self._pass = partial(one_pass, work=work)
        self.weights = learner.flat()
        self._epochs: Iterator[FlatWeights] | None = None

    def one_pass(self, epoch: int) -> list[BatchReport]:
        """An epoch of Algorithm 3 or 4; of Algorithm 2, all epochs at once."""
        if self._epochs is None:
            self._epochs = self._algorithm()
        self.weights = next(self._epochs)
        return list(self.weights.reports)

    def _algorithm(self) -> Iterator[FlatWeights]:
        options = self.options
        given = self.learner.engine, self.shards, self._pass, self.weights
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
            {"keys": weights.keys, "values": weights.values},
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
            self.weights = FlatWeights(dense, arrays["keys"], arrays["values"], text)
