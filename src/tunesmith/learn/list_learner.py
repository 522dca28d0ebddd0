"""`ListLearner`: learns from the lists or graphs of any decoder, whatever its search is like.

For lexical features, and for what looks into the stacks of a search, see `StackLearner`.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.array_file import contents_of, read_arrays, write_arrays
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import Decoder
from tunesmith.engine import Engine, as_engine
from tunesmith.grammar import ScfgGrammar
from tunesmith.learn.epochs import BatchReport, Outcome
from tunesmith.learn.examples import tell_usable, usable_pairs
from tunesmith.learn.flat_weights import FlatWeights
from tunesmith.learn.folds import fold_numbers
from tunesmith.learn.graph_rules import GRAPH_RULES
from tunesmith.learn.growing_weights import GrowingWeights
from tunesmith.learn.hypotheses import HYPOTHESES, Asked, Seen
from tunesmith.learn.learner import Batch, BatchLearner, Learned
from tunesmith.learn.methods import FREE, METHODS, NEWEST, moves
from tunesmith.learn.ranking import Pass
from tunesmith.learn.update_rules import LIST_METHODS, Floats

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce

FILE_KIND, FILE_VERSION = "list-learner", 1


@dataclass(frozen=True)
class ListShard:
    """Sentence pairs, and a decoder that has not seen them; it can travel."""

    pairs: Bitext
    decoder: Decoder
    grammars: Sequence[ScfgGrammar] | None = None
    """The rules of each pair's source, where the decoder's own are not to be used."""

    def __len__(self) -> int:
        return len(self.pairs)


def list_pass(
    shard: ListShard, weights: FlatWeights, options: "Maxforce", begin: Weights, engine: Engine
) -> FlatWeights:
    """The shard's pairs in their order, batch by batch, from `weights` on."""
    options = replace(options, engine=engine)
    learner = ListLearner(options, [shard.decoder.on(engine)], shard.pairs, begin, is_shard=True)
    learner.grammars = shard.grammars
    learner.assign(weights)
    examples = learner.examples.astype(np.uint32)
    batches = range(0, len(examples), options.batch)
    reports = [learner.step(examples[at : at + options.batch]) for at in batches]
    return replace(learner.flat(), reports=tuple(reports))


def check_list_options(options: "Maxforce") -> None:
    """Refuse what cannot be learned from the lists or graphs of a decoder."""
    if options.method not in LIST_METHODS:
        raise OptionError(
            f"{options.method} looks into the stacks of phrase-based search, and the lists of "
            f"a decoder have none; expected {', '.join(LIST_METHODS)}"
        )
    if options.step != "perceptron":
        raise OptionError(f"step is {options.step}, expected perceptron for a decoder's lists")
    if options.hypotheses == "graphs" and options.method not in GRAPH_RULES:
        raise OptionError(f"{options.method} from graphs, expected {' or '.join(GRAPH_RULES)}")


