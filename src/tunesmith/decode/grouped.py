"""`GroupedDecoder`: a decoder whose sparse features are one dense feature.

A tuner sees a few dozen sentences' worth of features on a dev set, and would learn millions of
sparse weights by heart. Where these were learned elsewhere, it scales them as a group.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.ragged import starts
from tunesmith.base.weights import Weights
from tunesmith.decode.base import Decoder, Session, SourceText, WeightVector
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.want import Graphs, KBest
from tunesmith.engine import EngineLike

#: What the group is called: its value is Σ_i w_i h_i, with the weights that were learned.
GROUP = "learned"
# Sentences whose sparse features are there at the same time: a list of 100 translations with
# WordEdges has 50,000 of them, and only their sum is wanted.
PART = 50


class GroupedDecoder(Decoder):
    """`decoder` with `sparse` weights that only scale: by the weight of the feature `GROUP`."""

    def __init__(self, decoder: Decoder, sparse: Mapping[str, float]) -> None:
        self.decoder, self.sparse = decoder, dict(sparse)

    @classmethod
    def of_weights(cls, decoder: Decoder, weights: Mapping[str, float]) -> "GroupedDecoder":
        """The group is all that is no dense feature of the decoder."""
        dense = set(decoder.names)
        return cls(decoder, {n: value for n, value in weights.items() if n not in dense})

    @property
    def names(self) -> tuple[str, ...]:
        """The dense features, and the group."""
        return (*self.decoder.names, GROUP)

    @property
    def all_names(self) -> tuple[str, ...]:
        """The same: there are no others."""
        return self.names

    @property
    def gives_graphs(self) -> bool:
        """Where the decoder does."""
        return self.decoder.gives_graphs

    def session(
        self, weights: Weights | WeightVector | None = None, *, engine: EngineLike | None = None
    ) -> Session:
        """Searches under `weights`, of which one is that of the group."""
        if isinstance(weights, np.ndarray):
            weights = Weights(dict(zip(self.names, weights.tolist(), strict=True)))
        if not isinstance(weights, Weights):
            raise OptionError("weights by name or as a vector are expected where features are one")
        own = self.whole(weights)
        return GroupedSession(self.decoder.session(own, engine=engine), self.sparse)

    def start(self, weights: Mapping[str, float]) -> Weights:
        """Weights of the decoder itself as this one takes them: the group as it is."""
        dense = {name: weights.get(name, 0.0) for name in self.decoder.names}
        return Weights({**dense, GROUP: 1.0})

    def whole(self, weights: Mapping[str, float]) -> Weights:
        """The weights of the decoder itself: of dense features, and all sparse ones scaled."""
        scale = weights.get(GROUP, 0.0)
        dense = {name: value for name, value in weights.items() if name != GROUP}
        return Weights({**dense, **{name: scale * value for name, value in self.sparse.items()}})


def joined(parts: Sequence[DecoderOutput]) -> DecoderOutput:
    """The lists of some sentences after those of others; dense features alone."""
    sizes = np.concatenate([np.diff(part.offsets) for part in parts])
    return DecoderOutput(
        starts(sizes),
        [text for part in parts for text in part.texts],
        np.concatenate([part.scores for part in parts]),
        np.concatenate([part.features for part in parts]),
        parts[0].names,
    )


class GroupedSession(Session):
    """Searches of the decoder, with values of the group in the place of sparse features."""

    def __init__(self, session: Session, sparse: Mapping[str, float]) -> None:
        self.inner, self.sparse = session, sparse

    def lists(self, sentences: SourceText, want: KBest) -> DecoderOutput:
        """Lists with one feature more and no sparse ones."""
        if want.graph_density is not None:
            return self._grouped_lists(self.inner.lists(sentences, want))
        parts = [self._grouped_lists(one) for one in self.inner.parts(sentences, want, PART)]
        return joined(parts) if len(parts) > 1 else parts[0]

    def _grouped_lists(self, output: DecoderOutput) -> DecoderOutput:
        (offsets, ids, values), names = output.used_sparse()
        rows = np.repeat(np.arange(len(output.scores)), np.diff(offsets))
        group = np.bincount(rows, self._of(names)[ids] * values, len(output.scores))
        grouped = DecoderOutput(
            output.offsets,
            output.texts,
            output.scores,
            np.column_stack([output.features, group]),
            (*output.names, GROUP),
        )
        grouped.graphs = None if output.graphs is None else self._grouped(output.graphs)
        return grouped

    def graphs(self, sentences: SourceText, want: Graphs) -> GraphPool:
        """Graphs with one feature more and no sparse ones."""
        return self._grouped(self.inner.graphs(sentences, want))

    def _grouped(self, pool: GraphPool) -> GraphPool:
        size = pool.dense_size
        edges = np.repeat(np.arange(pool.edges), np.diff(pool.feature_offsets))
        sparse = pool.feature_ids >= size
        learned = self._of(pool.sparse_names)[pool.feature_ids[sparse] - size]
        group = np.bincount(edges[sparse], learned * pool.feature_values[sparse], pool.edges)
        met = np.flatnonzero(group)
        # The group comes last within an edge.
        edges = np.concatenate([edges[~sparse], met])
        order = np.argsort(edges, kind="stable")
        ids = np.concatenate([pool.feature_ids[~sparse], np.full(len(met), size, np.uint32)])
        values = np.concatenate([pool.feature_values[~sparse], group[met].astype(np.float32)])
        return replace(
            pool,
            feature_offsets=starts(np.bincount(edges, minlength=pool.edges)),
            feature_ids=ids[order],
            feature_values=values[order],
            names=(*pool.dense_names, GROUP),
            dense_size=size + 1,
        )

    def _of(self, names: Sequence[str]) -> npt.NDArray[np.float64]:
        return np.array([self.sparse.get(name, 0.0) for name in names], np.float64)
