"""What a learner sees of a search, lists or graphs, and where that moves the weights."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.decode import Decoder, DecoderOutput, Graphs, KBest
from tunesmith.graph import best
from tunesmith.learn.graph_rules import ADD_ONE, GRAPH_RULES
from tunesmith.learn.methods import METRIC, WHOLE_PAIRS
from tunesmith.learn.update_rules import LIST_RULES, Floats, ListUpdate
from tunesmith.metrics.base import PSEUDO_CORPUS
from tunesmith.metrics.bleu import INTERPOLATED

if TYPE_CHECKING:
    from tunesmith.learn.maxforce import Maxforce


@dataclass(frozen=True)
class Asked:
    """A batch, and how its translations are to be judged."""

    sources: list[str]
    targets: list[str]
    weights: Weights | Floats
    """As the decoder takes them."""
    vector: Callable[[Sequence[str]], Floats]
    """The same for features by name …"""
    rates: Callable[[Sequence[str]], Floats]
    """… and by how much a step moves them."""
    sharpness: float
    """What scores are multiplied by before they become probabilities."""
    text: Floats | None
    """Mean statistics of the translations before; None at the begin."""
    share: float
    """What a sentence counts in the update."""
    options: "Maxforce"

    @property
    def count(self) -> float:
        """Sentences of the text that a translation is judged in; 0: it is judged alone."""
        expected = self.options.method == "expected"
        return self.options.background if expected and self.text is not None else 0.0


@dataclass(frozen=True)
class Seen:
    """What the search of a batch showed."""

    dense: tuple[Sequence[str], Floats]
    """Dense features, and by how much their weights are to move but for the rate."""
    sparse: tuple[Sequence[str], Floats]
    """The same of sparse ones."""
    violations: Floats
    """[sentences] how far the model's choice is from what it should be."""
    updated: npt.NDArray[np.bool_]
    """[sentences] whether there is anything to mend."""
    best: list[str]
    """[sentences] the model's choice …"""
    stats: npt.NDArray[np.int32]
    """… and its statistics."""


def in_lists(decoder: Decoder, asked: Asked) -> Seen:
    """The best translations of each sentence: Σ_k c_k Φ_k with the c_k of `update_rules`."""
    options = asked.options
    size = options.list_size if options.method in WHOLE_PAIRS else options.beam
    output = decoder.decode(asked.sources, asked.weights, KBest(size))
    stats = METRIC.stats(
        output.texts, output.rows(), METRIC.prepare([asked.targets]), engine=options.engine
    )
    if options.method == "ranking":
        update = _ranked(output, stats, asked)
    else:
        update = LIST_RULES[options.method](
            asked.sharpness * output.scores, _gains(stats, asked), output.offsets
        )
    (offsets, ids, values), names = output.used_sparse()
    coefficients = asked.share * update.coefficients
    rows = np.repeat(np.arange(len(coefficients)), np.diff(offsets))
    change = np.bincount(ids, coefficients[rows] * values, len(names))
    return Seen(
        (output.names, coefficients @ output.features),
        (names, change.astype(np.float64)),
        update.violations,
        update.updated,
        output.best(),
        stats[output.offsets[:-1]],
    )


def _ranked(output: DecoderOutput, stats: npt.NDArray[np.int32], asked: Asked) -> ListUpdate:
    """Pairs of every list in turn, by Liang et al.'s (2006) BLEU of a sentence."""
    options = asked.options
    sparse, names = output.used_sparse()
    every = [*output.names, *names]
    coefficients, pairs, mended = _core.rank_lists(
        output.offsets,
        np.ascontiguousarray(output.features, np.float64),
        *sparse,
        METRIC.sentence_gains(stats, INTERPOLATED, engine=options.engine),
        asked.vector(every),
        asked.rates(every),
        options.level_share,
        options.margin,
    )
    return ListUpdate(coefficients, mended / np.maximum(pairs, 1), mended > 0)


def in_graphs(decoder: Decoder, asked: Asked) -> Seen:
    """Every derivation of the beam, by what `graph_rules` say of the graphs.

    The text that a batch is judged in has `count` sentences for each of its own.
    """
    options, sentences = asked.options, len(asked.sources)
    words = [len(target.split()) for target in asked.targets]
    pool = decoder.decode(asked.sources, asked.weights, want=Graphs(options.density or None, words))
    background = ADD_ONE
    if asked.text is not None and asked.count:
        background = sentences * asked.count * asked.text
    vector = asked.vector(pool.names)
    update = GRAPH_RULES[options.method](
        pool,
        asked.sharpness * vector,
        asked.targets,
        background,
        sentences * (asked.count + 1),
        options.engine,
    )
    chosen = best(pool, vector, engine=options.engine).best_texts()
    stats = METRIC.stats(
        chosen, np.arange(sentences), METRIC.prepare([asked.targets]), engine=options.engine
    )
    dense, change = update.ids < pool.dense_size, asked.share * update.change
    dense_change = np.zeros(pool.dense_size)
    dense_change[update.ids[dense]] = change[dense]
    return Seen(
        (pool.dense_names, dense_change),
        ([pool.names[i] for i in update.ids[~dense].tolist()], change[~dense]),
        update.violations,
        update.updated,
        chosen,
        stats,
    )


def _gains(stats: npt.NDArray[np.int32], asked: Asked) -> Floats:
    """BLEU+1 of a translation alone, or what it does for a text of many sentences."""
    engine = asked.options.engine
    if asked.text is None or not asked.count:
        return METRIC.sentence_gains(stats, engine=engine)
    return (asked.count + 1) * METRIC.sentence_gains(
        stats, PSEUDO_CORPUS, background=asked.count * asked.text, engine=engine
    )


#: What hypotheses are called → how they are learned from.
HYPOTHESES: dict[str, Callable[[Decoder, Asked], Seen]] = {"lists": in_lists, "graphs": in_graphs}
