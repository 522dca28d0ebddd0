"""`open_decoder`: the decoder that a model needs, by its kind."""

from tunesmith.decode.base import Decoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.model import TranslationModel
from tunesmith.model.search import SearchOptions

#: The kind of a model → its decoder.
KINDS = {"phrase": PhraseDecoder}


def open_decoder(
    model: TranslationModel,
    *,
    search: SearchOptions | None = None,
    threads: int | None = None,
) -> Decoder:
    """A decoder for `model`, with the model's own limits of the search unless others are given.

    `threads` are all cores by default; results do not depend on it.
    """
    return KINDS[model.kind](model, search=search, threads=threads)
