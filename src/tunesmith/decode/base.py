"""`Decoder`: whatever translates sentences under weights, and what everything above knows of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol, Self, overload

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.weights import Weights
from tunesmith.corpus.lines import split
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.sentence import SourceSentence
from tunesmith.decode.want import BEST, Graphs, KBest
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.engine.packing import Resident
from tunesmith.formats.plf import Lattice
from tunesmith.grammar import ScfgGrammar
from tunesmith.model import TranslationModel
from tunesmith.model.layer import Layer
from tunesmith.model.search import SearchOptions

WeightVector = npt.NDArray[np.float64]


class LiveWeights(Weights):
    """Dense weights, and sparse ones that the core keeps and that move between searches.

    What a learner changes need not cross into the core with all that it does not.
    """

    def __init__(self, dense: Mapping[str, float], sparse: _core.NamedWeights) -> None:
        super().__init__(dense)
        self.sparse = sparse


SourceText = Sequence[str | SourceSentence | Lattice]


class Session(ABC):
    """Searches under fixed weights, one after the other: what one has prepared serves the next.

    What is found does not depend on earlier searches; several threads may use one session.
    """

    @overload
    def decode(self, sentences: SourceText, want: KBest = BEST) -> DecoderOutput: ...

    @overload
    def decode(self, sentences: SourceText, want: Graphs) -> GraphPool: ...

    def decode(
        self, sentences: SourceText, want: KBest | Graphs = BEST
    ) -> DecoderOutput | GraphPool:
        """Translate tokenised sentences: lists of translations, best first, or search graphs."""
        if isinstance(want, Graphs):
            return self.graphs(sentences, want)
        return self.lists(sentences, want)

    @abstractmethod
    def lists(self, sentences: SourceText, want: KBest) -> DecoderOutput:
        """The best translations of each sentence."""

    def parts(self, sentences: SourceText, want: KBest, size: int) -> Iterator[DecoderOutput]:
        """The same for `size` sentences at a time, or all at once where that is no saving."""
        yield self.lists(sentences, want)

    def graphs(self, sentences: SourceText, want: Graphs) -> GraphPool:
        """The search graphs, where a decoder has any."""
        raise OptionError("this decoder gives lists, no search graphs")


class ForcingSession(Protocol):
    """A session whose translations can be prescribed: words for each sentence."""

    def lists(
        self, sentences: SourceText, want: KBest, targets: Sequence[list[str]]
    ) -> DecoderOutput:
        """Derivations of these translations; a sentence may have none."""

    def graphs(
        self, sentences: SourceText, want: Graphs, targets: Sequence[list[str]]
    ) -> GraphPool:
        """The same as graphs."""


class Decoder(ABC):
    """Translates tokenised sentences: the one that a model needs (`open_decoder`), or a command."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The dense features, in the order of a derivation's values; none where unknown."""

    @property
    @abstractmethod
    def all_names(self) -> Sequence[str] | None:
        """Dense and sparse features; None where only its lists tell."""

    @property
    def gives_graphs(self) -> bool:
        """Whether `Graphs` can be had; if not they are refused."""
        return False

    @property
    def takes_live_weights(self) -> bool:
        """Whether sessions take `LiveWeights`."""
        return False

    def on(self, engine: EngineLike) -> "Decoder":
        """The same decoder whose searches run on another engine, if it has a say in that."""
        return self

    def with_grammars(self, grammars: Sequence[ScfgGrammar]) -> "Decoder":
        """The same decoder for so many sentences that bring their rules along, in this order."""
        raise OptionError("sentences with grammars of their own, expected a hierarchical model")

    @abstractmethod
    def session(
        self, weights: Weights | WeightVector | None = None, *, engine: EngineLike | None = None
    ) -> Session:
        """Searches under `weights`, on the decoder's own engine if none is given.

        Weights are the decoder's own unless given, if it has any: by name, or as a vector in the
        order of `all_names`, which costs nothing however many features there are.
        """

    @overload
    def decode(
        self,
        sentences: SourceText,
        weights: Weights | WeightVector | None = None,
        want: KBest = BEST,
    ) -> DecoderOutput: ...

    @overload
    def decode(
        self, sentences: SourceText, weights: Weights | WeightVector | None = None, *, want: Graphs
    ) -> GraphPool: ...

    def decode(
        self,
        sentences: SourceText,
        weights: Weights | WeightVector | None = None,
        want: KBest | Graphs = BEST,
    ) -> DecoderOutput | GraphPool:
        """The same as `Session.decode`, under given weights."""
        return self.session(weights).decode(sentences, want)


