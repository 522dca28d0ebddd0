"""Show what is in a model, where it came from, and how large its parts are.

Example
-------
  tunesmith inspect model
  tunesmith inspect model --phrase "das haus"
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("model", metavar="MODEL", help="a model directory")
    parser.add_argument("--phrase", metavar="WORDS", help="show the rules of a source phrase")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> None:
    """Print a description, or the rules of a phrase."""
    import json

    from tunesmith.model import TranslationModel
    from tunesmith.model.describe import describe, describe_phrase, description_text

    model = TranslationModel.load(arguments.model)
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
