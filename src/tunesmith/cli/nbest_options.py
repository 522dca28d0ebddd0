"""Options that the verbs which read n-best lists have in common."""

import argparse
from typing import Any

from tunesmith.cli._options import add_threads
from tunesmith.formats.nbest import DIALECTS, ON_BAD_LINE


def add_reading_options(
    parser: argparse.ArgumentParser, *, format_option: str = "--format"
) -> None:
    """``--format``, ``--on-bad-line``, ``--dense``, ``--total`` and ``--threads``."""
    parser.add_argument(
        format_option,
        dest="format",
        default="auto",
        choices=DIALECTS,
        help="format of the n-best lists (default: found in the first lines)",
    )
    parser.add_argument(
        "--on-bad-line",
        default="raise",
        choices=ON_BAD_LINE,
        help="refuse a list at its first bad line, or skip bad lines and count them "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--dense",
        default=[],
        type=lambda text: [name for name in text.split(",") if name],
        metavar="NAME,…",
        help="features that are dense even if the first lines do not show it (absent is 0)",
    )
    parser.add_argument(
        "--total",
        default="",
        metavar="NAME",
        help="take the system's own total score as a feature of this name",
    )
    add_threads(parser)


def reading_options(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the options say, as keywords of `read_nbest` and `read_pool`."""
    return {
        "dialect": arguments.format,
        "on_bad_line": arguments.on_bad_line,
        "dense": arguments.dense,
        "total": arguments.total,
        "engine": arguments.engine,
    }
