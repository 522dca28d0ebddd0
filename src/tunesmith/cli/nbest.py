"""Change n-best lists: add features to every hypothesis, or put systems' lists together.

    tunesmith nbest add-feature --nbest list --add lm:text=train.en --add mbr --out new
    tunesmith nbest add-feature --nbest list --add align:model=de-en.align --src dev.de --out new
    tunesmith nbest add-feature --nbest list --name length --python features.py:length --out new
    tunesmith nbest add-feature --nbest list --name qe --from-file scores.txt --out new
    tunesmith nbest add-feature --nbest list --name lm --command 'my-lm --score' --out new
    tunesmith nbest merge --nbest nmt=nmt.nbest phrases=phrases.nbest --out both

A file has one number per line, in the order of the hypotheses. A Python function is called with
whole lists of (sentence number, text), and with all source sentences if it takes a second argument,
and gives one number for each text. A command gets the texts, one per line, and prints one number
per line.
"""

import argparse
from typing import TYPE_CHECKING

from tunesmith.cli._options import add_loudness, output_file

if TYPE_CHECKING:
    from tunesmith.formats.nbest import NbestList


MERGE = """Put lists of several systems together; `tune` on the result chooses between systems.

    tunesmith nbest merge --nbest nmt=nmt.nbest phrases=phrases.nbest --out both
    tunesmith nbest merge --text a=output.a b=output.b c=output.c --out all

An entry that several systems have becomes one. Features are renamed SYSTEM.feature;
system:SYSTEM is 1 where the system has the entry, first:SYSTEM where it is the first of the
system's list. A score of a system that does not have the entry is imputed (--missing).
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser(
        "add-feature",
        help="append a column",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _add_feature_arguments(add)
    merge = actions.add_parser(
        "merge",
        help="put lists of several systems together",
        description=MERGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    _merge_arguments(merge)


def _add_feature_arguments(parser: argparse.ArgumentParser) -> None:
    from tunesmith.cli.feature_options import add_feature_options
    from tunesmith.cli.nbest_options import add_reading_options
    from tunesmith.formats.feature_info import LOG_BASES
    from tunesmith.formats.nbest import WRITTEN

    add_loudness(parser, again=True)
    parser.add_argument("--nbest", required=True, metavar="FILE", help="list; - is standard input")
    parser.add_argument("--name", help="name of the new feature (those of --add have their own)")
    add_feature_options(parser)
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--from-file", metavar="FILE", help="one number per line")
    source.add_argument(
        "--python", metavar="MODULE:FUNCTION", help="or file.py:FUNCTION; gets (sentence, text)"
    )
    source.add_argument("--command", metavar="COMMAND", help="shell command: lines in, numbers out")
    parser.add_argument(
        "--with-ids", action="store_true", help="the command gets 'sentence<TAB>text'"
    )
    parser.add_argument(
        "--out", type=output_file, required=True, metavar="FILE",
        help="new list; - is standard output",
    )  # fmt: skip
    parser.add_argument(
        "--to",
        choices=WRITTEN,
        metavar="FORMAT",
        help="format of the new list (default: as the old one)",
    )
    parser.add_argument("--log-base", choices=LOG_BASES, help="the values are logarithms")
    parser.add_argument(
        "--length-normalised", action="store_true", help="the values are divided by the length"
    )
    add_reading_options(parser)


def _merge_arguments(parser: argparse.ArgumentParser) -> None:
    from tunesmith.cli.nbest_options import add_reading_options
    from tunesmith.formats.nbest import DIALECTS
    from tunesmith.rescore.merging import MISSING

    add_loudness(parser, again=True)
    parser.add_argument(
        "--nbest", nargs="+", default=[], metavar="SYSTEM=FILE", help="lists, with systems' names"
    )
    parser.add_argument(
        "--text", nargs="+", default=[], metavar="SYSTEM=FILE",
        help="outputs, one translation per line, with systems' names",
    )  # fmt: skip
    parser.add_argument(
        "--missing", choices=MISSING, default=MISSING[0],
        help="what stands for a score of a system that does not have the entry: the mean, the "
        "lowest or the highest of the sentence's entries that have it, or 0 (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=output_file, required=True, metavar="FILE",
        help="new list; - is standard output",
    )  # fmt: skip
    parser.add_argument(
        "--to", choices=[name for name in DIALECTS if name != "auto"], default="tunesmith",
        metavar="FORMAT", help="format of the new list (default: %(default)s)",
    )  # fmt: skip
    add_reading_options(parser)


def run(arguments: argparse.Namespace) -> None:
    """Run the action."""
    if arguments.action == "merge":
        _merge(arguments)
    else:
        _add_feature(arguments)


def _add_feature(arguments: argparse.Namespace) -> None:
    """Read the list, compute the columns, write the list."""
    from tunesmith.base.errors import OptionError
    from tunesmith.base.log import log
    from tunesmith.cli.feature_options import asked_features, with_features
    from tunesmith.cli.nbest_options import reading_options
    from tunesmith.formats.nbest import read_nbest
    from tunesmith.formats.nbest_write import write_nbest

    given = (arguments.from_file, arguments.python, arguments.command)
    own = any(source is not None for source in given)
    if not own and not arguments.add:
        raise OptionError("nothing to add: give --add, --python, --command or --from-file")
    if own == bool(arguments.add):
        raise OptionError("--add goes with none of --python, --command and --from-file")
    if own and arguments.name is None:
        raise OptionError("the new feature has no name: give --name")
    if arguments.add and arguments.name is not None:
        raise OptionError("--name is not for --add, where it is an option: --add KIND:name=NAME")
    nbest = read_nbest(arguments.nbest, **reading_options(arguments))
    if arguments.add:
        new = with_features(nbest, asked_features(arguments), arguments, arguments.nbest)
    else:
        new = _with_own_feature(nbest, arguments)
    dialect = arguments.to or nbest.dialect
    write_nbest(arguments.out, new, dialect)
    added = new.dense_names[len(nbest.dense_names) :]
    for name in added:
        if dialect == "moses" and "_" in name:
            log.warning("Moses' format takes '%s' for a sparse feature, for its '_'", name)
    asked = arguments.log_base is not None or arguments.length_normalised
    if dialect != "tunesmith" and asked:
        log.warning("only --to tunesmith keeps log base and length normalisation")


def _with_own_feature(nbest: "NbestList", arguments: argparse.Namespace) -> "NbestList":
    """The list with the feature of a file, a function or a command."""
    from tunesmith.formats.added_features import (
        add_feature,
        values_from_command,
        values_from_file,
        values_from_function,
    )
    from tunesmith.formats.feature_info import FeatureInfo
    from tunesmith.rescore.adding import read_sources

    if arguments.from_file is not None:
        values = values_from_file(nbest, arguments.from_file)
    elif arguments.python is not None:
        sources = None
        if arguments.src is not None:
            sources = read_sources(arguments.src, nbest, arguments.nbest)
        values = values_from_function(nbest, arguments.python, sources)
    else:
        values = values_from_command(nbest, arguments.command, with_ids=arguments.with_ids)
    info = FeatureInfo(arguments.log_base, arguments.length_normalised)
    return add_feature(nbest, arguments.name, values, info)


def _merge(arguments: argparse.Namespace) -> None:
    """Read the lists of the systems and write one."""
    from tunesmith.base.errors import OptionError
    from tunesmith.cli.nbest_options import reading_options
    from tunesmith.formats.nbest import read_nbest
    from tunesmith.formats.nbest_write import write_nbest
    from tunesmith.rescore.merging import merge_systems, read_outputs

    systems: dict[str, NbestList] = {}
    for option, texts in (("--nbest", arguments.nbest), ("--text", arguments.text)):
        for text in texts:
            name, equals, path = text.partition("=")
            if not equals or not path:
                raise OptionError(f"{option} '{text}', expected SYSTEM=FILE")
            if name in systems:
                raise OptionError(f"system '{name}' twice, expected different names")
            if option == "--text":
                systems[name] = read_outputs(path)
            else:
                systems[name] = read_nbest(path, **reading_options(arguments))
    merged = merge_systems(systems, missing=arguments.missing, engine=arguments.engine)
    write_nbest(arguments.out, merged, arguments.to)
