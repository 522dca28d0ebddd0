"""`PhraseDecoder`: phrase-based translation with a model directory's tables and weights."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Self

from tunesmith import _core
from tunesmith.base.weights import Weights
from tunesmith.decode.base import ModelDecoder, WeightVector
from tunesmith.decode.phrase_model import layered_phrase_model, native_phrase_model
from tunesmith.decode.phrase_session import PhraseSession
from tunesmith.decode.sharded import Searching, ShardedSession
from tunesmith.engine import Engine, EngineLike, as_engine
from tunesmith.model.layer import Layer
from tunesmith.model.search import SearchOptions

UNLIMITED = 2**31 - 1


class PhraseDecoder(ModelDecoder):
    """Phrase-based translation with the stacks of `core/decode/phrase`."""

    most_words = _core.MOST_PHRASE_WORDS

    @cached_property
    def native(self) -> _core.PhraseModel:
        """The core's model; files are mapped when it is first used."""
        return native_phrase_model(self.model)

    def layered(self, layer: Layer) -> Self:
        """The decoder of the model with a layer on top; see `ModelDecoder.layered`."""
        other = self.on(self.engine)
        other.model = self.model.layered(layer)
        other.native = layered_phrase_model(self.native, other.model)
        return other

    def session(
        self, weights: Weights | WeightVector | None = None, *, engine: EngineLike | None = None
    ) -> PhraseSession | ShardedSession:
        """Searches under `weights`; see `Decoder.session`."""
        return self._session(
            weights, self.search, self.engine if engine is None else as_engine(engine)
        )

    def open_here(self, vector: WeightVector, sparse: Mapping[str, float]) -> PhraseSession:
        """Searches in this process; see `ModelDecoder.open_here`."""
        return PhraseSession(self.model, self.native, vector, self.search, engine=self.engine)

    def _session(
        self, weights: Weights | WeightVector | None, search: SearchOptions, engine: Engine
    ) -> PhraseSession | ShardedSession:
        vector = self.weight_vector(weights)
        if engine.workers > 1:
            decoder = PhraseDecoder(self.model, search=search, engine=engine)
            return ShardedSession(Searching(decoder, vector))
        return PhraseSession(self.model, self.native, vector, search, engine=engine)

    def _exact(self, weights: Weights | WeightVector | None) -> PhraseSession | ShardedSession:
        search = replace(
            self.search,
            pop_limit=UNLIMITED,
            stack_size=UNLIMITED,
            beam_threshold=float("inf"),
            table_limit=0,
        )
        return self._session(weights, search, self.engine)
