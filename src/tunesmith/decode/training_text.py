"""Sentence pairs to learn from as the core takes them: word ids, not text."""

from tunesmith import _core
from tunesmith.corpus import Bitext
from tunesmith.decode.table_links import TableLinks, link_arrays
from tunesmith.model import TranslationModel


def training_text(model: TranslationModel, pairs: Bitext, links: TableLinks) -> _core.TrainingText:
    """The core's form; `links` tell which rules of the model's tables are a pair's own."""
    source, target = pairs.source, pairs.target
    return _core.TrainingText(
        source.vocabulary.native,
        source.offsets,
        source.ids,
        target.vocabulary.native,
        target.offsets,
        target.ids,
        link_arrays(model, len(pairs), links),
    )
