"""Graphs put together: of the same sentences, of other sentences, of chosen derivations only."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import ARRAYS, GraphPool
from tunesmith.base.ragged import starts
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.graph.derivations import Derivations


def union(pools: Sequence[GraphPool], *, engine: EngineLike = ALL_CORES) -> GraphPool:
    """The derivations of all pools, sentence by sentence; features and words go by their names.

    Nodes with the same edges become one, from the leaves up, so what the pools have in common
    from the beginning is kept once. A derivation that is in two pools along nodes that differ
    otherwise is there twice.
    """
    if not pools:
        raise OptionError("no pools to put together")
    for pool in pools[1:]:
        if len(pool) != len(pools[0]):
            raise OptionError(f"pools of {len(pools[0])} and {len(pool)} sentences")
    vocabulary, names = Vocabulary(), Vocabulary()
    words = [np.array([vocabulary.add(w) for w in pool.vocabulary], np.int64) for pool in pools]
    features = [np.array([names.add(name) for name in pool.names], np.int64) for pool in pools]
    parts = _core.graph_union(
        [pool.native for pool in pools], words, features, as_engine(engine).threads
    )
    return GraphPool.from_native({**parts, "vocabulary": vocabulary.native}, tuple(names))


def joined(pools: Sequence[GraphPool]) -> GraphPool:
    """The sentences of the first pool, then those of the second, and so on."""
    if not pools:
        raise OptionError("no pools to put together")
    vocabulary, names = Vocabulary(), Vocabulary()
    for pool in pools:
        for name in pool.names:
            names.add(name)
    pools = [p if p.names == tuple(names) else p.with_features(tuple(names)) for p in pools]
    words = []
    for pool in pools:
        ids = np.array([vocabulary.add(word) for word in pool.vocabulary], dtype=np.int32)
        is_word = pool.words >= 0
        own = pool.words.copy()
        own[is_word] = ids[pool.words[is_word]]
        words.append(own)

    def offsets(name: str) -> npt.NDArray[np.int64]:
        return starts(np.concatenate([np.diff(getattr(pool, name)) for pool in pools]))

    def items(name: str) -> npt.NDArray[Any]:
        return np.concatenate([getattr(pool, name) for pool in pools])

    arrays: dict[str, Any] = {
        name: offsets(name) if name.endswith("_offsets") else items(name)
        for name in ARRAYS
        if name != "words"
    }
    return GraphPool(
        **arrays, words=np.concatenate(words), names=tuple(names), vocabulary=vocabulary
    )


def chosen_paths(derivations: Derivations, *, engine: EngineLike = ALL_CORES) -> GraphPool:
    """The graphs of these derivations alone; those that begin alike share their beginnings."""
    pool = derivations.pool
    parts = _core.graph_of_derivations(
        pool.native,
        derivations.offsets,
        derivations.edge_offsets,
        derivations.edges,
        as_engine(engine).threads,
    )
    return GraphPool.from_native({**parts, "vocabulary": pool.vocabulary.native}, pool.names)
