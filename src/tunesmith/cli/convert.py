"""Turn an n-best list, or weights, into another format.

    tunesmith convert run1.nbest.xz run1.jsonl.gz
    tunesmith convert generate.log list.tsv --to tsv
    tunesmith convert --weights moses.ini weights.tsv

The format that is read is found in the first lines; --from names it. N-best lists become our own
JSON lines unless --to says otherwise, weights our TSV. Names that end in .gz or .xz are packed.
What a format cannot hold is refused; docs/formats.md has a table.
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the verb."""
    from tunesmith.cli._options import output_file
    from tunesmith.cli.nbest_options import add_reading_options
    from tunesmith.formats.nbest import WRITTEN
    from tunesmith.formats.weights import FORMATS

    written = sorted({*WRITTEN, *FORMATS})
    parser.add_argument("input", metavar="IN", help="file to read; - is standard input")
    parser.add_argument(
        "output", type=output_file, metavar="OUT", help="file to write; - is standard output"
    )
    parser.add_argument("--weights", action="store_true", help="the files are weights")
    add_reading_options(parser, format_option="--from")
    parser.add_argument(
        "--to",
        choices=written,
        metavar="FORMAT",
        help=f"format to write: {', '.join(written)} (default: tunesmith; for weights tsv)",
    )


def run(arguments: argparse.Namespace) -> None:
    """Read and write."""
    from tunesmith.cli.nbest_options import reading_options
    from tunesmith.formats.weights import read_weights, write_weights

    if arguments.weights:
        weights = read_weights(arguments.input, arguments.format)
        write_weights(arguments.output, weights, arguments.to or "tsv")
        return
    from tunesmith.formats.nbest import read_nbest
    from tunesmith.formats.nbest_write import write_nbest

    nbest = read_nbest(arguments.input, **reading_options(arguments))
    write_nbest(arguments.output, nbest, arguments.to or "tunesmith")
