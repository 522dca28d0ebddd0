"""`ShardedSession`: searches of a model's decoder by an engine of several memories.

Every worker opens the model's files, searches a part of the sentences, and gives back arrays; those
follow one another in the order of the sentences.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from tunesmith.base.graph_pool import GraphPool
from tunesmith.decode.base import Session, SourceText, WeightVector
from tunesmith.decode.output_arrays import OutputArrays
from tunesmith.decode.phrase_output import PhraseOutput
from tunesmith.decode.want import Graphs, KBest
from tunesmith.engine import Engine
from tunesmith.engine.shards import ranges
from tunesmith.graph.merging import joined
from tunesmith.model import TranslationModel
from tunesmith.model.search import SearchOptions

Result = TypeVar("Result")


@dataclass(frozen=True)
class Searching:
    """All that a search needs besides sentences; it can travel."""

    open: Callable[["Searching"], Any]
    """Module-level: gives the session of a process's own."""
    model: TranslationModel
    vector: WeightVector
    search: SearchOptions
    engine: Engine
    sparse: Mapping[str, float] = field(default_factory=dict)
    """Weights of features that go by name alone."""
    output: type[PhraseOutput] = PhraseOutput
    """What lists are given back as."""


Part = tuple[Any, ...]
"""Sentences, what is wanted of them, and their translations where those are prescribed."""


def search_lists(part: Part, how: Searching) -> tuple[OutputArrays, GraphPool | None]:
    """The lists of some sentences, and their graphs where both are wanted."""
    output = how.open(how).lists(*part)
    return OutputArrays.of(output.native), output.graphs


def search_graphs(part: Part, how: Searching) -> GraphPool:
    """The graphs of some sentences."""
    pool: GraphPool = how.open(how).graphs(*part)
    return pool


class ShardedSession(Session):
    """Searches under fixed weights and limits, where memories are several."""

    def __init__(self, how: Searching) -> None:
        self.how = how

    def lists(
        self, sentences: SourceText, want: KBest, targets: Sequence[list[str]] = ()
    ) -> PhraseOutput:
        """Lists, as a session of one memory gives them."""
        parts = self._map(search_lists, sentences, want, targets)
        output = self.how.output.of_model(
            OutputArrays.joined([arrays for arrays, _ in parts]), self.how.model
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
        engine = self.how.engine
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
        how = replace(self.how, engine=engine.share(len(shards)))
        return engine.map(partial(function, how=how), shards)
