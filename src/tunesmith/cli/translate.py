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
import sys
from contextlib import AbstractContextManager
from typing import IO, TYPE_CHECKING

from tunesmith.cli._options import (
    add_engine,
    add_input_type,
    number,
    output_file,
    whole,
)
from tunesmith.cli._translator import add_translator, open_translator
from tunesmith.engine import EngineLike

if TYPE_CHECKING:
    from tunesmith.base.graph_pool import GraphPool
    from tunesmith.base.weights import Weights
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
    from tunesmith.cli._documents import translate_document, translate_text
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
    translator = _translator(arguments, format)
    if format != "text":
        translate_document(translator, arguments, format)
    elif arguments.split or (arguments.out and not set(given) - {"--pretokenised", "--markup"}):
        translate_text(translator, arguments)
    else:
        _translate_lines(translator, arguments)
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


def _translate_lines(translator: "Translator", arguments: argparse.Namespace) -> None:
    """Lines with lists, graphs and explanations, whatever is asked for."""
    from tunesmith.base.atomic import atomic_text
    from tunesmith.formats.explanations import explanation_json, explanation_text
    from tunesmith.formats.text import iter_line_blocks

    graphs = []
    path = arguments.input or "-"
    with (
        atomic_text(arguments.out) as out,
        _optional(arguments.nbest_out) as nbest,
        _optional(arguments.explain_out) as explained,
    ):
        for block in translator.stream_blocks(iter_line_blocks(path), path):
            out.writelines(f"{line}\n" for line in block.texts)
            out.flush()
            if nbest is not None:
                nbest.writelines(f"{line}\n" for line in block.nbest_lines())
            if block.output.graphs is not None:
                graphs.append(block.output.graphs)
            if arguments.explain or explained is not None:
                for explanation in map(block.explanation, range(len(block.texts))):
                    if arguments.explain:
                        print(explanation_text(explanation), file=sys.stderr)
                    if explained is not None:
                        explained.write(f"{explanation_json(explanation)}\n")
    if arguments.graph_out:
        _write_graphs(arguments, graphs, translator.weights, translator.decoder.engine)


def _write_graphs(
    arguments: argparse.Namespace, graphs: "list[GraphPool]", weights: "Weights", engine: EngineLike
) -> None:
    from tunesmith.base.graph_pool import GraphPool
    from tunesmith.formats.graphs import write_graphs
    from tunesmith.graph import joined

    pool = joined(graphs) if graphs else GraphPool.build([])
    write_graphs(arguments.graph_out, pool, arguments.graph_format, weights=weights, engine=engine)


def _optional(path: str | None) -> AbstractContextManager[IO[str] | None]:
    from contextlib import nullcontext

    from tunesmith.base.atomic import atomic_text

    return nullcontext() if path is None else atomic_text(path)
