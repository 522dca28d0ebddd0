"""Search: sentences in; translations with derivations, k-best lists and feature values out."""

from tunesmith.decode.forced import ForcedDecoder, ForcedOptions
from tunesmith.decode.markup import parse_markup
from tunesmith.decode.output import DecoderOutput, Derivation, Step
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.sentence import SourceSentence
from tunesmith.model.search import SearchOptions

__all__ = [
    "DecoderOutput",
    "Derivation",
    "ForcedDecoder",
    "ForcedOptions",
    "PhraseDecoder",
    "SearchOptions",
    "SourceSentence",
    "Step",
    "parse_markup",
]
