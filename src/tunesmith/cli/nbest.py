"""Change n-best lists: add a feature to every hypothesis.

    tunesmith nbest add-feature --nbest list --name length --python features.py:length --out new
    tunesmith nbest add-feature --nbest list --name qe --from-file scores.txt --out new
    tunesmith nbest add-feature --nbest list --name lm --command 'my-lm --score' --out new

A file has one number per line, in the order of the hypotheses. A Python function is called with
lists of (sentence number, text) and gives one number for each. A command gets the texts, one per
line, and prints one number per line.
"""

import argparse

from tunesmith.cli._options import add_loudness, output_file


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


def _add_feature_arguments(parser: argparse.ArgumentParser) -> None:
    from tunesmith.cli.nbest_options import add_reading_options
    from tunesmith.formats.feature_info import LOG_BASES
    from tunesmith.formats.nbest import DIALECTS

    add_loudness(parser, again=True)
    parser.add_argument("--nbest", required=True, metavar="FILE", help="list; - is standard input")
    parser.add_argument("--name", required=True, help="name of the new feature")
    source = parser.add_mutually_exclusive_group(required=True)
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
        choices=[name for name in DIALECTS if name != "auto"],
        metavar="FORMAT",
        help="format of the new list (default: as the old one)",
    )
    parser.add_argument("--log-base", choices=LOG_BASES, help="the values are logarithms")
    parser.add_argument(
        "--length-normalised", action="store_true", help="the values are divided by the length"
    )
    add_reading_options(parser)


def run(arguments: argparse.Namespace) -> None:
    """Read the list, compute the column, write the list."""
    from tunesmith.base.log import log
    from tunesmith.cli.nbest_options import reading_options
    from tunesmith.formats.added_features import (
        add_feature,
        values_from_command,
        values_from_file,
        values_from_function,
    )
    from tunesmith.formats.feature_info import FeatureInfo
    from tunesmith.formats.nbest import read_nbest
    from tunesmith.formats.nbest_write import write_nbest

    nbest = read_nbest(arguments.nbest, **reading_options(arguments))
    if arguments.from_file is not None:
        values = values_from_file(nbest, arguments.from_file)
    elif arguments.python is not None:
        values = values_from_function(nbest, arguments.python)
    else:
        values = values_from_command(nbest, arguments.command, with_ids=arguments.with_ids)
    info = FeatureInfo(arguments.log_base, arguments.length_normalised)
    dialect = arguments.to or nbest.dialect
    write_nbest(arguments.out, add_feature(nbest, arguments.name, values, info), dialect)
    if dialect == "moses" and "_" in arguments.name:
        log.warning("Moses' format takes '%s' for a sparse feature, for its '_'", arguments.name)
    if dialect != "tunesmith" and info != FeatureInfo():
        log.warning("only --to tunesmith keeps log base and length normalisation")
