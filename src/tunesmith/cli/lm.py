"""N-gram language models: train, query, measure, convert, interpolate.

Models are ARPA files (plain, .gz, .xz) or our binary files, which are mapped into memory. A model
is written as ARPA if its name says so (.arpa, .arpa.gz, .arpa.xz) or if it goes to standard output,
else as a binary file. Text has one sentence per line, words between spaces; <s>, </s> and <unk> in
it are ordinary words.

Examples
--------
  tunesmith lm train --order 5 --out en.lm train.en
  tunesmith lm train --order 3 --prune 0 0 1 < train.en > en.arpa
  tunesmith lm query en.lm < test.en
  tunesmith lm perplexity en.lm test.en
  tunesmith lm convert en.arpa.gz en.lm
  tunesmith lm interpolate news.lm talks.lm --tune dev.en --out mixed.lm

Modified Kneser-Ney smoothing as in Chen and Goodman (1998) and Heafield et al. (2013).
"""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tunesmith.lm import Estimate, NgramLM, Perplexity

_STANDARD_INPUT = "default: standard input"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    from tunesmith.cli._options import (
        add_loudness,
        add_parameters,
        add_threads,
        number,
        output_file,
        whole,
    )
    from tunesmith.lm.training import KneserNey

    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    train = actions.add_parser("train", help="estimate a model from text")
    train.add_argument("text", nargs="*", default=["-"], metavar="TEXT", help=_STANDARD_INPUT)
    train.add_argument(
        "--out", "-o", type=output_file, default="-", metavar="FILE",
        help="default: ARPA to stdout",
    )  # fmt: skip
    own = ("prune", "vocabulary", "classes", "memory")
    add_parameters(train, KneserNey, leave_out=own)
    train.add_argument(
        "--prune",
        nargs="+",
        type=whole(at_least=0),
        metavar="N",
        help="drop n-grams that occur at most N times: one number per order, the last for the rest",
    )
    train.add_argument("--vocabulary", metavar="FILE", help="the words that may stay")
    train.add_argument(
        "--classes", metavar="FILE", help="'word class' lines or Brown paths: a model of classes"
    )
    train.add_argument(
        "--memory",
        type=_bytes,
        metavar="SIZE",
        help="more is sorted in temporary files: 500M, 8G, … (default: half of the machine's)",
    )

    query = actions.add_parser("query", help="log10 probability, tokens and unknown words per line")
    query.add_argument("model", metavar="MODEL")
    query.add_argument("text", nargs="?", default="-", metavar="TEXT", help=_STANDARD_INPUT)
    query.add_argument(
        "--words", action="store_true", help="word, length of its n-gram and log10 for every word"
    )
    query.add_argument("--no-begin", action="store_true", help="do not start behind <s>")
    query.add_argument("--no-end", action="store_true", help="do not score </s>")

    perplexity = actions.add_parser("perplexity", help="perplexity of texts")
    perplexity.add_argument("model", metavar="MODEL")
    perplexity.add_argument("text", nargs="*", default=["-"], metavar="TEXT", help=_STANDARD_INPUT)
    perplexity.add_argument("--json", action="store_true", help="print JSON lines")

    convert = actions.add_parser("convert", help="ARPA to binary, or back")
    convert.add_argument("model", metavar="IN")
    convert.add_argument("out", type=output_file, metavar="OUT")

    interpolate = actions.add_parser("interpolate", help="several models into one")
    interpolate.add_argument("models", nargs="+", metavar="MODEL")
    interpolate.add_argument(
        "--out", "-o", type=output_file, metavar="FILE", help="default: print the weights only"
    )
    weights = interpolate.add_mutually_exclusive_group(required=True)
    weights.add_argument("--tune", metavar="TEXT", help="text on which EM finds the weights")
    weights.add_argument("--weights", nargs="+", type=number(at_least=0), metavar="X")

    for action in actions.choices.values():
        add_loudness(action, again=True)
    for action in (query, perplexity, interpolate):
        add_threads(action)