class ModelDecoder(Decoder, Resident):
    """A decoder of a model directory; the search is native and uses the engine's threads.

    Parameters
    ----------
    model
        Tables or a grammar, language models and weights.
    search
        Limits of the search; the model's own by default.
    engine
        All cores by default; results do not depend on it.
    """

    #: Of a sentence.
    most_words: int

    def __init__(
        self,
        model: TranslationModel,
        *,
        search: SearchOptions | None = None,
        engine: EngineLike = ALL_CORES,
    ) -> None:
        self.model = model
        self.search = search or SearchOptions.of_model(model)
        self.engine = as_engine(engine)

    def __reduce__(self) -> tuple[Any, ...]:
        """What it was made from travels; files are opened again."""
        return partial(type(self), search=self.search, engine=self.engine), (self.model,)

    def on(self, engine: EngineLike) -> Self:
        """The same with what it has opened."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, engine=as_engine(engine))
        return other

    @abstractmethod
    def layered(self, layer: Layer) -> Self:
        """The decoder of the model with a layer on top (`TranslationModel.layered`).

        What this one has opened is shared; this one stays as it is.
        """

    @abstractmethod
    def open_here(self, vector: WeightVector, sparse: Mapping[str, float]) -> Session:
        """Searches in this process, as a worker of others has them.

        Weights are a vector, and by name those of features that are not in it.
        """

    @property
    def gives_graphs(self) -> bool:
        """The graphs of its search."""
        return True

    @property
    def names(self) -> tuple[str, ...]:
        """The dense features, in the order of a derivation's values."""
        return self.model.feature_names

    @property
    def all_names(self) -> tuple[str, ...] | None:
        """Dense and sparse features, in the order of a weight vector; None where rules tell."""
        return None if self.model.grammar_templates is not None else self.model.all_names

    def weight_vector(self, weights: Weights | WeightVector | None) -> WeightVector:
        """Weights by name, or the model's own, in the order of `all_names`."""
        if isinstance(weights, np.ndarray):
            return weights
        return self.model.weight_vector(self.model.weights if weights is None else weights)

    def force(
        self,
        sentences: SourceText,
        targets: Sequence[str],
        weights: Weights | WeightVector | None = None,
        *,
        size: int = 1,
    ) -> DecoderOutput:
        """How the model makes given translations: `size` derivations of each, best first.

        The search is exact: nothing is pruned and all rules are used; of the limits hold only how
        far phrases may jump and how long a rule's span may be, and of phrase models `time_limit`. A
        translation that the model cannot make has no rows in the output.
        """
        want = KBest(size, distinct=False)
        return self._exact(weights).lists(sentences, want, _words_of(sentences, targets))

    def gold_graphs(
        self,
        sentences: SourceText,
        targets: Sequence[str],
        weights: Weights | WeightVector | None = None,
    ) -> GraphPool:
        """All derivations of given translations, exactly, as graphs with all feature values.

        A translation that the model cannot make has an empty graph. Where only reachability and
        numbers of derivations of a phrase model matter, `ForcedDecoder` is much faster.
        """
        return self._exact(weights).graphs(sentences, Graphs(), _words_of(sentences, targets))

    @abstractmethod
    def _exact(self, weights: Weights | WeightVector | None) -> ForcingSession:
        """Searches without limits."""


def _words_of(sentences: SourceText, targets: Sequence[str]) -> list[list[str]]:
    if len(targets) != len(sentences):
        raise OptionError(f"{len(targets)} translations for {len(sentences)} sentences")
    return list(map(split, targets))
