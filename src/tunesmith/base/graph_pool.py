"""`GraphPool`: the hypergraphs of all sentences as plain arrays; `Hypergraph`: one of them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import contents_of, read_arrays, write_arrays
from tunesmith.base.ragged import packed_names, ranges, starts, unpacked_names
from tunesmith.base.vocabulary import Vocabulary

FILE_KIND, FILE_VERSION = "graphs", 2

Symbol = str | int
"""An element of an edge's target side: a word, or the number of a tail whose words stand there."""


@dataclass(frozen=True)
class Edge:
    """One way to make a node: from the derivations of `tails`, with words between them."""

    words: tuple[Symbol, ...]
    """Words, and for each tail its position in `tails` exactly once."""
    features: Mapping[str, float] = field(default_factory=dict)
    tails: tuple[int, ...] = ()
    """Nodes that stand before the edge's head."""
    span: tuple[int, int] = (-1, -1)
    """Source words [begin, end); -1 where they are not known."""


@dataclass(frozen=True, eq=False)
class GraphPool:
    """Search spaces of all sentences: nodes and edges in topological order.

    The edges of a node stand together; tails come before heads; the last node of a sentence is
    its goal. A sentence without nodes has no derivation. A lattice is a graph whose edges have
    one tail at most.
    """

    node_offsets: npt.NDArray[np.int64]
    """[sentences + 1] sentence s owns the nodes node_offsets[s] to node_offsets[s + 1]."""
    edge_offsets: npt.NDArray[np.int64]
    """[nodes + 1] node n owns the edges edge_offsets[n] to edge_offsets[n + 1]."""
    tail_offsets: npt.NDArray[np.int64]
    """[edges + 1]"""
    tails: npt.NDArray[np.uint32]
    """Nodes, counted from the first of the sentence."""
    word_offsets: npt.NDArray[np.int64]
    """[edges + 1]"""
    words: npt.NDArray[np.int32]
    """Ids of `vocabulary`; -1 - i is the place of the words of tail i."""
    feature_offsets: npt.NDArray[np.int64]
    """[edges + 1]"""
    feature_ids: npt.NDArray[np.uint32]
    """Ascending within an edge; positions in `names`."""
    feature_values: npt.NDArray[np.float32]
    source_spans: npt.NDArray[np.int32]
    """[edges, 2] source words begin, end of each edge; -1 where they are not known."""
    names: tuple[str, ...]
    """The features, in the order of a weight vector: dense ones first."""
    dense_size: int
    """How many of the features are dense; a sparse one may lack a weight, and then weighs 0."""
    vocabulary: Vocabulary
    """The target words."""

    @property
    def dense_names(self) -> tuple[str, ...]:
        """The dense features."""
        return self.names[: self.dense_size]

    @property
    def sparse_names(self) -> tuple[str, ...]:
        """The sparse features; their ids come behind those of the dense ones."""
        return self.names[self.dense_size :]

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return len(self.node_offsets) - 1

    @property
    def nodes(self) -> int:
        """The number of nodes of all sentences."""
        return int(self.node_offsets[-1])

    @property
    def edges(self) -> int:
        """The number of edges of all sentences."""
        return int(self.edge_offsets[-1])

    def edge_counts(self) -> npt.NDArray[np.int64]:
        """[sentences] the number of edges of each sentence."""
        counts: npt.NDArray[np.int64] = np.diff(self.edge_offsets[self.node_offsets])
        return counts

    def empty_sentences(self) -> list[int]:
        """The sentences that have no derivation, from 0."""
        return np.flatnonzero(np.diff(self.node_offsets) == 0).tolist()

    @cached_property
    def native(self) -> _core.GraphArrays:
        """The native view that the algorithms take; made and checked once.

        Raises `TunesmithError` when a sentence is no graph: a cycle, a tail that dangles, a
        feature that is not finite, an id without a name.
        """
        return _core.GraphArrays(
            np.ascontiguousarray(self.node_offsets, np.int64),
            np.ascontiguousarray(self.edge_offsets, np.int64),
            np.ascontiguousarray(self.tail_offsets, np.int64),
            np.ascontiguousarray(self.tails, np.uint32),
            np.ascontiguousarray(self.word_offsets, np.int64),
            np.ascontiguousarray(self.words, np.int32),
            np.ascontiguousarray(self.feature_offsets, np.int64),
            np.ascontiguousarray(self.feature_ids, np.uint32),
            np.ascontiguousarray(self.feature_values, np.float32),
            np.ascontiguousarray(self.source_spans, np.int32),
            list(self.names),
            len(self.vocabulary),
        )

    def __getstate__(self) -> dict[str, Any]:
        """What it consists of; the native view is made anew elsewhere."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    def __len__(self) -> int:
        return self.sentences

    def __getitem__(self, sentence: int) -> "Hypergraph":
        """The graph of a sentence, from 0."""
        if not -len(self) <= sentence < len(self):
            raise IndexError(f"sentence {sentence} of {len(self)}")
        return Hypergraph(self, sentence % len(self))

    def select(self, sentences: Sequence[int] | npt.NDArray[np.integer[Any]]) -> "GraphPool":
        """The pool of some of the sentences, in the order given."""
        chosen = np.asarray(sentences, dtype=np.int64)
        nodes = ranges(self.node_offsets, chosen)
        edges = ranges(self.edge_offsets, nodes)

        def entries(offsets: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
            return ranges(offsets, edges)

        return GraphPool(
            node_offsets=starts(np.diff(self.node_offsets)[chosen]),
            edge_offsets=starts(np.diff(self.edge_offsets)[nodes]),
            tail_offsets=starts(np.diff(self.tail_offsets)[edges]),
            tails=self.tails[entries(self.tail_offsets)],
            word_offsets=starts(np.diff(self.word_offsets)[edges]),
            words=self.words[entries(self.word_offsets)],
            feature_offsets=starts(np.diff(self.feature_offsets)[edges]),
            feature_ids=self.feature_ids[entries(self.feature_offsets)],
            feature_values=self.feature_values[entries(self.feature_offsets)],
            source_spans=np.ascontiguousarray(self.source_spans[edges]),
            names=self.names,
            dense_size=self.dense_size,
            vocabulary=self.vocabulary,
        )

    def with_features(self, names: Sequence[str], dense_size: int) -> "GraphPool":
        """The same graphs with these features alone, in this order; the first ones are dense."""
        places = {name: place for place, name in enumerate(names)}
        place = np.array([places.get(name, -1) for name in self.names], dtype=np.int64)
        ids = place[self.feature_ids]
        kept = ids >= 0
        edges = np.repeat(np.arange(self.edges), np.diff(self.feature_offsets))[kept]
        ids, values = ids[kept], self.feature_values[kept]
        if np.any(np.diff(place[place >= 0]) < 0):  # within an edge, ids ascend
            order = np.lexsort((ids, edges))
            ids, values = ids[order], values[order]
        return replace(
            self,
            feature_offsets=starts(np.bincount(edges, minlength=self.edges)),
            feature_ids=ids.astype(np.uint32),
            feature_values=values,
            names=tuple(names),
            dense_size=dense_size,
        )

    def with_graphs(self, parts: _core.GraphParts) -> "GraphPool":
        """Other graphs that the core made, of the same features and words."""
        return GraphPool.from_native(parts, self.names, self.dense_size, self.vocabulary)

    def save(
        self,
        path: str | Path,
        *,
        kind: str = FILE_KIND,
        more: Mapping[str, npt.NDArray[Any]] | None = None,
    ) -> None:
        """Write the pool to one file, with more arrays if its `kind` has them."""
        arrays = {name: getattr(self, name) for name in ARRAYS}
        arrays["names"] = packed_names(self.names)
        arrays["dense_size"] = np.array([self.dense_size], dtype=np.int64)
        arrays |= self.vocabulary.arrays("vocabulary.")
        write_arrays(path, kind, FILE_VERSION, arrays | dict(more or {}))

    @classmethod
    def load(cls, path: str | Path, *, kind: str = FILE_KIND) -> "GraphPool":
        """Map a saved pool into memory; what it holds is checked."""
        types = {name: (dtype, 1 + (name == "source_spans")) for name, dtype in ARRAYS.items()}
        types |= {"names": (np.uint8, 1), "dense_size": (np.int64, 1)}
        parts = read_arrays(path, kind, FILE_VERSION, types)
        with contents_of(path, "", ""):  # the messages say what is expected
            arrays: dict[str, Any] = {name: parts[name] for name in ARRAYS}
            names = unpacked_names(parts["names"])
            [dense_size] = parts["dense_size"].tolist()
            if not 0 <= dense_size <= len(names):
                raise ValueError(f"{dense_size} dense features of {len(names)}")
            pool = cls(
                **arrays,
                names=names,
                dense_size=dense_size,
                vocabulary=Vocabulary.from_arrays(parts, "vocabulary."),
            )
            pool.native  # noqa: B018 - the check
        return pool

    @classmethod
    def from_native(
        cls,
        parts: _core.GraphParts,
        names: Sequence[str],
        dense_size: int,
        vocabulary: Vocabulary | None = None,
    ) -> "GraphPool":
        """A pool of what the core made; the first `dense_size` of the features are dense.

        The words are those of `vocabulary`, or of the core's own.
        """
        if vocabulary is None:
            vocabulary = Vocabulary.of_native(parts.vocabulary)
        return cls(
            node_offsets=parts.node_offsets,
            edge_offsets=parts.edge_offsets,
            tail_offsets=parts.tail_offsets,
            tails=parts.tails,
            word_offsets=parts.word_offsets,
            words=parts.words,
            feature_offsets=parts.feature_offsets,
            feature_ids=parts.feature_ids,
            feature_values=parts.feature_values,
            source_spans=parts.source_spans,
            names=tuple(names),
            dense_size=dense_size,
            vocabulary=vocabulary,
        )

    @classmethod
    def build(
        cls,
        sentences: Iterable[Sequence[Sequence[Edge]]],
        names: Sequence[str] = (),
        *,
        sparse: Collection[str] = (),
    ) -> "GraphPool":
        """A pool of edges by hand: for every sentence its nodes, for every node its edges.

        Features that are not among `names` are added in order of appearance. All are dense but
        those in `sparse`, which come last.

        >>> start = Edge(("the",), {"lm": -1.0}), Edge(("a",), {"lm": -1.5})
        >>> goal = [Edge((0, "house"), {"lm": -2.0}, tails=(0,))]
        >>> pool = GraphPool.build([[start, goal]])
        >>> pool[0].nodes, pool[0].edges, pool.names
        (2, 3, ('lm',))
        """
        sentences = list(sentences)
        met = chain.from_iterable(
            edge.features for nodes in sentences for edges in nodes for edge in edges
        )
        ordered = sorted(dict.fromkeys(chain(names, met)), key=lambda name: name in sparse)
        vocabulary, index = Vocabulary(), {name: i for i, name in enumerate(ordered)}
        columns: dict[str, list[Any]] = {name: [] for name in ARRAYS}
        ends: dict[str, list[int]] = {name: [0] for name in ARRAYS if name.endswith("_offsets")}
        for nodes in sentences:
            for edges in nodes:
                for edge in edges:
                    columns["tails"] += edge.tails
                    columns["words"] += [
                        vocabulary.add(symbol) if isinstance(symbol, str) else -1 - symbol
                        for symbol in edge.words
                    ]
                    values = sorted((index[name], value) for name, value in edge.features.items())
                    columns["feature_ids"] += [i for i, _ in values]
                    columns["feature_values"] += [value for _, value in values]
                    columns["source_spans"].append(edge.span)
                    ends["tail_offsets"].append(len(columns["tails"]))
                    ends["word_offsets"].append(len(columns["words"]))
                    ends["feature_offsets"].append(len(columns["feature_ids"]))
                ends["edge_offsets"].append(len(columns["source_spans"]))
            ends["node_offsets"].append(len(ends["edge_offsets"]) - 1)
        arrays: dict[str, Any] = {
            name: np.array(ends.get(name, columns[name]), dtype=dtype)
            for name, dtype in ARRAYS.items()
        }
        arrays["source_spans"] = arrays["source_spans"].reshape(-1, 2)
        return cls(
            **arrays,
            names=tuple(ordered),
            dense_size=sum(name not in sparse for name in ordered),
            vocabulary=vocabulary,
        )


ARRAYS: dict[str, type] = {
    item.name: np.int64 if item.name.endswith("offsets") else np.int32
    for item in fields(GraphPool)
    if item.name not in ("names", "dense_size", "vocabulary")
} | {"tails": np.uint32, "feature_ids": np.uint32, "feature_values": np.float32}
"""The arrays of a pool in their order, and the types of their elements."""


@dataclass(frozen=True, eq=False)
class Hypergraph:
    """A sentence of a pool, seen edge by edge: for people and tests, not for inner loops."""

    pool: GraphPool
    sentence: int

    @property
    def nodes(self) -> int:
        """The number of nodes; the last is the goal."""
        first, end = self.pool.node_offsets[self.sentence : self.sentence + 2].tolist()
        return int(end - first)

    @property
    def edges(self) -> int:
        """The number of edges."""
        first, end = self.pool.node_offsets[self.sentence : self.sentence + 2].tolist()
        return int(self.pool.edge_offsets[end] - self.pool.edge_offsets[first])

    def __iter__(self) -> Iterator[list[Edge]]:
        """The edges of every node, in topological order."""
        pool = self.pool
        first, end = pool.node_offsets[self.sentence : self.sentence + 2].tolist()
        for node in range(first, end):
            begin, stop = pool.edge_offsets[node : node + 2].tolist()
            yield [self._edge(e) for e in range(begin, stop)]

    def _edge(self, e: int) -> Edge:
        pool = self.pool
        begin, end = pool.word_offsets[e : e + 2]
        first, last = pool.feature_offsets[e : e + 2]
        ids, values = pool.feature_ids[first:last].tolist(), pool.feature_values[first:last]
        source_begin, source_end = pool.source_spans[e].tolist()
        return Edge(
            words=tuple(
                pool.vocabulary.text(symbol) if symbol >= 0 else -1 - symbol
                for symbol in pool.words[begin:end].tolist()
            ),
            features={pool.names[i]: value for i, value in zip(ids, values.tolist(), strict=True)},
            tails=tuple(pool.tails[pool.tail_offsets[e] : pool.tail_offsets[e + 1]].tolist()),
            span=(source_begin, source_end),
        )
