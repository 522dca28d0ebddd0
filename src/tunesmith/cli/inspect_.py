"""Show what is in a model, where it came from, and how large its parts are.

Example
-------
  tunesmith inspect model
  tunesmith inspect model --phrase "das haus"
  tunesmith inspect model --lexical 20 --text train.de
"""

import argparse
from typing import TYPE_CHECKING

from tunesmith.cli._options import add_threads, whole

if TYPE_CHECKING:
    from tunesmith.model import TranslationModel


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("model", metavar="MODEL", help="a model directory")
    parser.add_argument("--phrase", metavar="WORDS", help="show the rules of a source phrase")
    parser.add_argument(
        "--lexical", type=whole(at_least=1), metavar="N",
        help="show the lexical features (train --learner maxforce) of the N largest weights",
    )  # fmt: skip
    parser.add_argument(
        "--text", metavar="FILE",
        help="with --lexical: source sentences in which features of the words around a phrase "
        "are looked for, best those that were learned from",
    )  # fmt: skip
    parser.add_argument(
        "--pretokenised", action="store_true", help="with --text: it has the model's own tokens"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print a description, the rules of a phrase, or lexical features."""
    import json

    from tunesmith.base.errors import OptionError
    from tunesmith.model import TranslationModel
    from tunesmith.model.describe import describe, describe_phrase, description_text

    if arguments.lexical is None and (arguments.text or arguments.pretokenised):
        raise OptionError("--text and --pretokenised go with --lexical N")
    model = TranslationModel.load(arguments.model)
    if arguments.lexical is not None:
        _lexical(arguments, model)
        return
    if arguments.phrase is not None:
        rows = describe_phrase(model, arguments.phrase)
        if arguments.json:
            print(json.dumps(rows, ensure_ascii=False, indent=1))
        else:
            for row in rows:
                print(f"{row['p_e_given_f']:8.4f}  {row['count']:>7.0f}  {row['target']}")
            if not rows:
                print("no rules")
        return
    description = describe(model)
    if arguments.json:
        print(json.dumps(description, ensure_ascii=False, indent=1))
    else:
        print(description_text(description))


def _lexical(arguments: argparse.Namespace, model: "TranslationModel") -> None:
    import json
    from dataclasses import asdict

    from tunesmith.decode import open_decoder
    from tunesmith.decode.lexical_names import class_words, heaviest_features
    from tunesmith.formats.text import read_lines

    text = read_lines(arguments.text) if arguments.text else []
    if not arguments.pretokenised:
        text = model.preprocessors[0].encode(text)
    decoder = open_decoder(model, engine=arguments.engine)
    features = heaviest_features(decoder, arguments.lexical, text)
    if arguments.json:
        print(json.dumps([asdict(feature) for feature in features], ensure_ascii=False, indent=1))
        return
    for feature in features:
        print(f"{feature.weight:10.6f}  {feature.label}")
    names = [name for feature in features for name in feature.names]
    for (side, level, value), words in class_words(decoder, names).items():
        print(f"{side} {level} {value}: {', '.join(words)}")
    unnamed = sum(not feature.names for feature in features)
    if unnamed and not arguments.text:
        print(f"{unnamed} of these see the words around a phrase: --text FILE names them")