class ListLearner(BatchLearner):
    """Weights of a decoder's own features, dense and sparse, by name.

    `decoders` are one, or one for each part of the training set that has not seen it.
    """

    def __init__(
        self,
        options: "Maxforce",
        decoders: Sequence[Decoder],
        pairs: Bitext,
        start: Weights,
        *,
        is_shard: bool = False,
    ) -> None:
        check_list_options(options)
        if options.hypotheses == "graphs" and not all(one.gives_graphs for one in decoders):
            raise OptionError("hypotheses is graphs, expected lists: the decoder gives no graphs")
        self.options, self.decoders, self.pairs = options, list(decoders), pairs
        self.grammars: Sequence[ScfgGrammar] | None = None
        self.parts = len(self.decoders)
        self.folds = fold_numbers(pairs, self.parts)
        self.examples = usable_pairs(pairs, options.max_words)
        if not is_shard:
            tell_usable(self.examples, pairs)
        from_zero = options.dense_weights == "from-zero"
        self.begin = Weights({name: 0.0 if from_zero else start[name] for name in start})
        # Steps and sharpness mean the same whatever the weights sum up to.
        self.unit = sum(map(abs, self.begin.values())) or 1.0
        self.rate = self.unit * (options.rate or METHODS[options.method][1])
        self.weights = GrowingWeights(
            decoders,
            self.begin,
            lambda name, is_dense: self.rate * moves(options, name, is_dense=is_dense),
            live=as_engine(options.engine).workers == 1,
        )
        self._text: Floats | None = None
        """Mean statistics of the translations before."""

    def start(self) -> Learned:
        """The weights that it was given, or 0."""
        return Learned(self.begin)

    def step(self, batch: Batch) -> BatchReport:
        """Decode the batch, and move the weights by what the rule says of its hypotheses."""
        options, pairs = self.options, batch[:, 0]
        sources, targets = (
            list(side.select(pairs).lines()) for side in (self.pairs.source, self.pairs.target)
        )
        asked = Asked(
            sources,
            targets,
            self.weights.for_search(),
            self.weights.vector,
            self.weights.shares,
            options.sharpness / self.unit if options.method == "expected" else 1.0,
            self._text,
            1.0 if options.combine == "sum" else 1 / len(batch),
            options,
        )
        seen = HYPOTHESES[options.hypotheses](self._decoder(pairs), asked)
        self._add(seen)
        self._add_to_text(seen.stats)
        words = self.pairs.source.lengths[pairs]
        return BatchReport(
            outcomes=np.where(seen.updated, Outcome.UPDATED, Outcome.SOLVED),
            bins=np.where(seen.updated, words, 0),
            words=words,
            violations=seen.violations,
            reached=np.array(
                [text == target for text, target in zip(seen.best, targets, strict=True)]
            ),
        )

    def learned(self) -> Learned:
        """All weights that are not 0, and all dense ones."""
        kept = self.weights.named(average=self.options.average)
        return self._learned(kept)

    def _learned(self, values: dict[str, float]) -> Learned:
        if self.options.dense_weights == "tuned":
            values |= {name: self.begin.get(name, 0.0) for name in self.weights.dense}
        return Learned(Weights(values))

    def shard(self, pairs: npt.NDArray[np.int64]) -> ListShard:
        """These pairs and the decoder of their fold."""
        return ListShard(self.pairs.select(pairs), self.decoders[self.folds[pairs[0]]])

    def shard_pass(self, engine: Engine) -> Pass:
        """A pass of a learner like this one."""
        return partial(list_pass, options=self.options, begin=self.begin, engine=engine)

    def flat(self) -> FlatWeights:
        """The weights as they are, as arrays."""
        text = np.zeros(0) if self._text is None else self._text
        return replace(self.weights.flat(), text=text)

    def assign(self, weights: FlatWeights) -> None:
        """Go on with weights that were learned elsewhere, by learners like this one."""
        self.weights.assign(weights)
        self._text = weights.text if len(weights.text) else None

    def learned_from(self, weights: FlatWeights) -> Learned:
        """The same as a result."""
        self.assign(weights)
        return self._learned(self.weights.named(average=False))

    def identity(self) -> dict[str, Any]:
        """All that decides the result but for what the decoder is."""
        return {
            "options": {k: v for k, v in asdict(self.options).items() if k not in FREE},
            "weights": dict(self.begin),
            "pairs": [len(self.pairs), len(self.examples)],
        }

    def save(self, path: Path) -> list[Any]:
        """Names, weights and what their average needs."""
        write_arrays(path, FILE_KIND, FILE_VERSION, self.weights.arrays())
        return [self.weights.steps, None if self._text is None else self._text.tolist()]

    def restore(self, path: Path, state: list[Any]) -> None:
        """Go on with these."""
        arrays = read_arrays(path, FILE_KIND, FILE_VERSION)
        with contents_of(path, "the state of a learner"):
            self.weights.restore(arrays, float(state[0]))
            self._text = None if state[1] is None else np.array(state[1], np.float64)

    def _decoder(self, pairs: npt.NDArray[np.uint32]) -> Decoder:
        """What searches a batch."""
        decoder: Decoder = self.decoders[self.folds[pairs[0]]]
        if self.grammars is None:
            return decoder
        return decoder.with_grammars([self.grammars[pair] for pair in pairs])

    def _add_to_text(self, stats: npt.NDArray[np.int32]) -> None:
        mean = stats.mean(axis=0)
        share = 1.0 if self._text is None else NEWEST
        self._text = mean if self._text is None else self._text + share * (mean - self._text)

    def _add(self, seen: Seen) -> None:
        """η Σ_k c_k Φ_k."""
        self.weights.add(*seen.dense, dense=True)
        self.weights.add(*seen.sparse, dense=False)
        self.weights.steps += 1.0
