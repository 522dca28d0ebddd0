"""Options of BLEU that the verbs which score text have in common."""

import argparse


def add_reference_length(parser: argparse.ArgumentParser) -> None:
    """``--reference-length``."""
    from tunesmith.metrics.bleu import REFERENCE_LENGTHS

    parser.add_argument(
        "--reference-length", choices=REFERENCE_LENGTHS, default=REFERENCE_LENGTHS[0],
        help="which of several references' lengths BLEU's brevity penalty takes; sacreBLEU has the "
        "closest only (default: %(default)s)",
    )  # fmt: skip
