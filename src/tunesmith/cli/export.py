"""Write a model as text files: one of phrases as Moses', a hierarchical one as cdec's.

Examples
--------
  tunesmith export model --out moses
  ls moses     # lm.arpa.gz  moses.ini  phrase-table.gz  reordering-table.gz  weights.txt
  tunesmith export hiero-model --text test.de --out cdec
  ls cdec      # cdec.ini  grammar.gz  input.txt  lm.arpa.gz  weights.txt
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
    parser.add_argument(
        "--text", metavar="FILE", help="hierarchical models: source text whose rules are written"
    )
    parser.add_argument(
        "--pretokenised", action="store_true", help="with --text: it has the model's own tokens"
    )
    parser.add_argument(
        "--single-grammars",
        action="store_true",
        help="with --text: a grammar for each sentence, named in input.sgm",
    )


def run(arguments: argparse.Namespace) -> None:
    """Write the files; the folder appears when it is complete."""
    from tunesmith.base.errors import InputError, OptionError
    from tunesmith.formats.text import read_lines
    from tunesmith.model import TranslationModel
    from tunesmith.model.cdec_export import export_cdec
    from tunesmith.model.moses import export_moses

    if Path(arguments.out).exists():
        raise InputError(arguments.out, 0, "exists", "a new folder")
    model = TranslationModel.load(arguments.model)
    if model.kind == "phrase":
        if arguments.text or arguments.pretokenised or arguments.single_grammars:
            raise OptionError(
                f"--text, --pretokenised and --single-grammars are for hiero models, and "
                f"{arguments.model} is a phrase model"
            )
        export_moses(model, arguments.out)
        return
    text = None if arguments.text is None else read_lines(arguments.text)
    if text is not None:
        source, _ = model.preprocessors
        if arguments.pretokenised:
            source.check_encoded(text)
        else:
            text = source.encode(text)
    export_cdec(model, arguments.out, text=text, single=arguments.single_grammars)
