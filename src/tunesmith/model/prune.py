"""A model with smaller phrase tables; everything else is as it was."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tunesmith.base.errors import OptionError
from tunesmith.base.rundir import RECORD_NAME, run_record, write_record
from tunesmith.corpus import Bitext
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.features import carry_features
from tunesmith.grammar import PhraseTable
from tunesmith.grammar.prune import (
    filter_table,
    limit_joined_tables,
    limit_table,
    significant_rules,
)
from tunesmith.model.files import link_or_copy, new_model
from tunesmith.model.folder import TranslationModel
from tunesmith.model.kinds import check_phrase_model


def prune_model(
    model: TranslationModel,
    folder: str | Path,
    *,
    lines: Sequence[str] | None = None,
    limit: int = 0,
    significance: str = "none",
    bitext: Bitext | None = None,
    inputs: Iterable[str | Path] = (),
    engine: EngineLike = ALL_CORES,
) -> TranslationModel:
    """Prune all tables of `model` and write the result to `folder`.

    Parameters
    ----------
    lines
        Keep the rules for this text, in the model's own tokens.
    limit
        Keep so many rules of each source phrase, by p(e|f); 0 keeps all.
    significance, bitext
        As in `tunesmith.grammar.prune.significant_rules`.
    inputs
        Files that the model's record names.
    """
    check_phrase_model(model, "tables to prune are")
    if significance != "none" and bitext is None:
        raise OptionError("significance pruning needs the parallel text")

    steps: list[Callable[[PhraseTable, Path], PhraseTable]] = []
    if lines is not None:
        steps.append(lambda table, path: filter_table(table, lines, path, engine=engine))
    if bitext is not None and significance != "none":
        steps.append(
            lambda table, path: significant_rules(
                table, bitext, path, threshold=significance, engine=engine
            )
        )
    if not steps and limit < 1:
        raise OptionError("nothing to prune by, expected a text, a limit or significance")
    features = model.rule_features
    replaced = {RECORD_NAME, *(table.path.name for table in model.tables)}
    if features is not None:
        replaced.add(features.path.name)
    with new_model(folder) as temporary:
        for entry in sorted(model.folder.iterdir()):
            if entry.is_file() and entry.name not in replaced:
                link_or_copy(entry, temporary / entry.name)
        with TemporaryDirectory(dir=temporary) as scratch:
            tables = list(model.tables)
            for number, step in enumerate(steps):
                paths = _paths(scratch, number, tables)
                tables = [step(table, path) for table, path in zip(tables, paths, strict=True)]
            if limit > 0:
                paths = _paths(scratch, len(steps), tables)
                tables = _limited(model, tables, limit, paths)
            for old, table in zip(model.tables, tables, strict=True):
                table.path.rename(temporary / old.path.name)
        if features is not None:
            pairs = [(old, PhraseTable(temporary / old.path.name)) for old in model.tables]
            carry_features(features, pairs, temporary / features.path.name)
        options = {"model": str(model.folder), "limit": limit, "significance": significance}
        write_record(temporary, run_record("prune", options, inputs))
    return TranslationModel.load(folder)


def _paths(folder: str, step: int, tables: Sequence[PhraseTable]) -> list[Path]:
    return [Path(folder) / f"{step}.{number}.bin" for number in range(len(tables))]


def _limited(
    model: TranslationModel, tables: Sequence[PhraseTable], limit: int, paths: Sequence[Path]
) -> list[PhraseTable]:
    if model.join_floors:
        return limit_joined_tables(tables, limit, paths)
    return [limit_table(table, limit, path) for table, path in zip(tables, paths, strict=True)]
