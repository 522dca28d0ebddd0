"""Train a translator: from parallel text to a tuned model, in one command.

Text is cleaned, tokenised and cased, aligned, counted into a phrase table and a language model,
and the weights are tuned on the dev set. Every stage is kept in the work folder: a killed run goes
on where it was, and a change of options repeats only what depends on it.

Examples
--------
  tunesmith train --src train.de --tgt train.en --dev-src dev.de --dev-ref dev.en --out model
  tunesmith train --config train.toml --out model --dry-run

With --effort best the weights of lexical features, millions of them, are then learned on the
training set itself, by models that have not seen the pair at hand (Yu et al. 2013, Max-Violation
Perceptron and Forced Decoding; Gao & He 2013). It takes minutes more and gains a BLEU point or so.

These are the options that people change. All other settings have a name, SECTION.KEY, which a
configuration file and --set share: --set phrases.smoothing=good-turing, or in the file's section
[phrases] smoothing = "good-turing". `tunesmith train --options` lists them with their defaults and
meanings; the command line goes before the file.
"""

import argparse
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tunesmith.base.errors import OptionError
from tunesmith.cli._options import (
    add_engine,
    add_parameters,
    destination,
    filled_folder,
    given_parameters,
    output_folder,
)
from tunesmith.cli.tuner_options import add_tuner_options, given_tuner_options

if TYPE_CHECKING:
    from tunesmith.train import TrainOptions

# Options on the help's first screen: what people change most. (Section or, empty, the whole.)
_FRONT = {
    "text": (
        "source_language",
        "target_language",
        "source_tokenizer",
        "target_tokenizer",
        "casing",
    ),
    "": ("model", "threads"),
}
# Options without their section's name before them. Those that are not in front go on working and
# are listed by --options, under their settings' names.
_PLAIN = {
    "text": None,
    "align": ("symmetrisation",),
    "lm": None,
    "phrases": (
        "max_length", "smoothing", "limit", "significance", "reordering", "classes", "orientation",
    ),
    "search": ("distortion_limit", "table_limit"),
    "tune": ("tuner", "iterations", "size", "patience"),
    "learn": None,
}  # fmt: skip
# What groups of options are called.
_TITLES = {"text": "text", "": "model"}
# Sections whose options have the section's name before them.
_PREFIXED = ("hiero", "maxent", "maxforce", "lexical")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.train.efforts import NAMES
    from tunesmith.train.stages import STAGE_NAMES

    files = parser.add_argument_group("files")
    files.add_argument(
        "--src", required=True, nargs="+", metavar="FILE",
        help="source text, or both sides; of several corpora one file each",
    )  # fmt: skip
    files.add_argument("--tgt", nargs="+", metavar="FILE", help="target text, line by line")
    files.add_argument(
        "--mono", nargs="+", metavar="FILE", dest=destination("lm", "mono"),
        help="more text of the target language, for the language model",
    )  # fmt: skip
    files.add_argument(
        "--dev-src", metavar="FILE",
        help="source text to tune on (default: a part of the training text is held out)",
    )  # fmt: skip
    files.add_argument(
        "--dev-ref", nargs="+", default=(), metavar="FILE", help="its references, one or more"
    )
    files.add_argument("--test-src", metavar="FILE", help="text to translate and score at the end")
    files.add_argument("--test-ref", nargs="+", default=(), metavar="FILE", help="its references")
    files.add_argument(
        "--out", type=output_folder, required=True, metavar="MODEL", help="the model directory"
    )
    files.add_argument(
        "--work", type=filled_folder, metavar="FOLDER", help="kept stages (default: MODEL.work)"
    )
    files.add_argument("--config", metavar="FILE", help="TOML file with options")
    parser.add_argument(
        "--effort", choices=NAMES,
        help="quick: the small feature set and few decodings; best: all that is known to gain, for "
        "phrases learning on the training set, in 15 to 30 times the time (default: standard)",
    )  # fmt: skip
    parser.add_argument(
        "--from-stage", choices=STAGE_NAMES, help="do this stage and all behind it again"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print what would be done, and estimates; do nothing"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", dest="settings",
        help="any other setting, by the name that --options lists; may be given again",
    )  # fmt: skip
    parser.add_argument(
        "--options", action=_ListOptions, nargs=0, help="list all settings with their defaults"
    )
    _add_settings(parser)
    add_engine(parser)


