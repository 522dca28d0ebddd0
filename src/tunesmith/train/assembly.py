"""The outputs of the stages, put together as a model."""

from pathlib import Path

from tunesmith.base.weights import Weights
from tunesmith.formats.weights import write_weights
from tunesmith.model import TranslationModel, write_description
from tunesmith.model.description import JOIN_FLOOR
from tunesmith.model.folder import LEXICAL_FILE, WEIGHTS_FILE, link_or_copy
from tunesmith.train.keywords import changed
from tunesmith.train.workplace import Workplace


def model_inputs(place: Workplace) -> list[str]:
    """Keys of the stages whose outputs a model has but for its weights, and what joins tables."""
    sparse = ["features"] if place.options.sparse else []
    joined = [f"join_floor {JOIN_FLOOR}"] if len(place.tables) > 1 else []
    tables = [place.key(name) for name in (*place.tables, *sparse)]
    return [*tables, *joined, *(place.key(name) for name in place.language_models)]


def assemble(
    place: Workplace, folder: Path, weights: Weights | None, *, lexical: bool = False
) -> None:
    """Write a model into `folder`; without weights, with the initial ones."""
    sparse = place.options.sparse
    for stage, name, new in (
        *((table, "phrases.bin", f"{table}.bin") for table in place.tables),
        *((model, "lm.bin", f"{model}.bin") for model in place.language_models),
        *([("features", "features.bin", "features.bin")] if sparse else []),
        *([("learn", LEXICAL_FILE, LEXICAL_FILE)] if lexical else []),
        ("corpus", "source.json", "source.json"),
        ("corpus", "target.json", "target.json"),
    ):
        link_or_copy(place.path(stage, name), folder / new)
    write_description(
        folder,
        tables=[f"{table}.bin" for table in place.tables],
        language_models=[f"{model}.bin" for model in place.language_models],
        search=changed(place.options.search),
        source="source.json",
        target="target.json",
        features="features.bin" if sparse else "",
        unused=place.unused(),
        lexical=LEXICAL_FILE if lexical else "",
        join_floor=JOIN_FLOOR if len(place.tables) > 1 else None,
    )
    if weights is None:
        weights = TranslationModel.load(folder).initial_weights()
    write_weights(folder / WEIGHTS_FILE, weights)
