"""Learn word alignments from parallel text, or align text with a saved model.

Input is tokenised text with one sentence per line, plain or packed: two files, or one (TSV, `|||`,
a bitext of `tunesmith corpus prepare`). Output is one line of links per sentence pair, `0-0 1-2`,
source-target, from 0; the line of an empty or overlong pair is empty.

  tunesmith align --src train.de --tgt train.en --out train.links --model-out de-en.align
  tunesmith align --model de-en.align --src new.de --tgt new.en > new.links
  echo 'das haus ||| the house' | tunesmith align --model de-en.align --probabilities
  tunesmith align --model de-en.align --out new.links < pairs

IBM model 1, then the HMM of Vogel et al. (1996), trained by agreement (Liang et al., 2006).
"""

import argparse
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tunesmith.cli._bitext import read_bitext
from tunesmith.cli._options import (
    add_engine,
    add_parameters,
    given_parameters,
    option_name,
    output_file,
)

if TYPE_CHECKING:
    from tunesmith.align import Aligner
    from tunesmith.formats.pharaoh import Links

# Which options a saved model brings along and which may differ when it is used.
_AT_USE = ("symmetrisation", "threshold", "max_length", "engine")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; those of the aligner are its keywords."""
    from tunesmith.align.aligner import Aligner

    parser.add_argument("--src", metavar="FILE", help="source sentences, or a file with both sides")
    parser.add_argument("--tgt", metavar="FILE", help="target sentences")
    parser.add_argument(
        "--out", type=output_file, metavar="FILE", help="links; default: standard output"
    )
    parser.add_argument(
        "--model",
        metavar="FILE",
        help="align with this model; without --src read 'source ||| target' from standard input",
    )
    parser.add_argument(
        "--model-out", type=output_file, metavar="FILE", help="write the trained model"
    )
    parser.add_argument(
        "--probabilities", action="store_true", help="write links as 0-1:0.97, with probabilities"
    )
    parser.add_argument(
        "--line-buffered", action="store_true", help="answer every line of standard input at once"
    )
    group = parser.add_argument_group("how to align")
    add_parameters(group, Aligner)
    add_engine(group)


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    from tunesmith.align.aligner import Aligner
    from tunesmith.align.coverage import report_unused
    from tunesmith.base.errors import OptionError

    _check_outputs(arguments)
    options = given_parameters(arguments, Aligner)
    if arguments.model is None:
        _train(Aligner(**options), arguments)
        return
    for name in options:
        if name not in _AT_USE:
            raise OptionError(
                f"{option_name(name)} is for training, but --model gives a trained model"
            )
    if arguments.model_out is not None:
        raise OptionError("--model-out is for training, but --model gives a trained model")
    aligner = Aligner.load(arguments.model)
    for name, value in options.items():
        setattr(aligner, name, value)
    if arguments.src is None:
        _align_stream(aligner, arguments)
    else:
        bitext = read_bitext(arguments.src, arguments.tgt, aligner.engine)
        report_unused(bitext, aligner.max_length)
        _write(arguments.out, aligner.align(bitext), arguments.probabilities)


def _check_outputs(arguments: argparse.Namespace) -> None:
    """Refuse to write over what is read: links in the place of a text would be its end."""
    from tunesmith.base.errors import OptionError

    read = [arguments.src, arguments.tgt, arguments.model]
    places = {os.path.realpath(path) for path in read if path not in (None, "-")}
    for option in ("out", "model_out"):
        path = getattr(arguments, option)
        if path not in (None, "-") and os.path.isfile(path) and os.path.realpath(path) in places:
            raise OptionError(
                f"{option_name(option)} is '{path}', which is read; expected a new name"
            )


def _train(aligner: "Aligner", arguments: argparse.Namespace) -> None:
    from tunesmith.base.errors import OptionError

    if arguments.src is None:
        raise OptionError("no --src and no --model, expected text to learn from or a model")
    aligner.fit(bitext := read_bitext(arguments.src, arguments.tgt, aligner.engine))
    if arguments.model_out is not None:
        aligner.save(arguments.model_out)
    if arguments.model_out is None or arguments.out is not None:
        _write(arguments.out, aligner.align(bitext), arguments.probabilities)


def _shown(links: "Links", probabilities: bool) -> "Links":
    import dataclasses

    import numpy as np

    return (
        links if probabilities else dataclasses.replace(links, probability=np.empty(0, np.float32))
    )


def _write(path: str | None, links: "Links", probabilities: bool) -> None:
    from tunesmith.formats.pharaoh import write_links

    links = _shown(links, probabilities)
    if path is None or path == "-":
        sys.stdout.buffer.write(links.encoded())
        sys.stdout.buffer.flush()
    else:
        write_links(path, links)


def _align_stream(aligner: "Aligner", arguments: argparse.Namespace) -> None:
    from tunesmith.align.aligner import STREAM_BLOCK
    from tunesmith.base.atomic import atomic_text
    from tunesmith.base.errors import OptionError

    if arguments.tgt is not None:
        raise OptionError("--tgt without --src")
    size = 1 if arguments.line_buffered else STREAM_BLOCK
    with atomic_text(arguments.out) as out:
        for links in aligner.align_blocks(_pairs_of_stdin(size), block=size):
            out.write(_shown(links, arguments.probabilities).text())
            out.flush()


def _pairs_of_stdin(size: int) -> Iterator[tuple[str, str]]:
    from itertools import islice

    from tunesmith.base.errors import InputError
    from tunesmith.formats.text import decode_lines

    done = 0
    # Iterating over standard input gives a line as soon as it is there.
    while block := list(islice(sys.stdin.buffer, size)):
        for number, line in enumerate(decode_lines(b"".join(block), "stdin", done), done + 1):
            columns = line.split("|||") if "|||" in line else line.split("\t")
            if line == "":
                columns = ["", ""]
            if len(columns) != 2:
                raise InputError(
                    "stdin",
                    number,
                    f"{len(columns)} column" + "s" * (len(columns) != 1),
                    "'source ||| target'",
                    "use a tab for text with '|||' in it",
                )
            yield columns[0], columns[1]
        done += len(block)
