"""`PhraseDecoder`: phrase-based translation with a model directory's tables and weights."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.weights import Weights
from tunesmith.decode.base import WeightVector
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.phrase_model import native_phrase_model
from tunesmith.decode.phrase_session import PhraseSession
from tunesmith.decode.sentence import SourceSentence, split
from tunesmith.engine import default_threads
from tunesmith.model import TranslationModel
from tunesmith.model.search import SearchOptions

UNLIMITED = 2**31 - 1


class PhraseDecoder:
    """Translates tokenised sentences; the search is native and uses `threads` threads.

    Parameters
    ----------
    model
        Tables, language models and weights.
    search
        Limits of the search; the model's own by default.
    threads
        All cores by default; results do not depend on it.
    """

    def __init__(
        self,
        model: TranslationModel,
        *,
        search: SearchOptions | None = None,
        threads: int | None = None,
    ) -> None:
        self.model = model
        self.search = search or SearchOptions.of_model(model)
        self.threads = threads or default_threads()

    @property
    def names(self) -> tuple[str, ...]:
        """The dense features, in the order of a derivation's values."""
        return self.model.feature_names

    @property
    def all_names(self) -> tuple[str, ...]:
        """Dense and sparse features, in the order of a weight vector."""
        return self.model.all_names

    @cached_property
    def native(self) -> Any:
        """The core's model; files are mapped when it is first used."""
        return native_phrase_model(self.model)

    def session(
        self, weights: Weights | WeightVector | None = None, *, threads: int | None = None
    ) -> PhraseSession:
        """Searches under `weights`; see `Decoder.session`."""
        return PhraseSession(
            self.model,
            self.native,
            self._vector(weights),
            self.search,
            threads=threads or self.threads,
        )

    def decode(
        self,
        sentences: Sequence[str | SourceSentence],
        weights: Weights | WeightVector | None = None,
        *,
        size: int = 1,
        distinct: bool = True,
        graph_density: float | None = None,
    ) -> DecoderOutput:
        """Translate; see `Decoder.decode`."""
        return self.session(weights).decode(
            sentences, size=size, distinct=distinct, graph_density=graph_density
        )

    def graphs(
        self,
        sentences: Sequence[str | SourceSentence],
        weights: Weights | WeightVector | None = None,
        *,
        density: float | None = None,
        word_counts: Sequence[int] | None = None,
    ) -> GraphPool:
        """The search spaces themselves; see `Session.graphs`."""
        return self.session(weights).graphs(sentences, density=density, word_counts=word_counts)

    def force(
        self,
        sentences: Sequence[str | SourceSentence],
        targets: Sequence[str],
        weights: Weights | WeightVector | None = None,
        *,
        size: int = 1,
    ) -> DecoderOutput:
        """How the model makes given translations: `size` derivations of each, best first.

        The search is exact: nothing is pruned and all rules of the tables are used; of the limits
        only `distortion_limit` and `time_limit` hold. A translation that the model cannot make
        has no rows in the output.
        """
        _check_targets(sentences, targets)
        return self._exact(weights).decode(
            sentences, size=size, distinct=False, targets=list(map(split, targets))
        )

    def gold_graphs(
        self,
        sentences: Sequence[str | SourceSentence],
        targets: Sequence[str],
        weights: Weights | WeightVector | None = None,
    ) -> GraphPool:
        """All derivations of given translations, exactly, as graphs with all feature values.

        A translation that the model cannot make has an empty graph. Where only reachability and
        numbers of derivations matter, `ForcedDecoder` is much faster.
        """
        _check_targets(sentences, targets)
        return self._exact(weights).graphs(sentences, targets=list(map(split, targets)))

    def _exact(self, weights: Weights | WeightVector | None) -> PhraseSession:
        search = replace(
            self.search,
            pop_limit=UNLIMITED,
            stack_size=UNLIMITED,
            beam_threshold=float("inf"),
            table_limit=0,
        )
        return PhraseSession(
            self.model, self.native, self._vector(weights), search, threads=self.threads
        )

    def _vector(self, weights: Weights | WeightVector | None) -> WeightVector:
        if isinstance(weights, np.ndarray):
            return weights
        return self.model.weight_vector(self.model.weights if weights is None else weights)


def _check_targets(sentences: Sequence[str | SourceSentence], targets: Sequence[str]) -> None:
    if len(targets) != len(sentences):
        raise OptionError(f"{len(targets)} translations for {len(sentences)} sentences")
