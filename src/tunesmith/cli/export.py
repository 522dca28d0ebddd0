"""Write a model as Moses' text files: tables, language models, moses.ini, weights.

Example
-------
  tunesmith export model --out moses
  ls moses     # lm.arpa.gz  moses.ini  phrase-table.gz  reordering-table.gz  weights.txt
"""

import argparse
from pathlib import Path

from tunesmith.cli._options import output_folder


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("model", metavar="MODEL", help="a model directory")
    parser.add_argument(
        "--out", type=output_folder, required=True, metavar="FOLDER", help="a new folder"
    )


def run(arguments: argparse.Namespace) -> None:
    """Write the files; the folder appears when it is complete."""
    from tunesmith.base.errors import InputError
    from tunesmith.model import TranslationModel
    from tunesmith.model.moses import export_moses

    if Path(arguments.out).exists():
        raise InputError(arguments.out, 0, "exists", "a new folder")
    export_moses(TranslationModel.load(arguments.model), arguments.out)
