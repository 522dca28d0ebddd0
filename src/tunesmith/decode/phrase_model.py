"""The core's form of a phrase model, for what looks into the search itself."""

from tunesmith import _core
from tunesmith.features import LexicalModel
from tunesmith.model import TranslationModel
from tunesmith.model.kinds import check_phrase_model

#: What looks into phrase-based search; lists and graphs are there for every kind (`open_decoder`).
INSIDE_SEARCH = "forced decoding, lexical features and learning from the stacks of a search are"


def native_phrase_model(
    model: TranslationModel, lexical: LexicalModel | None = None
) -> _core.PhraseModel:
    """All that the search needs; `lexical` features take the place of the model's own."""
    check_phrase_model(model, INSIDE_SEARCH)
    lexical = model.lexical if lexical is None else lexical
    own = _core.PhraseModel(
        [table.native for table in model.tables],
        [one.native for one in model.language_models],
        *_reordering_shape(model),
        None if model.rule_features is None else model.rule_features.native,
        None if lexical is None else lexical.native,
        model.join_floors,
        [number for number, table in enumerate(model.tables) if table.is_recounted],
        None if model.maxent is None else model.maxent.native,
        model.keeps_unknown_order,
    )
    return own if model.layer is None else layered_phrase_model(own, model)


def layered_phrase_model(base: _core.PhraseModel, model: TranslationModel) -> _core.PhraseModel:
    """The same of a model with a layer; `base` is that of the model without, and shared."""
    assert model.layer_table is not None
    return _core.PhraseModel(
        base,
        model.layer_table.native,
        *_reordering_shape(model),
        None if model.maxent is None else model.maxent.native,
        model.keeps_unknown_order,
    )


def _reordering_shape(model: TranslationModel) -> tuple[bool, bool, bool]:
    """Whether there are two classes of discontinuity, and which neighbours are looked at."""
    names = model.reordering if model.uses_reordering else []
    return (
        model.reordering_classes == "mslr",
        any(name.startswith("previous.") for name in names),
        any(name.startswith("next.") for name in names),
    )
