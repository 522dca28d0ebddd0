"""`GivenDecoder`: a decoder for sentences that bring their grammars along."""

from collections.abc import Sequence
from typing import Protocol

from tunesmith.base.weights import Weights
from tunesmith.decode.base import Decoder, Session, WeightVector
from tunesmith.engine import EngineLike
from tunesmith.grammar import ScfgGrammar


class TakesGrammars(Protocol):
    """What its sessions can be given."""

    def session(
        self,
        weights: Weights | WeightVector | None = None,
        *,
        engine: EngineLike | None = None,
        grammars: Sequence[ScfgGrammar] | None = None,
    ) -> Session:
        """Searches with a grammar for each sentence, in the place of the decoder's own rules."""


class GivenDecoder(Decoder):
    """`decoder` for some sentences, each with the rules of its own grammar."""

    def __init__(
        self, decoder: Decoder, takes: TakesGrammars, grammars: Sequence[ScfgGrammar]
    ) -> None:
        self._decoder, self._takes, self._grammars = decoder, takes, grammars

    @property
    def names(self) -> tuple[str, ...]:
        """Those of the decoder."""
        return self._decoder.names

    @property
    def all_names(self) -> Sequence[str] | None:
        """Those of the decoder."""
        return self._decoder.all_names

    @property
    def gives_graphs(self) -> bool:
        """Where the decoder does."""
        return self._decoder.gives_graphs

    @property
    def takes_live_weights(self) -> bool:
        """Where the decoder does."""
        return self._decoder.takes_live_weights

    def session(
        self, weights: Weights | WeightVector | None = None, *, engine: EngineLike | None = None
    ) -> Session:
        """Searches of these sentences, in this process."""
        return self._takes.session(weights, engine=engine, grammars=self._grammars)
