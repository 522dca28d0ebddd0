"""Write a German–English corpus with gold word alignments from the embedded phrasebook.

The corpus is made by a grammar, so it can have any size; the same seed gives the same sentences,
and the first N pairs of a larger corpus are the smaller one.

Example:
  tunesmith phrasebook 20000 corpus        # corpus.de, corpus.en, corpus.links
  tunesmith phrasebook 5 - | head          # German TAB English TAB links, on standard output
"""

import argparse

from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.cli._options import SEED, output_file, whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("count", type=whole(at_least=0), help="how many distinct sentence pairs")
    parser.add_argument(
        "prefix",
        type=_prefix,
        help="files PREFIX.de, PREFIX.en, PREFIX.links; - for lines with tabs",
    )
    parser.add_argument("--seed", type=SEED, default=DEFAULT_SEED, help="default: %(default)s")
    form = parser.add_mutually_exclusive_group()
    form.add_argument(
        "--raw", action="store_true", help="text as people write it (links are of the tokens)"
    )
    form.add_argument("--lowercase", action="store_true", help="lower-cased tokens")


def _prefix(text: str) -> str:
    if text != "-":
        output_file(f"{text}.de")
    return text


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    from tunesmith.corpus import phrasebook

    phrasebook.write(
        arguments.count,
        arguments.prefix,
        seed=arguments.seed,
        form="raw" if arguments.raw else "lowercase" if arguments.lowercase else "tokens",
    )
