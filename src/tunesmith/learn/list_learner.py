"""`ListLearner`: learns from the lists or graphs of any decoder, whatever its search is like.

For lexical features, and for what looks into the stacks of a search, see `StackLearner`.
"""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.array_file import contents_of, read_arrays, write_arrays
from tunesmith.base.errors import OptionError
from tunesmith.base.ragged import packed_names, unpacked_names
from tunesmith.base.weights import MAX_WEIGHT, Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import Decoder
from tunesmith.learn.epochs import BatchReport, Outcome
from tunesmith.learn.examples import usable_pairs
from tunesmith.learn.folds import fold_numbers
from tunesmith.learn.graph_rules import GRAPH_RULES
from tunesmith.learn.hypotheses import HYPOTHESES, Asked, Seen
from tunesmith.learn.learner import Batch, BatchLearner, Learned
from tunesmith.learn.methods import FREE, METHODS, NEWEST, moves
from tunesmith.learn.update_rules import LIST_METHODS, Floats

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce

FILE_KIND, FILE_VERSION = "list-learner", 1


class ListLearner(BatchLearner):
    """Weights of a decoder's own features, dense and sparse, by name.

    `decoders` are one, or one for each part of the training set that has not seen it.
    """

    def __init__(
        self, options: "Maxforce", decoders: Sequence[Decoder], pairs: Bitext, start: Weights
    ) -> None:
        if options.method not in LIST_METHODS:
            raise OptionError(
                f"{options.method} looks into the stacks of phrase-based search, and the lists of "
                f"a decoder have none; expected {', '.join(LIST_METHODS)}"
            )
        if options.step != "perceptron":
            raise OptionError(f"step is {options.step}, expected perceptron for a decoder's lists")
        if options.hypotheses == "graphs" and not all(one.gives_graphs for one in decoders):
            raise OptionError("hypotheses is graphs, expected lists: the decoder gives no graphs")
        if options.hypotheses == "graphs" and options.method not in GRAPH_RULES:
            raise OptionError(f"{options.method} from graphs, expected {' or '.join(GRAPH_RULES)}")
        self.options, self.decoders, self.pairs = options, list(decoders), pairs
        self.parts = len(self.decoders)
        self.folds = fold_numbers(len(pairs), self.parts)
        self.examples = usable_pairs(pairs, options.max_words)
        from_zero = options.dense_weights == "from-zero"
        self.begin = Weights({name: 0.0 if from_zero else start[name] for name in start})
        # Steps and sharpness mean the same whatever the weights sum up to.
        self.unit = sum(map(abs, self.begin.values())) or 1.0
        self.rate = self.unit * (options.rate or METHODS[options.method][1])
        # The features that are known so far: names, weights, Σ over steps t of t · (step t), rates.
        self._names = tuple(decoders[0].all_names or ())
        self._known = decoders[0].all_names is not None
        self._places: dict[str, int] = {}
        self._weights = self._lagged = self._rates = np.zeros(0)
        self._dense: set[str] = set(decoders[0].names)
        self._meet(list(decoders[0].all_names or start), self._dense or set(start))
        for name, value in self.begin.items():
            if name not in self._places:
                raise OptionError(f"weight for '{name}', which is no feature of the decoder")
            self._weights[self._places[name]] = value
        self._steps = 0.0
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
            self._search(),
            self._vector,
            self._steps_of,
            options.sharpness / self.unit if options.method == "expected" else 1.0,
            self._text,
            1.0 if options.combine == "sum" else 1 / len(batch),
            options,
        )
        seen = HYPOTHESES[options.hypotheses](self.decoders[self.folds[pairs[0]]], asked)
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
        weights = self._weights
        if self.options.average and self._steps:
            weights = weights - self._lagged / self._steps
        values = dict(zip(self._places, weights.tolist(), strict=True))
        kept = {name: value for name, value in values.items() if value or name in self._dense}
        if self.options.dense_weights == "tuned":
            kept |= {name: self.begin.get(name, 0.0) for name in self._dense}
        return Learned(Weights(kept))

    def identity(self) -> dict[str, Any]:
        """All that decides the result but for what the decoder is."""
        return {
            "options": {k: v for k, v in asdict(self.options).items() if k not in FREE},
            "weights": dict(self.begin),
            "pairs": [len(self.pairs), len(self.examples)],
        }

    def save(self, path: Path) -> list[Any]:
        """Names, weights and what their average needs."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "names": packed_names(list(self._places)),
            "dense": np.array([name in self._dense for name in self._places], np.uint8),
            "weights": self._weights,
            "lagged": self._lagged,
        }
        write_arrays(path, FILE_KIND, FILE_VERSION, arrays)
        return [self._steps, None if self._text is None else self._text.tolist()]

    def restore(self, path: Path, state: list[Any]) -> None:
        """Go on with these."""
        arrays = read_arrays(path, FILE_KIND, FILE_VERSION)
        with contents_of(path, "the state of a learner"):
            names = unpacked_names(arrays["names"])
            if self._known and names != tuple(self._places):
                raise ValueError("features of another decoder")
            self._meet(names, {n for n, d in zip(names, arrays["dense"], strict=True) if d})
            places = [self._places[name] for name in names]
            for own, name in ((self._weights, "weights"), (self._lagged, "lagged")):
                # Both together are weights, which have a limit.
                if len(arrays[name]) != len(names) or not (
                    np.abs(arrays[name]).max(initial=0.0) <= MAX_WEIGHT / 2
                ):
                    raise ValueError(f"{name} that are no weights of {len(names):,} features")
                own[places] = arrays[name]
            self._steps = float(state[0])
            self._text = None if state[1] is None else np.array(state[1], np.float64)

    def _search(self) -> Weights | npt.NDArray[np.float64]:
        """The weights as the decoder takes them: a vector where it knows its features."""
        if self._known:
            return self._weights
        return Weights(dict(zip(self._places, self._weights.tolist(), strict=True)))

    def _vector(self, names: Sequence[str]) -> Floats:
        """The weights of these features; those that were never met weigh nothing."""
        if self._known and tuple(names) == self._names:
            return self._weights
        weights = np.append(self._weights, 0.0)
        return weights[[self._places.get(name, -1) for name in names]]

    def _steps_of(self, names: Sequence[str]) -> Floats:
        """What a step moves these features by; those that were never met are sparse."""
        rates = np.append(self._rates, 1.0)
        return self.rate * rates[[self._places.get(name, -1) for name in names]]

    def _add_to_text(self, stats: npt.NDArray[np.int32]) -> None:
        mean = stats.mean(axis=0)
        share = 1.0 if self._text is None else NEWEST
        self._text = mean if self._text is None else self._text + share * (mean - self._text)

    def _add(self, seen: Seen) -> None:
        """η Σ_k c_k Φ_k."""
        for (names, change), dense in ((seen.dense, set(seen.dense[0])), (seen.sparse, set[str]())):
            self._meet(names, dense)
            places = [self._places[name] for name in names]
            step = self.rate * self._rates[places] * change
            self._weights[places] += step
            self._lagged[places] += self._steps * step
        self._steps += 1.0

    def _meet(self, names: Sequence[str], dense: set[str]) -> None:
        """Room for features that were not seen before."""
        new = [name for name in names if name not in self._places]
        if not new:
            return
        self._dense.update(name for name in new if name in dense)
        self._places.update(
            zip(new, range(len(self._places), len(self._places) + len(new)), strict=True)
        )
        rates = [moves(self.options, name, is_dense=name in self._dense) for name in new]
        self._rates = np.concatenate([self._rates, rates])
        self._weights = np.concatenate([self._weights, np.zeros(len(new))])
        self._lagged = np.concatenate([self._lagged, np.zeros(len(new))])
