"""`PhraseSession`: phrase-based searches under the same weights, with rules that stay ready."""

from collections.abc import Sequence

from tunesmith import _core
from tunesmith.base.graph_pool import GraphPool
from tunesmith.decode.base import Session, SourceText, WeightVector
from tunesmith.decode.search_output import SearchOutput
from tunesmith.decode.session_parts import graph_pool, native_density, native_sentence
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
    ) -> SearchOutput:
        """Translate, as `Session.decode` does; `targets` are translations to be made exactly."""
        found = _core.decode_phrases(
            self._native,
            [native_sentence(sentence, self.search, self.model) for sentence in sentences],
            want.size,
            want.distinct,
            self.engine.threads,
            targets,
            native_density(want.graph_density, none=-1.0),
        )
        output = SearchOutput.of_model(found, self.model)
        if want.graph_density is not None:
            output.graphs = graph_pool(found.graphs(), self.model)
        return output

    def graphs(
        self, sentences: SourceText, want: Graphs, targets: Sequence[list[str]] = ()
    ) -> GraphPool:
        """The search spaces, as `Session.decode` gives them; `targets` as for `lists`."""
        parts = _core.phrase_graphs(
            self._native,
            [native_sentence(sentence, self.search, self.model) for sentence in sentences],
            native_density(want.density, none=0.0),
            list(want.word_counts or ()),
            self.engine.threads,
            list(targets),
        )
        return graph_pool(parts, self.model)
