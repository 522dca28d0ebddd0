"""Which decoder it is: the one that a model needs, by its kind, or a command."""

from pathlib import Path

from tunesmith.decode.base import Decoder, ModelDecoder
from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.command import CommandDecoder
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.model import TranslationModel
from tunesmith.model.search import SearchOptions

#: The kind of a model → its decoder.
KINDS: dict[str, type[PhraseDecoder] | type[ChartDecoder]] = {
    "phrase": PhraseDecoder,
    "hiero": ChartDecoder,
}


def open_decoder(
    model: TranslationModel,
    *,
    search: SearchOptions | None = None,
    engine: EngineLike = ALL_CORES,
) -> ModelDecoder:
    """A decoder for `model`, with the model's own limits of the search unless others are given.

    `engine` is all cores by default; results do not depend on it.
    """
    return KINDS[model.kind](model, search=search, engine=engine)


def open_command(command: str, folder: str | Path | None = None) -> Decoder:
    """Any program that reads weights and writes n-best lists (`CommandDecoder` has the rules).

    Its files stay in `folder`; without one they are temporary.
    """
    return CommandDecoder(command, None if folder is None else Path(folder))
