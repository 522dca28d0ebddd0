"""`Decoder`: whatever translates sentences under weights, and what everything above knows of it."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.weights import Weights
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.sentence import SourceSentence
from tunesmith.model import TranslationModel

WeightVector = npt.NDArray[np.float64]


class Session(Protocol):
    """Searches under fixed weights, one after the other: what one has prepared serves the next.

    What is found does not depend on earlier searches; several threads may use one session.
    """

    def decode(
        self,
        sentences: Sequence[str | SourceSentence],
        *,
        size: int = 1,
        distinct: bool = True,
        graph_density: float | None = None,
    ) -> DecoderOutput:
        """Translate; `size` translations of each sentence at most, of distinct words or not.

        With `graph_density` the output has `graphs` too, as `graphs()` gives them; ``inf`` keeps
        all edges.
        """

    def graphs(
        self,
        sentences: Sequence[str | SourceSentence],
        *,
        density: float | None = None,
        word_counts: Sequence[int] | None = None,
    ) -> GraphPool:
        """The search spaces themselves: every derivation that was in the beam, with its features.

        Parameters
        ----------
        sentences
            As for `decode`; the weights steer the search, the graphs hold feature values.
        density
            Keep this many edges per word, those on the best derivations (max-marginals) first;
            all by default. Graphs are pruned as they are made, so memory holds small ones only.
        word_counts
            The words that `density` counts for each sentence: those of its reference, say. By
            default those of its best translation.
        """


class Decoder(Protocol):
    """Translates tokenised sentences; `open_decoder` gives the one that a model needs."""

    @property
    def model(self) -> TranslationModel:
        """What it translates with."""

    @property
    def names(self) -> tuple[str, ...]:
        """The dense features, in the order of a derivation's values."""

    @property
    def all_names(self) -> tuple[str, ...]:
        """Dense and sparse features, in the order of a weight vector."""

    @property
    def threads(self) -> int:
        """How many threads a search takes; results do not depend on it."""

    def session(
        self, weights: Weights | WeightVector | None = None, *, threads: int | None = None
    ) -> Session:
        """Searches under `weights`, on the decoder's own number of threads if none is given.

        Weights are the model's own unless given: by name, or as a vector in the order of
        `TranslationModel.weight_vector`, which costs nothing however many features there are.
        """

    def decode(
        self,
        sentences: Sequence[str | SourceSentence],
        weights: Weights | WeightVector | None = None,
        *,
        size: int = 1,
        distinct: bool = True,
        graph_density: float | None = None,
    ) -> DecoderOutput:
        """The same as `Session.decode`, under given weights."""

    def graphs(
        self,
        sentences: Sequence[str | SourceSentence],
        weights: Weights | WeightVector | None = None,
        *,
        density: float | None = None,
        word_counts: Sequence[int] | None = None,
    ) -> GraphPool:
        """The same as `Session.graphs`, under given weights."""
