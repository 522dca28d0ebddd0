"""``--add`` and ``--src``: features that are computed from the lists' own texts."""

import argparse
from typing import TYPE_CHECKING

from tunesmith.base.errors import OptionError

if TYPE_CHECKING:
    from tunesmith.formats.nbest import NbestList
    from tunesmith.rescore import ListFeature


def add_feature_options(parser: argparse._ActionsContainer) -> None:
    """Declare the options."""
    from tunesmith.rescore.registry import FEATURES

    parser.add_argument(
        "--add", action="append", default=[], metavar="KIND[:OPTION=VALUE,…]",
        help=f"a feature to compute, as often as wanted: {', '.join(FEATURES)}",
    )  # fmt: skip
    parser.add_argument(
        "--src", metavar="FILE", help="source sentences of the lists, for features that read them"
    )


def asked_features(arguments: argparse.Namespace) -> "list[ListFeature]":
    """The features that --add asks for."""
    from tunesmith.rescore import parse_feature

    return [parse_feature(text) for text in arguments.add]


def with_features(
    nbest: "NbestList", features: "list[ListFeature]", arguments: argparse.Namespace, lists: str
) -> "NbestList":
    """The lists (read from `lists`) with the features; --src is read if it was given."""
    from tunesmith.rescore import add_features
    from tunesmith.rescore.adding import read_sources

    if not features:
        if arguments.src is not None:
            raise OptionError("--src is for features that read the source: give --add too")
        return nbest
    sources = None if arguments.src is None else read_sources(arguments.src, nbest, lists)
    return add_features(nbest, features, sources, engine=arguments.engine)
