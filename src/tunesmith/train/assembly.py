"""The outputs of the stages, put together as a model."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from tunesmith.base.languages import UNDETERMINED
from tunesmith.base.weights import Weights
from tunesmith.features import GrammarTemplates
from tunesmith.formats.weights import write_weights
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.description import JOIN_FLOOR
from tunesmith.model.files import (
    LEXICAL_FILE,
    MAXENT_FILE,
    TEMPLATES_FILE,
    WEIGHTS_FILE,
    link_or_copy,
)
from tunesmith.model.prune import prune_model
from tunesmith.train.keywords import changed
from tunesmith.train.workplace import Workplace


def model_inputs(place: Workplace) -> list[str]:
    """Keys of the stages whose outputs a model has but for its weights, and what joins tables."""
    sparse = ["features"] if place.options.sparse else []
    joined = [f"join_floor {JOIN_FLOOR}"] if len(place.tables) > 1 else []
    reorder = ["reorder"] if place.options.has_maxent else []
    tables = [place.key(name) for name in (*place.grammars, *place.tables, *reorder, *sparse)]
    language_models = [place.key(name) for name in place.language_models]
    # Earlier versions let unknown words go their own ways.
    return [*tables, *joined, *language_models, "keep_unknown_order"]


@contextmanager
def assembled(
    place: Workplace,
    folder: Path,
    weights: Weights | None,
    *,
    lexical: bool = False,
    dev_only: bool = True,
) -> Iterator[TranslationModel]:
    """A model to decode with, in `folder` as long as it is needed.

    With `dev_only` its tables have the rules for the dev set alone: its translations are the same,
    and it is a small part of the whole.
    """
    with TemporaryDirectory(prefix="model-", dir=folder) as temporary:
        with new_model(Path(temporary) / "whole") as whole:
            assemble(place, whole, weights, lexical=lexical)
        model = TranslationModel.load(Path(temporary) / "whole")
        if dev_only and model.tables:
            dev, _ = place.dev_set()
            small = Path(temporary) / "dev"
            model = prune_model(model, small, lines=dev, engine=place.engine)
        yield model


def assemble(
    place: Workplace, folder: Path, weights: Weights | None, *, lexical: bool = False
) -> None:
    """Write a model into `folder`; without weights, with the initial ones."""
    sparse = _sparse_files(place)
    learned = _learned_files(place) if lexical else []
    for stage, name, new in (
        *((grammar, "grammar.bin", f"{grammar}.bin") for grammar in place.grammars),
        *((table, "phrases.bin", f"{table}.bin") for table in place.tables),
        *((model, "lm.bin", f"{model}.bin") for model in place.language_models),
        *(("features", name, name) for name in sparse),
        *(("learn", name, name) for name in learned),
        *([("reorder", MAXENT_FILE, MAXENT_FILE)] if place.options.has_maxent else []),
        ("corpus", "source.json", "source.json"),
        ("corpus", "target.json", "target.json"),
    ):
        link_or_copy(place.path(stage, name), folder / new)
    write_description(
        folder,
        tables=[f"{table}.bin" for table in place.tables],
        grammar="".join(f"{grammar}.bin" for grammar in place.grammars),
        language_models=[f"{model}.bin" for model in place.language_models],
        search=changed(place.options.model_search),
        source="source.json",
        target="target.json",
        source_language=place.options.text.source_language or UNDETERMINED,
        target_language=place.options.text.target_language or UNDETERMINED,
        features=next((name for name in (*sparse, *learned) if name != LEXICAL_FILE), ""),
        unused=place.unused(),
        lexical=LEXICAL_FILE if LEXICAL_FILE in learned else "",
        maxent=MAXENT_FILE if place.options.has_maxent else "",
        join_floor=JOIN_FLOOR if len(place.tables) > 1 else None,
        arc_features=int(place.has_whole_compounds),
        keep_unknown_order=True,
    )
    if weights is None:
        weights = TranslationModel.load(folder).initial_weights()
    write_weights(folder / WEIGHTS_FILE, weights)


def _sparse_files(place: Workplace) -> list[str]:
    """What the stage of sparse features wrote, that which names the others first."""
    if not place.options.sparse:
        return []
    if not place.grammars:
        return ["features.bin"]
    return _template_files(place, "features")


def _learned_files(place: Workplace) -> list[str]:
    """What the learner wrote besides weights, in the same order."""
    return _template_files(place, "learn") if place.grammars else [LEXICAL_FILE]


def _template_files(place: Workplace, stage: str) -> list[str]:
    templates = GrammarTemplates.load(place.path(stage, TEMPLATES_FILE))
    return [TEMPLATES_FILE, *templates.files()]
