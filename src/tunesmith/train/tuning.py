"""How a model is tuned on the dev set while it is trained."""

from dataclasses import replace

from tunesmith.decode import open_decoder
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.train.workplace import Workplace
from tunesmith.tune.loop import TuningLoop
from tunesmith.tune.sources import DecoderSource


def tuning_loop(place: Workplace, model: TranslationModel, iterations: int) -> TuningLoop:
    """The loop of the section tune, with a search as the model's but for its pop limit."""
    options = place.options.tune
    dev, references = place.dev_set()
    decoder = open_decoder(
        model,
        search=replace(place.options.search, pop_limit=options.pop_limit),
        engine=place.engine,
    )
    return TuningLoop(
        DecoderSource(decoder, dev),
        place.tuner(),
        Bleu(tokenize="none"),
        references,
        iterations=iterations,
        size=options.size,
        patience=options.patience,
    )
