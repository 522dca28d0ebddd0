"""A model with smaller phrase tables; everything else is as it was."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from tunesmith.base.errors import OptionError
from tunesmith.base.rundir import RECORD_NAME, run_record, write_record
from tunesmith.corpus import Bitext
from tunesmith.features import carry_features
from tunesmith.grammar import PhraseTable
from tunesmith.grammar.prune import filter_table, limit_table, significant_rules
from tunesmith.model.folder import TranslationModel, link_or_copy, new_model


def prune_model(
    model: TranslationModel,
    folder: str | Path,
    *,
    lines: Sequence[str] | None = None,
    limit: int = 0,
    significance: str = "none",
    bitext: Bitext | None = None,
    inputs: Iterable[str | Path] = (),
    threads: int = 1,
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
    if significance != "none" and bitext is None:
        raise OptionError("significance pruning needs the parallel text")

    steps: list[Callable[[PhraseTable, Path], PhraseTable]] = []
    if lines is not None:
        steps.append(lambda table, path: filter_table(table, lines, path, threads=threads))
    if bitext is not None and significance != "none":
        steps.append(
            lambda table, path: significant_rules(
                table, bitext, path, threshold=significance, threads=threads
            )
        )
    if limit > 0:
        steps.append(lambda table, path: limit_table(table, limit, path))
    if not steps:
        raise OptionError("nothing to prune by, expected a text, a limit or significance")
    tables = {table.path.name: table for table in model.tables}
    features = model.rule_features
    own_file = features.path.name if features is not None else None
    with new_model(folder) as temporary:
        for entry in sorted(model.folder.iterdir()):
            if entry.name in tables:
                table = tables[entry.name]
                with TemporaryDirectory(dir=temporary) as scratch:
                    for number, step in enumerate(steps):
                        table = step(table, Path(scratch) / f"{number}.bin")
                    table.path.rename(temporary / entry.name)
            elif entry.is_file() and entry.name not in (RECORD_NAME, own_file):
                link_or_copy(entry, temporary / entry.name)
        if features is not None:
            pairs = [(table, PhraseTable(temporary / name)) for name, table in tables.items()]
            carry_features(features, pairs, temporary / features.path.name)
        options = {"model": str(model.folder), "limit": limit, "significance": significance}
        write_record(temporary, run_record("prune", options, inputs))
    return TranslationModel.load(folder)
