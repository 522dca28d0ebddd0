"""`ChartDecoder`: hierarchical translation (Chiang 2007) with a model directory's grammar."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Self

import numpy as np

from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.decode.base import LiveWeights, ModelDecoder, WeightVector
from tunesmith.decode.chart_grammars import ChartGrammars, GivenGrammars, IndexedGrammars
from tunesmith.decode.chart_output import ChartOutput
from tunesmith.decode.chart_session import ChartSession
from tunesmith.decode.layered_grammars import LayeredGrammars
from tunesmith.decode.sharded import Searching, ShardedSession
from tunesmith.engine import Engine, EngineLike, as_engine
from tunesmith.grammar import HieroIndex, ScfgGrammar
from tunesmith.model.layer import LAYER_FEATURES, Layer


class ChartDecoder(ModelDecoder):
    """Hierarchical translation (Chiang 2007) with the chart of `core/decode/chart`."""

    most_words = _core.MOST_CHART_WORDS
    grammars: Sequence[ScfgGrammar] | None = None
    """One for each sentence, in the place of the model's own."""

    @cached_property
    def native(self) -> _core.ChartModel:
        """The core's model; files are mapped when it is first used."""
        models = [one.native for one in self.model.language_models]
        layer = () if self.model.layer is None else LAYER_FEATURES
        features = len(self.model.grammar.features) + len(layer)
        return _core.ChartModel(models, features, self.model.arc_features)

    @cached_property
    def rules(self) -> ChartGrammars:
        """Where rules come from."""
        if self.grammars is not None:
            return self._given(self.grammars)
        grammar, layer = self.model.grammar, self.model.layer
        if isinstance(grammar, HieroIndex) and layer is not None:
            return LayeredGrammars(grammar, layer.rules, self.native, self.model.grammar_templates)
        if isinstance(grammar, HieroIndex):
            return IndexedGrammars(grammar, self.native, self.model.grammar_templates)
        return self._given([grammar])

    def _given(self, grammars: Sequence[ScfgGrammar]) -> GivenGrammars:
        return GivenGrammars(
            grammars, self.native, self.model.grammar.features, self.model.grammar_templates
        )

    def layered(self, layer: Layer) -> Self:
        """The decoder of the model with a layer on top; see `ModelDecoder.layered`."""
        other = self.on(self.engine)
        other.model = self.model.layered(layer)
        other.__dict__.pop("native", None)  # its features are others
        other.__dict__.pop("rules", None)
        return other

    def session(
        self, weights: Weights | WeightVector | None = None, *, engine: EngineLike | None = None
    ) -> ChartSession | ShardedSession:
        """Searches under `weights`; see `Decoder.session`."""
        engine = self.engine if engine is None else as_engine(engine)
        if isinstance(weights, LiveWeights):
            return self._open(self.weight_vector(weights), weights.sparse, engine)
        vector, sparse = self._split(self.model.weights if weights is None else weights)
        if engine.workers > 1 and self.grammars is None:
            return ShardedSession(Searching(self.on(engine), vector, sparse, ChartOutput))
        return self._open(vector, named_weights(sparse), engine)

    def with_grammars(self, grammars: Sequence[ScfgGrammar]) -> Self:
        """The decoder with other rules, and searches in this process alone.

        Features that the model's own grammar does not have count nothing.
        """
        other = self.on(self.engine)
        other.grammars = grammars
        other.__dict__.pop("rules", None)
        return other

    @property
    def takes_live_weights(self) -> bool:
        """Where its rules have sparse features."""
        return self.model.grammar_templates is not None

    def open_here(self, vector: WeightVector, sparse: Mapping[str, float]) -> ChartSession:
        """Searches with the model's own rules; see `ModelDecoder.open_here`."""
        return self._open(vector, named_weights(sparse), self.engine)

    def _exact(self, weights: Weights | WeightVector | None) -> ChartSession | ShardedSession:
        return self.session(weights)  # what is forced has no limits but the span of rules

    def _open(
        self, vector: WeightVector, sparse: _core.NamedWeights, engine: Engine
    ) -> ChartSession:
        """Searches in this process, under weights of dense features and, by name, of sparse."""
        native = _core.ChartSession(
            self.native,
            self.model.search_vector(vector),
            sparse,
            self.search.chart(keep_unknown_order=self.model.keeps_unknown_order),
        )
        return ChartSession(self.model, native, self.rules, self.search, engine=engine)

    def _split(self, weights: Weights | WeightVector) -> tuple[WeightVector, dict[str, float]]:
        """The weights of dense features as a vector, and those of sparse ones by name."""
        templates = self.model.grammar_templates
        if templates is None or isinstance(weights, np.ndarray):
            return self.weight_vector(weights), {}
        dense, makes = set(self.names), templates.makes
        sparse = {n: value for n, value in weights.items() if n not in dense and makes(n)}
        others = {name: value for name, value in weights.items() if name not in sparse}
        return self.weight_vector(Weights(others)), sparse


def named_weights(weights: Mapping[str, float]) -> _core.NamedWeights:
    """Weights by name as the core takes them."""
    return _core.NamedWeights(
        list(weights), np.fromiter(weights.values(), np.float64, len(weights))
    )
