"""Options of terms, and what is read for them."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tunesmith.decode import Terms
    from tunesmith.decode.translate import Translator
    from tunesmith.model import TranslationModel


def add_terms(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    group = parser.add_argument_group("terms")
    group.add_argument(
        "--terms", action="append", default=[], metavar="FILE",
        help="translations that are wanted: lines of a source and a target with a tab between "
        "them, !word for what is forbidden; or TBX; may be given again",
    )  # fmt: skip
    group.add_argument(
        "--forbid", action="append", default=[], metavar="WORD",
        help="a word, or several, that no translation may have; may be given again",
    )  # fmt: skip
    group.add_argument(
        "--term-languages", nargs=2, metavar=("SOURCE", "TARGET"),
        help="those of the model in a TBX file (default: what the model knows of its languages)",
    )  # fmt: skip


def read_terms(arguments: argparse.Namespace, model: "TranslationModel") -> "Terms | None":
    """The terms of all options; None if there are none."""
    from tunesmith.decode import Terms

    source, target = arguments.term_languages or model.languages
    terms = Terms(forbid=arguments.forbid)
    for path in arguments.terms:
        terms |= Terms.read(path, source=source, target=target)
    return terms or None


def warn_of_terms(translator: "Translator") -> None:
    """Say what of the terms has no effect."""
    from tunesmith.base.log import log

    if translator.reader.terms is not None:
        for problem in translator.reader.terms.problems:
            log.warning("terms: %s", problem)
