"""How a model is tuned on the dev set while it is trained."""

from tunesmith.decode import Decoder, open_decoder
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.train.workplace import Workplace
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.sources import DecoderSource


def tuning_decoder(place: Workplace, model: TranslationModel) -> Decoder:
    """The decoder of the dev set."""
    return open_decoder(model, search=place.options.tuning_search, engine=place.engine)


def tuning_loop(place: Workplace, decoder: Decoder, iterations: int) -> TuningLoop:
    """The loop of the section tune."""
    options = place.options.tuning
    _, references = place.dev_set()
    return TuningLoop(
        DecoderSource(decoder, place.dev_input()),
        place.tuner(),
        Bleu(tokenize="none"),
        references,
        iterations=iterations,
        size=options.size,
        patience=options.patience,
        least_gain=options.least_gain,
    )
