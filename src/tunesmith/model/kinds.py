"""What differs between models of phrases and hierarchical ones."""

import re
from typing import TYPE_CHECKING

from tunesmith import _core
from tunesmith.base.errors import OptionError

if TYPE_CHECKING:
    from tunesmith.model.folder import TranslationModel

_LANGUAGE_MODEL = re.compile(r"lm\d*")
# Weights to tune from that are not 0, those of language models and lattices aside.
_START = {
    "tm.coherent_e_given_f": 1.0,
    "tm.p_e_given_f": 0.4,
    "tm.p_f_given_e": 1.0,
    "tm.max_lex_f_given_e": 0.4,
    "tm.max_lex_e_given_f": 0.2,
    "tm.singleton_f": -2.0,
    "tm.singleton_fe": -2.0,
    "tm.deleted": -2.0,
    "word_penalty": -2.0,
}


def check_phrase_model(model: "TranslationModel", what: str) -> None:
    """Refuse a model of another kind; `what` is what only models of phrases have."""
    if model.kind != "phrase":
        raise OptionError(
            f"{model.folder} is a {model.kind} model, expected a phrase model: {what} for these "
            "alone"
        )


def numbered(name: str, number: int) -> str:
    """``lm``, ``lm2``, ``lm3``, …"""
    return name if number == 0 else f"{name}{number + 1}"


def chart_names(
    grammar_features: list[str],
    language_models: int,
    arc_features: int,
    layer: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """The features of a hierarchical model, in the order in which a chart counts them."""
    models = [numbered("lm", number) for number in range(language_models)]
    return (
        *(f"tm.{name}" for name in grammar_features),
        *layer,
        *_core.plain_chart_features(),
        *models,
        *(f"{name}_unknown" for name in models),
        *(numbered("arc", number) for number in range(arc_features)),
    )


def chart_start(names: tuple[str, ...]) -> dict[str, float]:
    """Weights to tune a hierarchical model from: near to what tuning finds.

    Language models share a weight of 1; scores of a lattice's arcs have 1 each.
    """
    models = [name for name in names if _LANGUAGE_MODEL.fullmatch(name)]
    start = {name: 1.0 / len(models) for name in models}
    start |= {name: 1.0 for name in names if name.startswith("arc")}
    return {name: start.get(name, _START.get(name, 0.0)) for name in names}
