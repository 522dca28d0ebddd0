"""Models of where phrases go: train one on aligned text, and see what it knows.

The orientation of a phrase pair towards its neighbours (monotone, swapped, discontinuous) is found
by multinomial logistic regression, from the word pairs inside it and the source words beside it.
Text is tokenised, one sentence per line; links are as `tunesmith align` writes them. `tunesmith
train --reordering-model maxent` does the same inside a translator.

Examples
--------
  tunesmith align --src train.de --tgt train.en --out train.links
  tunesmith reorder train --src train.de --tgt train.en --links train.links --out de-en.maxent
  tunesmith reorder eval de-en.maxent --src held.de --tgt held.en --links held.links

Alrajeh and Niranjan (2014), Large-scale Reordering Model for Statistical Machine Translation using
Dual Multinomial Logistic Regression.
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    from tunesmith.cli._options import (
        add_loudness,
        add_parameters,
        add_threads,
        output_file,
        output_folder,
    )
    from tunesmith.reorder import MaxentReordering

    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    train = actions.add_parser("train", help="a model from aligned text")
    _add_text(train)
    train.add_argument(
        "--out", type=output_file, required=True, metavar="FILE", help="the trained model"
    )
    train.add_argument(
        "--examples", metavar="FILE", help="examples of the text: used if there, else kept there"
    )
    train.add_argument(
        "--checkpoints", type=output_folder, metavar="FOLDER",
        help="the state of training, so that a killed run goes on",
    )  # fmt: skip
    add_parameters(train, MaxentReordering)
    evaluate = actions.add_parser("eval", help="what a model makes of another text")
    evaluate.add_argument("model", metavar="MODEL", help="a model of `tunesmith reorder train`")
    _add_text(evaluate)
    add_threads(evaluate)
    for action in (train, evaluate):
        add_loudness(action, again=True)


def _add_text(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--src", required=True, metavar="FILE", help="source sentences, or a file with both sides"
    )
    parser.add_argument("--tgt", metavar="FILE", help="target sentences")
    parser.add_argument("--links", required=True, metavar="FILE", help="their word links")


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    (_train if arguments.action == "train" else _evaluate)(arguments)


def _train(arguments: argparse.Namespace) -> None:
    from pathlib import Path

    from tunesmith.base.parameters import check_parameters
    from tunesmith.cli._bitext import read_bitext
    from tunesmith.cli._options import given_parameters
    from tunesmith.formats.pharaoh import read_links
    from tunesmith.reorder import MaxentReordering

    options = MaxentReordering(**given_parameters(arguments, MaxentReordering))
    check_parameters(options)
    if arguments.checkpoints is not None:
        Path(arguments.checkpoints).mkdir(parents=True, exist_ok=True)
    model = options.run(
        read_bitext(arguments.src, arguments.tgt, options.engine),
        read_links(arguments.links),
        arguments.out,
        examples=arguments.examples,
        checkpoints=arguments.checkpoints,
    )
    print(f"{model.feature_count:,} features")
    for side, found in model.training.items():
        gap = "" if found["gap"] is None else f", gap {found['gap']:.3g}"
        print(f"{side:8}  {found['passes']} passes, objective {found['objective']:.6g}{gap}")


def _evaluate(arguments: argparse.Namespace) -> None:
    from tunesmith.cli._bitext import read_bitext
    from tunesmith.formats.pharaoh import read_links
    from tunesmith.reorder import MaxentModel

    model = MaxentModel(arguments.model)
    bitext = read_bitext(arguments.src, arguments.tgt, arguments.engine)
    found = model.evaluate(bitext, read_links(arguments.links), arguments.engine)
    for side, report in found.items():
        print(
            f"{side:8}  {report.examples:,} phrase pairs, error {report.error:.2%} "
            f"(most frequent class: {report.majority_error:.2%}), {report.entropy:.4f} nats"
        )
