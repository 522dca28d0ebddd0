"""Search: sentences in; translations with derivations, k-best lists and feature values out."""

from tunesmith.base.derivation import Derivation, DerivationStep
from tunesmith.decode.base import Decoder, LiveWeights, ModelDecoder, Session
from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
from tunesmith.decode.markup import parse_markup
from tunesmith.decode.opening import open_command, open_decoder
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.sentence import SourceSentence
from tunesmith.decode.terms import Terms
from tunesmith.decode.want import BEST, Graphs, KBest, Want
from tunesmith.formats.plf import Lattice
from tunesmith.model.search import SearchOptions

__all__ = [
    "BEST",
    "Decoder",
    "DecoderOutput",
    "Derivation",
    "DerivationStep",
    "ForcedDecoder",
    "ForcedOptions",
    "Graphs",
    "KBest",
    "Lattice",
    "LiveWeights",
    "ModelDecoder",
    "SearchOptions",
    "Session",
    "SourceSentence",
    "Terms",
    "Want",
    "open_command",
    "open_decoder",
    "parse_markup",
]
