"""`PhraseSession`: phrase-based searches under the same weights, with rules that stay ready."""

from collections.abc import Sequence
from typing import Any

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.decode.base import WeightVector
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.sentence import SourceSentence
from tunesmith.graph.search import check_size
from tunesmith.model import TranslationModel
from tunesmith.model.search import SearchOptions


class PhraseSession:
    """Searches of a `PhraseDecoder` under fixed weights and limits.

    `vector` is in the order of `TranslationModel.weight_vector`; `native_model` is the core's form
    of `model`.
    """

    def __init__(
        self,
        model: TranslationModel,
        native_model: Any,
        vector: WeightVector,
        search: SearchOptions,
        *,
        threads: int,
    ) -> None:
        self.model, self.search, self.threads = model, search, threads
        self._native = _core.PhraseSession(
            native_model, model.search_vector(vector), search.native()
        )

    def decode(
        self,
        sentences: Sequence[str | SourceSentence],
        *,
        size: int = 1,
        distinct: bool = True,
        graph_density: float | None = None,
        targets: Sequence[list[str]] = (),
    ) -> DecoderOutput:
        """Translate, as `Session.decode` does; `targets` are translations to be made exactly."""
        check_size(size)
        density = -1.0
        if graph_density is not None:
            _check_density(graph_density)
            density = 0.0 if graph_density == float("inf") else graph_density
        model = self.model
        output = DecoderOutput(
            _core.decode_phrases(
                self._native,
                [self._prepared(sentence) for sentence in sentences],
                size,
                distinct,
                self.threads,
                targets,
                density,
            ),
            model.feature_names,
            model.used_columns,
            model.sparse_names if model.rule_features is not None else None,
        )
        if graph_density is not None:
            output.graphs = self._pool(output.native_graphs())
        return output

    def graphs(
        self,
        sentences: Sequence[str | SourceSentence],
        *,
        density: float | None = None,
        word_counts: Sequence[int] | None = None,
        targets: Sequence[list[str]] = (),
    ) -> GraphPool:
        """The search spaces, as `Session.graphs` gives them; `targets` as for `decode`."""
        if density is not None:
            _check_density(density)
        parts = _core.phrase_graphs(
            self._native,
            [self._prepared(sentence) for sentence in sentences],
            density or 0.0,
            list(word_counts or ()),
            self.threads,
            list(targets),
        )
        return self._pool(parts)

    def _pool(self, parts: Any) -> GraphPool:
        model = self.model
        pool = GraphPool.from_native(parts, model.searched_names)
        return pool if model.used_columns is None else pool.with_features(model.all_names)

    def _prepared(self, sentence: str | SourceSentence) -> tuple[object, ...]:
        if isinstance(sentence, str):
            sentence = SourceSentence.from_text(sentence)
        if self.search.monotone_at_punctuation:
            sentence = sentence.with_walls_at_punctuation()
        return sentence.native(self.search.unknown)


def _check_density(density: float) -> None:
    if not density > 0:
        raise OptionError(f"density is {density}, expected a number above 0")
