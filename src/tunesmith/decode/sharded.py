"""`ShardedSession`: searches of a model's decoder by an engine of several memories.

Every worker opens the model's files, searches a part of the sentences, and gives back arrays; those
follow one another in the order of the sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, TypeVar

from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.sparse_vector import packed_vector, unpacked_vector
from tunesmith.decode.base import ModelDecoder, Session, SourceText, WeightVector
from tunesmith.decode.output_arrays import OutputArrays
from tunesmith.decode.search_output import SearchOutput
from tunesmith.decode.want import Graphs, KBest
from tunesmith.engine.shards import ranges
from tunesmith.graph.merging import joined

Result = TypeVar("Result")


@dataclass(frozen=True)
class Searching:
    """All that a search needs besides sentences; it can travel."""

    decoder: ModelDecoder
    vector: WeightVector
    sparse: Mapping[str, float] = field(default_factory=dict)
    """Weights of features that go by name alone."""
    output: type[SearchOutput] = SearchOutput
    """What lists are given back as."""

    @cached_property
    def session(self) -> Any:
        """That of this process; whoever gets the same work again has it ready."""
        return self.decoder.open_here(self.vector, self.sparse)

    def __getstate__(self) -> dict[str, Any]:
        """Of weights by the million, those that are not 0."""
        state = {name: getattr(self, name) for name in ("decoder", "sparse", "output")}
        return {**state, "weights": packed_vector(self.vector)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, vector=unpacked_vector(*state.pop("weights")))


Part = tuple[Any, ...]
"""Sentences, what is wanted of them, and their translations where those are prescribed."""


def search_lists(part: Part, how: Searching) -> tuple[OutputArrays, GraphPool | None]:
    """The lists of some sentences, and their graphs where both are wanted."""
    output = how.session.lists(*part)
    return OutputArrays.of(output.native), output.graphs


def search_graphs(part: Part, how: Searching) -> GraphPool:
    """The graphs of some sentences."""
    pool: GraphPool = how.session.graphs(*part)
    return pool


class ShardedSession(Session):
    """Searches under fixed weights and limits, where memories are several."""

    def __init__(self, how: Searching) -> None:
        self.how = how

    def lists(
        self, sentences: SourceText, want: KBest, targets: Sequence[list[str]] = ()
    ) -> SearchOutput:
        """Lists, as a session of one memory gives them."""
        parts = self._map(search_lists, sentences, want, targets)
        output = self.how.output.of_model(
            OutputArrays.joined([arrays for arrays, _ in parts]), self.how.decoder.model
        )
        graphs = [pool for _, pool in parts if pool is not None]
        output.graphs = joined(graphs) if graphs else None
        return output

    def graphs(
        self, sentences: SourceText, want: Graphs, targets: Sequence[list[str]] = ()
    ) -> GraphPool:
        """Graphs, as a session of one memory gives them."""
        return joined(self._map(search_graphs, sentences, want, targets))

    def _map(
        self,
        function: Callable[..., Result],
        sentences: SourceText,
        want: KBest | Graphs,
        targets: Sequence[list[str]],
    ) -> list[Result]:
        engine = self.how.decoder.engine
        # Nothing to do is done once, so that there is a result.
        cut = ranges(len(sentences), engine.workers) or [(0, 0)]
        shards: list[Part] = [
            (
                sentences[begin:end],
                want.part(begin, end),
                *([targets[begin:end]] if targets else []),
            )
            for begin, end in cut
        ]
        decoder = self.how.decoder.on(engine.share(len(shards)))
        return engine.map(partial(function, how=replace(self.how, decoder=decoder)), shards)