class _ListOptions(argparse.Action):
    """Prints all settings and ends, as --help does."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        from tunesmith.train.settings import listing

        print(listing())
        parser.exit()


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """Declare an option for every setting; the help shows those in front."""
    from tunesmith.train import TrainOptions
    from tunesmith.train.settings import RUN_OWN, sections

    parts = sections()
    for section in ("text", "", "lm", "tune", "learn", "align", "phrases", "search", *_PREFIXED):
        prefixed, front = section in _PREFIXED, _FRONT.get(section, ())
        only = None if prefixed or not section else _PLAIN[section]
        group = parser.add_argument_group(_TITLES[section]) if section in _TITLES else parser
        add_parameters(
            group, type(parts[section]) if section else TrainOptions, section=section, only=only,
            defaults=parts.get(section), prefix=f"{section}_" if prefixed else "", shown=front,
            leave_out=(*RUN_OWN, "mono") if section else (),
        )  # fmt: skip
    add_tuner_options(parser, shown=False)
    parser.add_argument(
        "--pretokenised", dest=destination("text", "tokenizer"), action="store_const", const="none",
        help="both sides are tokenised: words are those between spaces, and stay as they are",
    )  # fmt: skip
    parser.add_argument(
        "--second-tm", dest=destination(TrainOptions, "second_table"), help=argparse.SUPPRESS
    )


def run(arguments: argparse.Namespace) -> None:
    """Train, and say what came out."""
    from tunesmith.engine import ThreadEngine, as_engine, engine_at
    from tunesmith.train import Training
    from tunesmith.train.plan import plan

    options = _options(arguments)
    training = Training(
        source=[Path(path) for path in arguments.src],
        target=[Path(path) for path in arguments.tgt] if arguments.tgt else None,
        dev_source=Path(arguments.dev_src) if arguments.dev_src else None,
        dev_references=[Path(path) for path in arguments.dev_ref],
        test_source=Path(arguments.test_src) if arguments.test_src else None,
        test_references=[Path(path) for path in arguments.test_ref],
        out=Path(arguments.out),
        options=options,
        work_folder=Path(arguments.work) if arguments.work else None,
        from_stage=arguments.from_stage,
        engine=engine_at(arguments.where or "threads", ThreadEngine(options.threads)),
    )
    if arguments.where and not arguments.dry_run:
        _ = as_engine(training.place.engine).workers  # one that is not there is told now
    if arguments.dry_run:
        print(plan(training))
        return
    report = training.run()
    print(f"tuned {report.tuned_score:6.2f}  dev set in the model's own tokens, with its tuning")
    print(f"dev   {report.dev}")
    if report.dev_gap:
        print(f"gap   {report.dev_gap}")
    if report.test is not None:
        print(f"test  {report.test}")
    print(f"model {arguments.out} ({report.seconds:.0f} s)")


def _options(arguments: argparse.Namespace) -> "TrainOptions":
    from tunesmith.train import TrainOptions
    from tunesmith.train.keywords import replace_parameters
    from tunesmith.train.settings import parse_settings, read_options

    settings = parse_settings(arguments.settings)
    changes: dict[str, Any] = given_parameters(arguments, TrainOptions)
    options = read_options(
        arguments.config, settings, effort=arguments.effort, model=changes.get("model")
    )
    _refuse_twice("", changes, settings)
    for section in (*_PLAIN, *_PREFIXED):
        part, given = getattr(options, section), given_parameters(arguments, section)
        _refuse_twice(f"{section}.", given, settings.get(section, {}))
        if section == "align":
            changes[section] = replace_parameters(part, **given)
        else:
            changes[section] = replace(part, **given)
    options = replace(options, **changes)
    given = given_tuner_options(arguments, options.tuning.tuner)
    _refuse_twice("tune.options.", given, settings.get("tune", {}).get("options", {}))
    return replace(options, tune=replace(options.tune, options={**options.tune.options, **given}))


def _refuse_twice(start: str, given: Collection[str], settings: Collection[str]) -> None:
    """Refuse a setting that has an option and --set: which of them is meant?"""
    for name in given:
        if name in settings:
            raise OptionError(f"{start}{name} is given by an option and by --set, expected one")
