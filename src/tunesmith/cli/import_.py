"""Make a model directory of a model of Moses or cdec: tables or grammars, language models, weights.

Example
-------
  tunesmith import moses.ini --out model
  tunesmith import cdec.ini --grammar grammars/*.gz --weights weights.mert --out model
  tunesmith translate model < in.tok > out.tok

Paths in an ini file are relative to its folder. The model takes and gives tokenised text, as Moses
and cdec do.
"""

import argparse

from tunesmith.cli._options import output_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("ini", metavar="INI", help="moses.ini or cdec.ini")
    parser.add_argument(
        "--grammar",
        nargs="+",
        default=[],
        metavar="FILE",
        help="of cdec: rules, in the place of those that the ini file names",
    )
    parser.add_argument("--weights", metavar="FILE", help="of cdec: the same of weights")
    parser.add_argument(
        "--out", type=output_folder, required=True, metavar="MODEL", help="the model directory"
    )


def run(arguments: argparse.Namespace) -> None:
    """Import and say what is there."""
    from tunesmith.base.errors import OptionError
    from tunesmith.model.cdec import import_cdec, is_cdec_ini
    from tunesmith.model.moses import import_moses

    if is_cdec_ini(arguments.ini):
        model = import_cdec(
            arguments.ini, arguments.out, weights=arguments.weights, grammars=arguments.grammar
        )
        rules = len(model.grammar)
    elif arguments.grammar or arguments.weights:
        raise OptionError("--grammar and --weights are for cdec.ini; moses.ini names its own")
    else:
        model = import_moses(arguments.ini, arguments.out)
        rules = sum(len(table) for table in model.tables)
    print(f"{arguments.out}: {rules:,} rules, {len(model.feature_names)} features")
