"""Make a model directory of a Moses model: text tables, ARPA language models, weights.

Example
-------
  tunesmith import moses.ini --out model
  tunesmith translate model < in.tok > out.tok

Paths in moses.ini are relative to its folder. The model takes and gives tokenised text, as Moses
does.
"""

import argparse

from tunesmith.cli._options import output_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("ini", metavar="moses.ini")
    parser.add_argument(
        "--out", type=output_folder, required=True, metavar="MODEL", help="the model directory"
    )


def run(arguments: argparse.Namespace) -> None:
    """Import and say what is there."""
    from tunesmith.model.moses import import_moses

    model = import_moses(arguments.ini, arguments.out)
    rules = sum(len(table) for table in model.tables)
    print(f"{arguments.out}: {rules:,} rules, {len(model.feature_names)} features")
