"""Why a translation came out as it did: its rules, what each feature adds, and the alternatives.

Prints what `translate --explain` does, then other translations of the sentence, and why the first
is before the second.

Examples
--------
  tunesmith explain model "Der kleine Hund schläft."
  tunesmith explain model "Der kleine Hund schläft." --nbest 10 --against 3
  tunesmith explain model --svg why.svg --nbest 1 < sentence.txt
  tunesmith explain model --json < in.txt | jq .score
"""

import argparse
from typing import TYPE_CHECKING

from tunesmith.cli._options import output_file, whole
from tunesmith.cli._translator import add_translator, open_translator

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tunesmith.base.explanation import Explanation
    from tunesmith.decode.translate import Translator

# A list of more is read by nobody.
MOST = 1000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("model", metavar="MODEL", help="a model directory")
    parser.add_argument(
        "text", metavar="TEXT", nargs="?",
        help="a sentence, or several lines of them (default: standard input)",
    )  # fmt: skip
    parser.add_argument("--weights", metavar="FILE", help="other weights than the model's")
    parser.add_argument(
        "--nbest", type=whole(1, MOST), default=3, metavar="N",
        help="translations to look at, the first with all details (default: 3)",
    )  # fmt: skip
    parser.add_argument(
        "--against", type=whole(2, MOST), default=2, metavar="K",
        help="the translation that the first is compared with (default: 2)",
    )  # fmt: skip
    parser.add_argument(
        "--json", action="store_true", help="a JSON object for each sentence, on one line"
    )
    parser.add_argument(
        "--svg", type=output_file, metavar="FILE",
        help="a picture too: phrases with links, or the tree of rules, and what features add",
    )  # fmt: skip
    add_translator(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print an explanation of every sentence, and draw all of them."""
    from tunesmith.base.atomic import atomic_text
    from tunesmith.base.errors import OptionError
    from tunesmith.base.log import log
    from tunesmith.formats.explanations import (
        alternatives_text,
        explanation_json,
        explanation_text,
    )
    from tunesmith.formats.pictures import derivation_svg
    from tunesmith.model import TranslationModel

    if arguments.nbest > 1 and arguments.against > arguments.nbest:
        raise OptionError(
            f"--against {arguments.against} of {arguments.nbest} translations, expected "
            f"--nbest {arguments.against} too"
        )
    drawn: list[tuple[Explanation, Explanation | None]] = []
    model = TranslationModel.load(arguments.model)
    translator = open_translator(arguments, model, size=arguments.nbest)
    for first, *others in _explained(translator, arguments):
        if arguments.json:
            print(explanation_json(first, others if arguments.nbest > 1 else None), flush=True)
        else:
            print(explanation_text(first))
            if arguments.nbest > 1:
                print(alternatives_text([first, *others], arguments.against - 1))
        if arguments.svg:
            beside = min(arguments.against - 1, len(others))
            drawn.append((first, others[beside - 1] if others else None))
    if arguments.svg:
        with atomic_text(arguments.svg) as out:
            out.write(derivation_svg(drawn))

    for line in translator.report():
        log.info(line)


def _explained(
    translator: "Translator", arguments: argparse.Namespace
) -> "Iterable[list[Explanation]]":
    """The translations of every sentence, best first."""
    from tunesmith.formats.text import iter_line_blocks

    if arguments.text is None:
        path, blocks = "-", iter_line_blocks("-")
    else:
        path, blocks = "TEXT", iter([arguments.text.removesuffix("\n").split("\n")])
    for block in translator.stream_blocks(blocks, path):
        for number in range(len(block.sources)):
            if arguments.pretokenised:
                texts = [one.text for one in block.output.derivations(number)]
            else:
                texts = block.running_texts(number)
            yield [block.explanation(number, rank, text) for rank, text in enumerate(texts)]
