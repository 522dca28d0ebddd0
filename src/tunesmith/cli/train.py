"""Train a translator: from parallel text to a tuned model, in one command.

Text is cleaned, tokenised and cased, aligned, counted into a phrase table and a language model,
and the weights are tuned on the dev set. Every stage is kept in the work folder: a killed run goes
on where it was, and a change of options repeats only what depends on it.

Examples
--------
  tunesmith train --src train.de --tgt train.en --dev-src dev.de --dev-ref dev.en --out model
  tunesmith train --config train.toml --out model --dry-run

With --learner maxforce the weights of lexical features, millions of them, are then learned on the
training set itself, by models that have not seen the pair at hand (Yu et al. 2013, Max-Violation
Perceptron and Forced Decoding; Gao & He 2013). It takes minutes more and gains a BLEU point or so.

A configuration file has the sections text, align, lm, phrases, search, tune, tune.options (what the
tuner's own options set, as --C), learn, maxforce and lexical; an option on the command line goes
before it.
"""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

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

# Options that stand on the command line without their section's name: what people change most.
_SHOWN = {
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
# Sections whose options have the section's name before them.
_PREFIXED = ("hiero", "maxent", "maxforce", "lexical")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.train import TrainOptions
    from tunesmith.train.stages import STAGE_NAMES

    files = parser.add_argument_group("files")
    files.add_argument("--src", required=True, metavar="FILE", help="source text, or both sides")
    files.add_argument("--tgt", metavar="FILE", help="target text, line by line")
    files.add_argument("--dev-src", required=True, metavar="FILE", help="source text to tune on")
    files.add_argument(
        "--dev-ref", required=True, nargs="+", metavar="FILE", help="its references, one or more"
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
        "--from-stage", choices=STAGE_NAMES, help="do this stage and all behind it again"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="print what would be done, and estimates; do nothing"
    )
    defaults = TrainOptions()
    for section, only in _SHOWN.items():
        part = getattr(defaults, section)
        add_parameters(
            parser.add_argument_group(section), type(part), section=section, only=only,
            defaults=part, leave_out=("engine", "seed"),
        )  # fmt: skip
    add_tuner_options(parser.add_argument_group("hyper-parameters of the tuners"))
    for section in _PREFIXED:
        part = getattr(defaults, section)
        add_parameters(
            parser.add_argument_group(section), type(part), section=section, defaults=part,
            prefix=f"{section}_", leave_out=("engine", "seed"),
        )  # fmt: skip
    add_parameters(parser, TrainOptions)
    add_engine(parser)
    parser.add_argument(
        "--second-tm", dest=destination(TrainOptions, "second_table"),
        help="the same as --second-table",
    )  # fmt: skip


def run(arguments: argparse.Namespace) -> None:
    """Train, and say what came out."""
    from tunesmith.engine import ThreadEngine, as_engine, engine_at
    from tunesmith.train import Training
    from tunesmith.train.plan import plan

    options = _options(arguments)
    training = Training(
        source=Path(arguments.src),
        target=Path(arguments.tgt) if arguments.tgt else None,
        dev_source=Path(arguments.dev_src),
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
    print(f"dev   {report.dev_score:6.2f}  {report.dev_signature}")
    if report.test_score is not None:
        print(f"test  {report.test_score:6.2f}  {report.test_signature}")
    print(f"model {arguments.out} ({report.seconds:.0f} s)")


def _options(arguments: argparse.Namespace) -> "TrainOptions":
    from tunesmith.base.config import read_config
    from tunesmith.train import TrainOptions
    from tunesmith.train.keywords import replace_parameters

    options = read_config(arguments.config, TrainOptions) if arguments.config else TrainOptions()
    changes: dict[str, Any] = given_parameters(arguments, TrainOptions)
    for section in (*_SHOWN, *_PREFIXED):
        part, given = getattr(options, section), given_parameters(arguments, section)
        if section == "align":
            changes[section] = replace_parameters(part, **given)
        else:
            changes[section] = replace(part, **given)
    options = replace(options, **changes)
    given = given_tuner_options(arguments, options.tuning.tuner)
    return replace(options, tune=replace(options.tune, options={**options.tune.options, **given}))
