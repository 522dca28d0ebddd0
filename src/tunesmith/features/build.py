"""Templates and phrase tables in, a file of sparse features out."""

import json
from collections.abc import Sequence
from pathlib import Path

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.progress import progress
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.features.store import RuleFeatures
from tunesmith.features.templates import RuleTemplate
from tunesmith.features.user import RuleFunction, UserTemplate, user_rows
from tunesmith.grammar import PhraseTable


def build_features(
    tables: Sequence[PhraseTable],
    templates: Sequence[RuleTemplate | UserTemplate | RuleFunction],
    path: str | Path,
    *,
    engine: EngineLike = ALL_CORES,
) -> RuleFeatures:
    """Compute the sparse features of all rules of `tables` and write them to `path`.

    Parameters
    ----------
    tables
        The tables of a model, all of them: features of the same name are one feature.
    templates
        Built-in templates, user templates, or plain functions (`UserTemplate.of`).
    engine
        For the built-in ones; the file does not depend on it.

    Examples
    --------
    >>> from tempfile import mkdtemp
    >>> from tunesmith.corpus import Bitext
    >>> from tunesmith.features import CountBin, LengthBin
    >>> from tunesmith.formats.pharaoh import Links
    >>> from tunesmith.grammar import PhraseExtraction
    >>> text, folder = Bitext.from_lines(["das Haus"], ["the house"]), Path(mkdtemp())
    >>> links = Links.from_lists([[(0, 0), (1, 1)]])
    >>> table = PhraseExtraction().run(text, links, folder / "phrases.bin")
    >>> def same_length(source, target, links, counts):
    ...     return ["yes" if len(source) == len(target) else "no"]
    >>> features = build_features([table], [CountBin(), same_length], folder / "features.bin")
    >>> features.of_rule(table, 0)
    {'same_length:yes': 1.0, 'count_bin:1': 1.0}
    """
    ours: list[RuleTemplate] = []
    users: list[UserTemplate] = []
    for one in templates:
        if isinstance(one, UserTemplate):
            users.append(one)
        elif isinstance(one, RuleTemplate):
            ours.append(one)
        else:
            users.append(UserTemplate.of(one))
    names = [one.name for one in ours] + [one.name for one in users]
    for name in names:
        if names.count(name) > 1:
            raise OptionError(f"template '{name}' twice")
    writer = _core.RuleFeaturesWriter(str(path))
    natives = [one.native(tables) for one in ours]
    with progress("features", sum(map(len, tables)) * (2 if users else 1)) as bar:
        for table in tables:
            rows = user_rows(users, table, writer.name_id, bar.advance)
            writer.add_table(table.native, natives, *rows, as_engine(engine).threads, bar.advance)
    described = [one.describe() for one in ours] + [one.describe() for one in users]
    meta = {"templates": described}
    writer.write(json.dumps(meta))
    return RuleFeatures(path)


def carry_features(
    features: RuleFeatures, tables: Sequence[tuple[PhraseTable, PhraseTable]], path: str | Path
) -> RuleFeatures:
    """The features of smaller tables, from those of the tables that they were made of.

    `tables` are pairs of a table and what was left of it by `tunesmith.grammar.prune`. Features
    keep their ids, those that occur no more as well.
    """
    writer = _core.RuleFeaturesWriter(str(path))
    for whole, part in tables:
        writer.carry_table(features.native, whole.native, part.native)
    writer.write(json.dumps(features.meta))
    return RuleFeatures(path)
