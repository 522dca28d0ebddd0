"""What differs between models of phrases and hierarchical ones."""

from typing import TYPE_CHECKING

from tunesmith.base.errors import OptionError

if TYPE_CHECKING:
    from tunesmith.model.folder import TranslationModel

# Of a grammar's features those that are probabilities.
_PROBABILITIES = ("p_e_given_f", "p_f_given_e", "max_lex_f_given_e", "max_lex_e_given_f")


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
    grammar_features: list[str], language_models: int, arc_features: int
) -> tuple[str, ...]:
    """The features of a hierarchical model, in the order in which a chart counts them."""
    models = [numbered("lm", number) for number in range(language_models)]
    return (
        *(f"tm.{name}" for name in grammar_features),
        *("glue", "unknown", "word_penalty"),
        *models,
        *(f"{name}_unknown" for name in models),
        *(numbered("arc", number) for number in range(arc_features)),
    )


def chart_start(names: tuple[str, ...]) -> dict[str, float]:
    """Weights to tune a hierarchical model from: 1 for what is a probability, else 0."""
    ones = {f"tm.{name}" for name in _PROBABILITIES}
    return {
        name: float(
            name in ones or (name.startswith(("lm", "arc")) and not name.endswith("_unknown"))
        )
        for name in names
    }
