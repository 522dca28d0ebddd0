"""Options that the verbs which read n-best lists have in common."""

import argparse
from typing import TYPE_CHECKING, Any

from tunesmith.cli._options import add_threads
from tunesmith.formats.nbest import DIALECTS, ON_BAD_LINE, TableOptions
from tunesmith.formats.table import QUOTES

if TYPE_CHECKING:
    from tunesmith.metrics.base import Metric


def add_reading_options(
    parser: argparse.ArgumentParser, *, format_option: str = "--format", with_threads: bool = True
) -> None:
    """``--format``, ``--on-bad-line``, ``--dense``, ``--total``, ``--threads``, and of tables."""
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
        default=(),
        type=names,
        metavar="NAME,…",
        help="features that are dense even if the first lines do not show it (absent is 0)",
    )
    parser.add_argument(
        "--total",
        default="",
        metavar="NAME",
        help="take the system's own total score as a feature of this name",
    )
    parser.add_argument(
        "--columns", default=(), type=names, metavar="NAME,…",
        help="the features to take (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--drop", default=(), type=names, metavar="NAME,…", help="features to leave out"
    )
    tables = parser.add_argument_group("lists in tables (CSV, TSV, Parquet, JSON lines of APIs)")
    for name, what, default in (
        ("id", "sentences' ids: numbers from 0 or 1, or names", "id"),
        ("text", "hypotheses", "text"),
        ("source", "source sentences", ""),
        ("ref", "references, instead of --refs", ""),
    ):
        shown = " (default: %(default)s)" if default else ""
        tables.add_argument(
            f"--{name}-column", default=default, metavar="NAME", help=f"column of {what}{shown}"
        )
    tables.add_argument(
        "--quotes", choices=QUOTES, default=QUOTES[0],
        help="are cells in quotes read without them? (default: in CSV, and in TSV if all look so)",
    )  # fmt: skip
    if with_threads:
        add_threads(parser)


def names(text: str) -> tuple[str, ...]:
    """The type of an option of several names."""
    return tuple(name for name in text.split(",") if name)


def reading_options(
    arguments: argparse.Namespace, metric: "Metric | None" = None
) -> dict[str, Any]:
    """What the options say, as keywords of `read_nbest` and `read_pool`.

    Columns that the metric reads are taken whatever the features are to be.
    """
    read = metric.columns if metric is not None and arguments.columns else ()
    return {
        "dialect": arguments.format,
        "on_bad_line": arguments.on_bad_line,
        "dense": arguments.dense,
        "total": arguments.total,
        "table": TableOptions(
            id_column=arguments.id_column,
            text_column=arguments.text_column,
            source_column=arguments.source_column,
            reference_column=arguments.ref_column,
            columns=(*arguments.columns, *read),
            drop=arguments.drop,
            quotes=arguments.quotes,
        ),
        **({"engine": arguments.engine} if hasattr(arguments, "engine") else {}),
    }
