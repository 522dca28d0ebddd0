"""`ChartDecoder`: hierarchical translation (Chiang 2007) with a model directory's grammar."""

from collections.abc import Sequence
from functools import cached_property

from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.decode.base import ModelDecoder, WeightVector
from tunesmith.decode.chart_grammars import ChartGrammars, GivenGrammars, IndexedGrammars
from tunesmith.decode.chart_session import ChartSession
from tunesmith.decode.sharded import Searching, ShardedSession
from tunesmith.engine import EngineLike, as_engine
from tunesmith.grammar import HieroIndex, ScfgGrammar


class ChartDecoder(ModelDecoder):
    """Hierarchical translation (Chiang 2007) with the chart of `core/decode/chart`."""

    @cached_property
    def native(self) -> _core.ChartModel:
        """The core's model; files are mapped when it is first used."""
        models = [one.native for one in self.model.language_models]
        return _core.ChartModel(models, len(self.model.grammar.features))

    @cached_property
    def _grammars(self) -> ChartGrammars:
        grammar = self.model.grammar
        if isinstance(grammar, HieroIndex):
            return IndexedGrammars(grammar, self.native)
        return self._given([grammar])

    def _given(self, grammars: Sequence[ScfgGrammar]) -> GivenGrammars:
        return GivenGrammars(grammars, self.native, self.model.grammar.features)

    def session(
        self,
        weights: Weights | WeightVector | None = None,
        *,
        engine: EngineLike | None = None,
        grammars: Sequence[ScfgGrammar] | None = None,
    ) -> ChartSession | ShardedSession:
        """Searches under `weights`; see `Decoder.session`.

        With `grammars`, one for each sentence, they take the place of the model's own; features
        that its own does not have count nothing, and the search is in this process.
        """
        engine = self.engine if engine is None else as_engine(engine)
        vector = self.weight_vector(weights)
        if engine.workers > 1 and grammars is None:
            return ShardedSession(Searching(open_session, self.model, vector, self.search, engine))
        rules = self._grammars if grammars is None else self._given(grammars)
        return ChartSession(self.model, self.native, rules, vector, self.search, engine=engine)


def open_session(how: Searching) -> ChartSession | ShardedSession:
    """The session of a worker."""
    return ChartDecoder(how.model, search=how.search, engine=how.engine).session(how.vector)
