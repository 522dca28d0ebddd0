"""Forced decoding of a parallel text with a hierarchical model: what its rules can make."""

from collections.abc import Sequence

import numpy as np

from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.progress import progress
from tunesmith.corpus.lines import split
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.forced import ForcedOptions
from tunesmith.decode.forced_result import ForcedResult
from tunesmith.decode.want import Graphs
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.grammar import HieroIndex
from tunesmith.graph import log_sums
from tunesmith.model import TranslationModel

#: Those of the options that hold here; the others are about phrases and the limits of their search.
RULE_OPTIONS = ("max_words", "leave_out")
# Pairs whose graphs are in memory at a time.
BLOCK = 200


def force_rules(
    model: TranslationModel,
    sources: Sequence[str],
    targets: Sequence[str],
    options: ForcedOptions | None = None,
    *,
    engine: EngineLike = ALL_CORES,
) -> ForcedResult:
    """Which pairs of a tokenised text the model can make, and in how many ways, exactly.

    There are no prefixes: a pair can be made as a whole or not at all. With `leave_out` ``own`` the
    text is the one that the model's index was made of, and pair i does not count for itself.
    """
    options = options or ForcedOptions()
    decoder = ChartDecoder(model, engine=engine)
    lengths = np.array([len(split(line)) for line in sources], np.int32)
    tried = np.flatnonzero(lengths <= options.max_words)
    index = _own_text(model, len(sources)) if options.leave_out != "none" else None
    if options.leave_out == "singletons":
        raise OptionError("leave_out is singletons, expected none or own for a hierarchical model")
    counts, sizes = np.zeros(len(sources)), np.zeros((2, len(sources)), np.int64)

    def gold(block: Sequence[int]) -> GraphPool:
        lines, wanted = [sources[i] for i in block], [targets[i] for i in block]
        if index is None:
            return decoder.gold_graphs(lines, wanted)
        rules = [index.rules(sources[i], leave_out=i).grammar() for i in block]
        session = decoder.with_grammars(rules).session()
        return session.graphs(lines, Graphs(), [split(line) for line in wanted])

    with progress("forced decoding", len(tried)) as bar:
        for begin in range(0, len(tried), BLOCK):
            block = tried[begin : begin + BLOCK].tolist()
            pool = gold(block)
            counts[block] = np.exp(log_sums(pool, np.zeros(len(pool.names)), engine=engine))
            sizes[:, block] = np.diff(pool.node_offsets), pool.edge_counts()
            bar.advance(len(block))
    whole = counts > 0
    stopped = np.where(lengths > options.max_words, "length", "").tolist()
    target_lengths = np.array([len(split(line)) for line in targets], np.int32)
    return ForcedResult(
        whole=whole,
        source_words=np.where(whole, lengths, 0).astype(np.int32),
        target_words=np.where(whole, target_lengths, 0).astype(np.int32),
        derivations=counts,
        stopped=stopped,
        visited=sizes[0],
        nodes=sizes[0],
        edges=sizes[1],
        prefixes=np.zeros((0, 3), np.int64),
        lattices=[],
    )


def _own_text(model: TranslationModel, pairs: int) -> HieroIndex:
    index = model.grammar
    if not isinstance(index, HieroIndex):
        raise OptionError(f"leave_out: {model.folder} has a grammar, expected an index of its text")
    if len(index) != pairs:
        raise OptionError(
            f"leave_out: {pairs:,} pairs, expected the {len(index):,} that the model was made of"
        )
    return index
