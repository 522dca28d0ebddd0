"""Work on a model directory.

For example:
  tunesmith model set-language model --source de --target en
"""

import argparse
from collections.abc import Callable

from tunesmith.cli._options import add_loudness


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the verbs below `model`, with their options."""
    verbs = parser.add_subparsers(dest="model_verb", metavar="VERB", required=True)

    def add(
        name: str, run: Callable[[argparse.Namespace], None], summary: str
    ) -> argparse.ArgumentParser:
        sub = verbs.add_parser(name, help=summary, description=summary)
        sub.set_defaults(run_model=run)
        add_loudness(sub, again=True)
        sub.add_argument("model", metavar="MODEL", help="the model directory")
        return sub

    language = add(
        "set-language", _set_language,
        "correct the languages that a model states, in place; how it prepares text stays as it was "
        "trained",
    )  # fmt: skip
    for side in ("source", "target"):
        language.add_argument(
            f"--{side}", metavar="LANGUAGE",
            help=f"code or name of the {side} language, und for an undetermined one "
            "(default: unchanged)",
        )  # fmt: skip


def run(arguments: argparse.Namespace) -> None:
    """Run one of the verbs."""
    arguments.run_model(arguments)


def _set_language(arguments: argparse.Namespace) -> None:
    from tunesmith.base.errors import OptionError
    from tunesmith.base.languages import UNDETERMINED, language_code, language_name
    from tunesmith.base.log import log
    from tunesmith.model import TranslationModel
    from tunesmith.model.description import write_languages

    given = [arguments.source, arguments.target]
    if given == [None, None]:
        raise OptionError("no language, expected --source, --target or both")
    model = TranslationModel.load(arguments.model)
    # What a model states is looked up only where it stays.
    source, target = (
        (model.languages[side] or UNDETERMINED) if one is None else language_code(one)
        for side, one in enumerate(given)
    )
    if source == target != UNDETERMINED and None in given:
        raise OptionError(
            f"source and target would both be {language_name(source)}, expected two languages; "
            "for a model of post-editing or paraphrases give both --source and --target"
        )
    write_languages(arguments.model, source, target)
    log.info("%s: %s → %s", arguments.model, language_name(source), language_name(target))
