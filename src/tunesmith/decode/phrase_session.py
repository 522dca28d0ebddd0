"""`PhraseSession`: phrase-based searches under the same weights, with rules that stay ready."""

from collections.abc import Sequence

from tunesmith import _core
from tunesmith.base.graph_pool import GraphPool
from tunesmith.decode.base import Session, SourceText, WeightVector
from tunesmith.decode.phrase_output import PhraseOutput
from tunesmith.decode.sentence import NativeSentence, SourceSentence
from tunesmith.decode.want import Graphs, KBest
from tunesmith.engine import Engine
from tunesmith.model import TranslationModel
from tunesmith.model.search import SearchOptions


class PhraseSession(Session):
    """Searches of a `PhraseDecoder` under fixed weights and limits.

    `vector` is in the order of `TranslationModel.weight_vector`; `native_model` is the core's form
    of `model`.
    """

    def __init__(
        self,
        model: TranslationModel,
        native_model: _core.PhraseModel,
        vector: WeightVector,
        search: SearchOptions,
        *,
        engine: Engine,
    ) -> None:
        self.model, self.search, self.engine = model, search, engine
        self._native = _core.PhraseSession(
            native_model, model.search_vector(vector), search.native()
        )

    def lists(
        self, sentences: SourceText, want: KBest, targets: Sequence[list[str]] = ()
    ) -> PhraseOutput:
        """Translate, as `Session.decode` does; `targets` are translations to be made exactly."""
        density = -1.0
        if want.graph_density is not None:
            density = 0.0 if want.graph_density == float("inf") else want.graph_density
        found = _core.decode_phrases(
            self._native,
            [self._prepared(sentence) for sentence in sentences],
            want.size,
            want.distinct,
            self.engine.threads,
            targets,
            density,
        )
        output = PhraseOutput.of_model(found, self.model)
        if want.graph_density is not None:
            output.graphs = self._pool(found.graphs())
        return output

    def graphs(
        self, sentences: SourceText, want: Graphs, targets: Sequence[list[str]] = ()
    ) -> GraphPool:
        """The search spaces, as `Session.decode` gives them; `targets` as for `lists`."""
        parts = _core.phrase_graphs(
            self._native,
            [self._prepared(sentence) for sentence in sentences],
            want.density or 0.0,
            list(want.word_counts or ()),
            self.engine.threads,
            list(targets),
        )
        return self._pool(parts)

    def _pool(self, parts: _core.GraphParts) -> GraphPool:
        model = self.model
        pool = GraphPool.from_native(parts, model.searched_names, len(model.decoder_names))
        if model.used_columns is None:
            return pool
        return pool.with_features(model.all_names, len(model.feature_names))

    def _prepared(self, sentence: str | SourceSentence) -> NativeSentence:
        if isinstance(sentence, str):
            sentence = SourceSentence.from_text(sentence)
        if self.search.monotone_at_punctuation:
            sentence = sentence.with_walls_at_punctuation()
        return sentence.native(self.search.unknown)
