"""`PhraseDecoder`: phrase-based translation with a model directory's tables and weights."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.weights import Weights
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.sentence import SourceSentence, split
from tunesmith.engine import default_threads
from tunesmith.graph.search import check_size
from tunesmith.model import TranslationModel
from tunesmith.model.search import SearchOptions

UNLIMITED = 2**31 - 1

WeightVector = npt.NDArray[np.float64]


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
        self._named: tuple[Weights, WeightVector] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The dense features, in the order of a derivation's values."""
        return self.model.feature_names

    @cached_property
    def all_names(self) -> tuple[str, ...]:
        """Dense and sparse features, in the order of a weight vector."""
        return (*self.names, *self.model.sparse_names)

    @cached_property
    def native(self) -> Any:
        """The core's model; files are mapped when it is first used."""
        lexical = self.model.lexical
        return self.native_with(
            [lm.native for lm in self.model.language_models],
            None if lexical is None else lexical.native,
        )

    def native_with(self, language_models: Sequence[Any], lexical: Any) -> Any:
        """The same with other language models and lexical features, as a learner needs it."""
        reordering = self.model.reordering if self.model.uses_reordering else []
        return _core.PhraseModel(
            [table.native for table in self.model.tables],
            list(language_models),
            self.model.reordering_classes == "mslr",
            any(name.startswith("previous.") for name in reordering),
            any(name.startswith("next.") for name in reordering),
            None if self.model.rule_features is None else self.model.rule_features.native,
            lexical,
            self.model.join_floors,
            [number for number, table in enumerate(self.model.tables) if table.is_recounted],
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
        """Translate; `size` translations of each sentence at most, of distinct words or not.

        `weights` are the model's own unless given: by name, or as a vector in the order of
        `TranslationModel.weight_vector`, which costs nothing however many features there are.
        With `graph_density` the output has `graphs` too, as `graphs()` gives them; ``inf`` keeps
        all edges.
        """
        return self._search(
            sentences,
            weights,
            self.search,
            size=size,
            distinct=distinct,
            graph_density=graph_density,
        )

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
        return self._search(
            sentences,
            weights,
            self._unlimited(),
            size=size,
            distinct=False,
            targets=list(map(split, targets)),
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
        return self._graphs(
            sentences, weights, self._unlimited(), targets=list(map(split, targets))
        )

    def _unlimited(self) -> SearchOptions:
        return replace(
            self.search,
            pop_limit=UNLIMITED,
            stack_size=UNLIMITED,
            beam_threshold=float("inf"),
            table_limit=0,
        )

    def graphs(
        self,
        sentences: Sequence[str | SourceSentence],
        weights: Weights | WeightVector | None = None,
        *,
        density: float | None = None,
        word_counts: Sequence[int] | None = None,
    ) -> GraphPool:
        """The search spaces themselves: every derivation that was in the beam, with its features.

        Parameters
        ----------
        sentences, weights
            As for `decode`; the weights steer the search, the graphs hold feature values.
        density
            Keep this many edges per word, those on the best derivations (max-marginals) first;
            all by default. Graphs are pruned as they are made, so memory holds small ones only.
        word_counts
            The words that `density` counts for each sentence: those of its reference, say. By
            default those of its best translation.
        """
        if density is not None and not density > 0:
            raise OptionError(f"density is {density}, expected a number above 0")
        return self._graphs(
            sentences, weights, self.search, density=density or 0.0, word_counts=word_counts or ()
        )

    def _graphs(
        self,
        sentences: Sequence[str | SourceSentence],
        weights: Weights | WeightVector | None,
        search: SearchOptions,
        *,
        density: float = 0.0,
        word_counts: Sequence[int] = (),
        targets: Sequence[list[str]] = (),
    ) -> GraphPool:
        parts = _core.phrase_graphs(
            self.native,
            [self._prepared(sentence) for sentence in sentences],
            self._vector(weights),
            search.native(),
            density,
            list(word_counts),
            self.threads,
            list(targets),
        )
        return self._pool(parts)

    def _pool(self, parts: Any) -> GraphPool:
        pool = GraphPool.from_native(
            parts, self.model.decoder_names + self.all_names[len(self.names) :]
        )
        return pool if self._columns is None else pool.with_features(self.all_names)

    def _search(
        self,
        sentences: Sequence[str | SourceSentence],
        weights: Weights | WeightVector | None,
        search: SearchOptions,
        *,
        size: int,
        distinct: bool,
        targets: Sequence[list[str]] = (),
        graph_density: float | None = None,
    ) -> DecoderOutput:
        check_size(size)
        density = -1.0
        if graph_density is not None:
            if not graph_density > 0:
                raise OptionError(f"density is {graph_density}, expected a number above 0")
            density = 0.0 if graph_density == float("inf") else graph_density
        output = DecoderOutput(
            _core.decode_phrases(
                self.native,
                [self._prepared(sentence) for sentence in sentences],
                self._vector(weights),
                search.native(),
                size,
                distinct,
                self.threads,
                targets,
                density,
            ),
            self.names,
            self._columns,
            self.model.sparse_names if self.model.rule_features is not None else None,
        )
        if graph_density is not None:
            output.graphs = self._pool(output.native_graphs())
        return output

    @cached_property
    def _columns(self) -> npt.NDArray[np.intp] | None:
        """Where `names` are among all dense features of the search; None if they are all."""
        everything = self.model.decoder_names
        if everything == self.names:
            return None
        return np.array([everything.index(name) for name in self.names], dtype=np.intp)

    def _vector(self, weights: Weights | WeightVector | None) -> WeightVector:
        if weights is None:
            weights = self.model.weights
        if isinstance(weights, np.ndarray):
            return self._for_the_search(weights)
        # Text comes in blocks, always with the same weights.
        if self._named is None or self._named[0] is not weights:
            vector = self.model.weight_vector(weights)
            self._named = weights, self._for_the_search(vector)
        return self._named[1]

    def _for_the_search(self, weights: WeightVector) -> WeightVector:
        """The vector with a 0 for every feature that is not used."""
        if self._columns is None:
            return np.ascontiguousarray(weights, dtype=np.float64)
        used = len(self.names)
        if len(weights) < used:
            raise OptionError(f"{len(weights)} weights for {used} dense features")
        dense = np.zeros(len(self.model.decoder_names))
        dense[self._columns] = weights[:used]
        return np.concatenate([dense, weights[used:]])

    def _prepared(self, sentence: str | SourceSentence) -> tuple[object, ...]:
        if isinstance(sentence, str):
            sentence = SourceSentence.from_text(sentence)
        if self.search.monotone_at_punctuation:
            sentence = sentence.with_walls_at_punctuation()
        return sentence.native(self.search.unknown)


def _check_targets(sentences: Sequence[str | SourceSentence], targets: Sequence[str]) -> None:
    if len(targets) != len(sentences):
        raise OptionError(f"{len(targets)} translations for {len(sentences)} sentences")