def run(arguments: argparse.Namespace) -> None:
    """Run the action."""
    {
        "train": _train,
        "query": _query,
        "perplexity": _perplexity,
        "convert": _convert,
        "interpolate": _interpolate,
    }[arguments.action](arguments)


def _bytes(text: str) -> int:
    from tunesmith.base.numbers import parse_number, parse_whole

    factor = {"K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}.get(text[-1:].upper())
    try:
        return int(parse_number(text[:-1]) * factor) if factor else parse_whole(text)
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 500M or 8G") from None


def _train(arguments: argparse.Namespace) -> None:
    from tunesmith.cli._options import given_parameters
    from tunesmith.formats.text import read_lines
    from tunesmith.lm import KneserNey, read_classes

    options = given_parameters(arguments, KneserNey)
    for name in ("prune", "memory"):
        if getattr(arguments, name) is not None:
            options[name] = getattr(arguments, name)
    if arguments.vocabulary is not None:
        options["vocabulary"] = [
            w for line in read_lines(arguments.vocabulary) for w in line.split()
        ]
    if arguments.classes is not None:
        options["classes"] = read_classes(arguments.classes)
    estimate = KneserNey(**options).fit_files(arguments.text)
    estimate.report()
    _save(estimate, arguments.out)


def _save(model: "Estimate | NgramLM", path: str) -> None:
    from tunesmith.lm import NgramLM

    if path == "-" or path.removesuffix(".gz").removesuffix(".xz").endswith(".arpa"):
        model.save_arpa(path)
    else:
        (model if isinstance(model, NgramLM) else model.model()).save(path)


def _query(arguments: argparse.Namespace) -> None:
    from tunesmith.lm import NgramLM
    from tunesmith.lm.query import print_scores

    print_scores(
        NgramLM.load(arguments.model),
        arguments.text,
        words=arguments.words,
        begin=not arguments.no_begin,
        end=not arguments.no_end,
        engine=arguments.engine,
    )


def _perplexity(arguments: argparse.Namespace) -> None:
    import json

    from tunesmith.formats.text import read_lines
    from tunesmith.lm import NgramLM

    lm = NgramLM.load(arguments.model)
    if not arguments.json:
        print("perplexity  without OOV  tokens     OOV      sentences  log10           file")
    for path in arguments.text:
        found = lm.perplexity(read_lines(path), engine=arguments.engine)
        print(json.dumps(_row(path, found)) if arguments.json else _line(path, found))


def _row(path: str, found: "Perplexity") -> dict[str, object]:
    import dataclasses

    return {
        "file": path,
        "perplexity": found.perplexity,
        "perplexity_without_oov": found.perplexity_without_oov,
        **dataclasses.asdict(found),
    }


def _line(path: str, found: "Perplexity") -> str:
    return (
        f"{found.perplexity:<10.4f}  {found.perplexity_without_oov:<11.4f}  {found.tokens:<9}  "
        f"{found.oov:<7}  {found.sentences:<9}  {found.log10:<14.4f}  {path}"
    )


def _convert(arguments: argparse.Namespace) -> None:
    from tunesmith.lm import NgramLM

    _save(NgramLM.load(arguments.model), arguments.out)


def _interpolate(arguments: argparse.Namespace) -> None:
    from tunesmith.base.log import log
    from tunesmith.formats.text import read_lines
    from tunesmith.lm import NgramLM, interpolate, tune_weights

    models = [NgramLM.load(path) for path in arguments.models]
    weights = arguments.weights
    if weights is None:
        found = tune_weights(models, read_lines(arguments.tune), engine=arguments.engine)
        weights = found.weights
        log.info(f"perplexity of the mixture: {found.perplexity:.4f}")
        for path, weight, alone in zip(arguments.models, weights, found.single, strict=True):
            log.info(f"weight {weight:.6f}, alone {alone:.4f}: {path}")
    if arguments.out is None:
        print(" ".join(f"{weight:.6f}" for weight in weights))
    else:
        _save(interpolate(models, weights), arguments.out)
