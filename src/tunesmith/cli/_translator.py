"""The translator that `translate` and `explain` open, and the options that both have."""

import argparse
from typing import TYPE_CHECKING, Any

from tunesmith.cli._options import add_parameters, add_threads, given_parameters
from tunesmith.cli._terms import add_terms, read_terms, warn_of_terms

if TYPE_CHECKING:
    from tunesmith.decode.translate import Translator
    from tunesmith.model import TranslationModel


def add_translator(parser: argparse.ArgumentParser) -> None:
    """Declare what is read and how it is searched; ``--weights`` and MODEL are the verb's own."""
    from tunesmith.decode import SearchOptions

    parser.add_argument(
        "--layer", metavar="FOLDER", help="with what corrections taught (`tunesmith adapt`)"
    )
    parser.add_argument(
        "--markup", action="store_true",
        help="read <t is=\"…\">words</t>, <wall/> and <zone>…</zone> as instructions",
    )  # fmt: skip
    parser.add_argument(
        "--pretokenised", action="store_true", help="input and output are the model's own tokens"
    )
    add_terms(parser)
    add_threads(parser)
    add_parameters(parser.add_argument_group("search"), SearchOptions)


def open_translator(
    arguments: argparse.Namespace, model: "TranslationModel", **options: Any
) -> "Translator":
    """The translator of a model with these options, and others of `Translator`."""
    from dataclasses import replace

    from tunesmith.decode import SearchOptions, open_decoder
    from tunesmith.decode.translate import Translator
    from tunesmith.model.search import check_search_options

    given = given_parameters(arguments, SearchOptions)
    check_search_options(model.kind, given, f"{arguments.model} is")
    search = replace(SearchOptions.of_model(model), **given)
    decoder = open_decoder(model, search=search, engine=arguments.engine)
    if arguments.layer:
        from tunesmith.adapt import open_layer

        decoder = open_layer(decoder, arguments.layer)
        model = decoder.model
    translator = Translator(
        decoder,
        weights=model.read_weights(arguments.weights) if arguments.weights else None,
        markup=arguments.markup,
        pretokenised=arguments.pretokenised,
        terms=read_terms(arguments, model),
        **options,
    )
    warn_of_terms(translator)
    return translator
