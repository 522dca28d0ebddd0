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
    vocabulary = Vocabulary()
    words = [np.array([vocabulary.add(w) for w in pool.vocabulary], np.int64) for pool in pools]
    names, dense_size = _common_features(pools)
    places = {name: place for place, name in enumerate(names)}
    features = [np.array([places[name] for name in pool.names], np.int64) for pool in pools]
    parts = _core.graph_union(
        [pool.native for pool in pools], words, features, as_engine(engine).threads
    )
    return GraphPool.from_native(parts, names, dense_size, vocabulary)


def joined(pools: Sequence[GraphPool]) -> GraphPool:
    """The sentences of the first pool, then those of the second, and so on."""
    if not pools:
        raise OptionError("no pools to put together")
    vocabulary = Vocabulary()
    names, dense_size = _common_features(pools)
    pools = [p if p.names == names else p.with_features(names, dense_size) for p in pools]
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
        **arrays,
        words=np.concatenate(words),
        names=names,
        dense_size=dense_size,
        vocabulary=vocabulary,
    )


def _common_features(pools: Sequence[GraphPool]) -> tuple[tuple[str, ...], int]:
    """All features of the pools, dense ones first, and how many those are.

    What is dense in one pool is dense.
    """
    dense = dict.fromkeys(name for pool in pools for name in pool.dense_names)
    sparse = dict.fromkeys(name for pool in pools for name in pool.sparse_names)
    return (*dense, *(name for name in sparse if name not in dense)), len(dense)


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
    return pool.with_graphs(parts)
