"""Translate text with a model: lines in, lines out, in their order.

The model remembers its own preprocessing, so input and output are running text (or tokenised text,
for a model that was trained on it). Documents keep their markup. Killed with --out, the same
command goes on where it was.

Examples
--------
  tunesmith translate model < in.txt > out.txt
  tunesmith translate model --input page.html --out page.en.html
  tunesmith translate model --terms terms.tsv --forbid cottage < in.txt > out.txt
  tunesmith translate model --nbest 100 --nbest-out out.nbest < in.txt > out.txt
  tunesmith translate model --graph-out out.graphs < in.txt > out.txt
  tunesmith translate model --layer corrections < in.txt > out.txt
  tunesmith translate model --input-type plf < in.plf > out.txt
  echo 'das <t is="new house">neue Haus</t>' | tunesmith translate model --markup --explain
"""

import argparse
import math
from typing import TYPE_CHECKING

from tunesmith.cli._options import (
    add_engine,
    add_input_type,
    number,
    output_file,
    whole,
)
from tunesmith.cli._translator import add_translator, open_translator

if TYPE_CHECKING:
    from tunesmith.decode.translate import Translator

# Edges per word: what graph tuners look at (Cherry & Foster 2012).
GRAPH_DENSITY = 50.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; those of the search are its keywords."""
    from tunesmith.formats.documents import FORMATS
    from tunesmith.formats.graphs import GRAPH_FORMATS
    from tunesmith.graph.search import MAX_SIZE

    parser.add_argument("model", metavar="MODEL", help="a model directory")
    parser.add_argument("--input", metavar="FILE", help="default: standard input")
    parser.add_argument("--out", type=output_file, metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--format", choices=FORMATS,
        help="of a document, whose text alone is translated; by default what the name of the "
        "input says, text where it says nothing",
    )  # fmt: skip
    parser.add_argument(
        "--split", action="store_true",
        help="cut lines of text into sentences, and join them again; documents always are",
    )  # fmt: skip
    add_input_type(parser)
    parser.add_argument("--weights", metavar="FILE", help="other weights than the model's")
    parser.add_argument(
        "--nbest", type=whole(1, MAX_SIZE), metavar="K",
        help=f"translations to list, at most {MAX_SIZE:,}",
    )  # fmt: skip
    parser.add_argument(
        "--nbest-out", type=output_file, metavar="FILE",
        help="where to list them, in Moses' format, tokenised",
    )  # fmt: skip
    parser.add_argument(
        "--nbest-duplicates", action="store_true", help="list derivations, not distinct words"
    )
    parser.add_argument(
        "--graph-out", type=output_file, metavar="FILE", help="keep the search graphs here"
    )
    parser.add_argument(
        "--graph-density", type=number(at_least=0), default=GRAPH_DENSITY, metavar="X",
        help=f"edges per word that graphs keep; 0 keeps all (default: {GRAPH_DENSITY:g})",
    )  # fmt: skip
    parser.add_argument(
        "--graph-format", choices=GRAPH_FORMATS, default="tunesmith", help="default: tunesmith"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say on standard error how each came about",
    )
    parser.add_argument(
        "--explain-out", type=output_file, metavar="FILE",
        help="write the same to a file, a JSON object per line",
    )  # fmt: skip
    add_translator(parser)
    add_engine(parser)


def run(arguments: argparse.Namespace) -> None:
    """Translate block by block, so that output begins before input ends."""
    from tunesmith.base.errors import OptionError
    from tunesmith.base.log import log
    from tunesmith.cli._documents import translate_document, translate_paragraphs
    from tunesmith.cli._lines import check_journal_name, translate_lines
    from tunesmith.formats.documents import format_of

    if (arguments.nbest is None) != (arguments.nbest_out is None):
        raise OptionError("--nbest K and --nbest-out FILE go together")
    format = arguments.format or format_of(arguments.input)
    asked = {
        "--nbest-out": arguments.nbest_out,
        "--graph-out": arguments.graph_out,
        "--explain": arguments.explain,
        "--explain-out": arguments.explain_out,
        "--markup": arguments.markup,
        "--pretokenised": arguments.pretokenised,
        "--input-type plf": arguments.input_type != "text",
    }
    given = [name for name, value in asked.items() if value]
    whole = format != "text" or arguments.split
    if whole and given:
        what = "--split" if format == "text" else f"--format {format}"
        raise OptionError(f"{given[0]} is for lines of text, and cannot be had with {what}")
    check_journal_name(arguments)
    translator = _translator(arguments, format)
    if format != "text":
        translate_document(translator, arguments, format)
    elif arguments.split:
        translate_paragraphs(translator, arguments)
    else:
        translate_lines(translator, arguments)
    for line in translator.report():
        log.info(line)


def _translator(arguments: argparse.Namespace, format: str) -> "Translator":
    """The translator of the model with the options that are given."""
    from tunesmith.base.errors import OptionError
    from tunesmith.formats.graphs import LATTICE_FORMATS
    from tunesmith.model import TranslationModel

    model = TranslationModel.load(arguments.model)
    if model.kind == "hiero" and arguments.graph_format in LATTICE_FORMATS:
        raise OptionError(
            f"--graph-format {arguments.graph_format} holds lattices only, and {arguments.model} "
            "is a hiero model; expected tunesmith or cdec"
        )
    return open_translator(
        arguments,
        model,
        input_type=arguments.input_type,
        markdown=format == "markdown",
        protect=format != "text",
        size=1 if arguments.nbest is None else arguments.nbest,
        distinct=not arguments.nbest_duplicates,
        graph_density=(arguments.graph_density or math.inf) if arguments.graph_out else None,
    )
