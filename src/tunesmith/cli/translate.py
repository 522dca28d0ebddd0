"""Translate text with a model: lines in, lines out, in their order.

The model remembers its own preprocessing, so input and output are running text (or tokenised text,
for a model that was trained on it). Documents keep their markup. An INPUT that does not name a
file is translated as text, unless it looks like a file name. With --out, a killed run resumes when
the same command is given again.

Examples
--------
  tunesmith translate model < in.txt > out.txt
  tunesmith translate model "Das ist gut."
  tunesmith translate model page.html --out page.en.html
  tunesmith translate model *.po --out translated
  tunesmith translate model --terms terms.tsv --forbid cottage < in.txt > out.txt
  tunesmith translate model --nbest 100 --nbest-out out.nbest < in.txt > out.txt
  tunesmith translate model --graph-out out.graphs < in.txt > out.txt
  tunesmith translate model --layer corrections < in.txt > out.txt
  tunesmith translate model --input-type plf < in.plf > out.txt
  echo 'das <t is="new house">neue Haus</t>' | tunesmith translate model --markup --explain
"""

import argparse
import math
import os
from typing import TYPE_CHECKING

from tunesmith.cli._options import (
    add_engine,
    add_input_type,
    number,
    output_file,
    output_place,
    whole,
)
from tunesmith.cli._translator import add_translator, open_translator

if TYPE_CHECKING:
    from tunesmith.cli._input import Input
    from tunesmith.decode.translate import Translator

# Edges per word: what graph tuners look at (Cherry & Foster 2012).
GRAPH_DENSITY = 50.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; those of the search are its keywords."""
    from tunesmith.formats.documents import FORMATS
    from tunesmith.formats.graphs import GRAPH_FORMATS
    from tunesmith.graph.search import MAX_SIZE

    parser.add_argument("model", metavar="MODEL", help="a model directory")
    parser.add_argument(
        "inputs", metavar="INPUT", nargs="*",
        help="files, or a sentence (default: standard input); several files need --out FOLDER",
    )  # fmt: skip
    parser.add_argument("--input", metavar="FILE", help="a file, or - for standard input")
    parser.add_argument(
        "--out", type=output_place, metavar="PATH",
        help="a file, or a folder in which each file keeps its name; default: standard output",
    )  # fmt: skip
    parser.add_argument(
        "--format", choices=FORMATS,
        help="of a document, whose text alone is translated; by default what the name of the "
        "input says, text where it says nothing; text also forces plain text",
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
    from tunesmith.cli._input import given_inputs
    from tunesmith.cli._lines import check_journal_name
    from tunesmith.formats.documents import format_of

    if (arguments.nbest is None) != (arguments.nbest_out is None):
        raise OptionError("--nbest K and --nbest-out FILE go together")
    sources = given_inputs(arguments)
    into_folder = arguments.out is not None and os.path.isdir(arguments.out)
    formats = [
        arguments.format or ("text" if source.text is not None else format_of(source.path))
        for source in sources
    ]
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
    for format in formats:
        if given and (format != "text" or arguments.split):
            what = "--split" if format == "text" else f"--format {format}"
            raise OptionError(f"{given[0]} is for lines of text, and cannot be had with {what}")
    if len(sources) > 1 or into_folder:
        if given:
            raise OptionError(f"{given[0]} is for one input, and cannot be had with a folder")
        _translate_files(dict(zip(sources, formats, strict=True)), arguments)
        return
    check_journal_name(sources, arguments)
    translator = _translator(arguments, formats[0])
    _translate(translator, sources[0], arguments.out, formats[0], arguments)
    for line in translator.report():
        log.info(line)


def _translate(
    translator: "Translator",
    source: "Input",
    out: str | None,
    format: str,
    arguments: argparse.Namespace,
) -> str:
    """Translate an input; returns what was translated of it."""
    from tunesmith.cli._documents import translate_document, translate_paragraphs
    from tunesmith.cli._lines import translate_lines

    if format != "text":
        count = translate_document(translator, source, out, format)
        return f"{count:,} segment{'s' * (count != 1)} of {format}"
    if arguments.split:
        translate_paragraphs(translator, source, out)
    else:
        translate_lines(translator, source, out, arguments)
    return "lines of text"


def _translate_files(formats: "dict[Input, str]", arguments: argparse.Namespace) -> None:
    """Translate files into a folder, and say at the end what became of each."""
    from tunesmith.base.errors import OptionError, TunesmithError
    from tunesmith.base.journal import journal
    from tunesmith.base.log import log
    from tunesmith.cli._input import targets_in
    from tunesmith.decode.journalled import journal_settings

    targets = targets_in(arguments.out, list(formats))
    jobs = {  # by name and time, which a run that resumes compares
        f"{source.path} {os.stat(source.path).st_mtime_ns}": (source, format, target)
        for (source, format), target in zip(formats.items(), targets, strict=True)
    }
    translators = {  # of each kind of reading
        (format == "markdown", format != "text"): format for format in formats.values()
    }
    opened = {kind: _translator(arguments, format) for kind, format in translators.items()}
    settings = journal_settings(next(iter(opened.values())))
    with journal(arguments.out, {**settings, "split": arguments.split}) as kept:
        for block in kept.missing(jobs, 1):
            source, format, target = jobs[block[0]]
            translator = opened[format == "markdown", format != "text"]
            try:
                done = _translate(translator, source, target, format, arguments)
                kept.add(block, [["", f"{source.path} -> {target}: {done}"]])
            except TunesmithError as error:
                kept.add(block, [[str(error), ""]])
        results = list(kept.results())
    for _, done in results:
        if done:
            log.info(done)
    failed = [message for message, _ in results if message]
    for message in failed:
        log.error(message)
    if failed:
        raise OptionError(f"{len(failed):,} of {len(results):,} files are not translated")


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
