"""Search: sentences in; translations with derivations, k-best lists and feature values out."""

from tunesmith.decode.base import Decoder, Session
from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
from tunesmith.decode.markup import parse_markup
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.output import DecoderOutput, Derivation, Step
from tunesmith.decode.sentence import SourceSentence
from tunesmith.model.search import SearchOptions

__all__ = [
    "Decoder",
    "DecoderOutput",
    "Derivation",
    "ForcedDecoder",
    "ForcedOptions",
    "SearchOptions",
    "Session",
    "SourceSentence",
    "Step",
    "open_decoder",
    "parse_markup",
]
