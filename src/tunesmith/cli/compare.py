"""Compare tuners on your own data: which one, with which features, and how certain is it?

Every tuner tunes the model on the dev set and on random sub-samples of it (each sentence kept with
p = 0.9), and translates the test set with the weights that it found. The table shows the means of
these runs' scores, the standard deviation of the test score, and which differences mean something.

Example:
  tunesmith compare model --dev-src dev.de --dev-ref dev.en --test-src test.de --test-ref test.en
      --tuners kb-mert,kb-mira,pro --features small,medium,big --out comparison
  tunesmith compare model … --tuners kb-mira,svm --sweep C=1,0.1,0.01 --sweep l2=3,30,300 …
  tunesmith compare model … --tuners kb-mert,svm-1-slack --dev-sizes 100,200,400,1000 …

OUT gets table.md, table.tsv, times.tsv, results.json, pictures (SVG), and a folder for every run. A
comparison that was killed goes on where it was; tuners and feature sets can be added later.

Cherry and Foster (2012), Batch Tuning Strategies for Statistical Machine Translation, §4.3 and
Tables 4-6; Clark et al. (2011), Better Hypothesis Testing for Statistical Machine Translation;
--dev-sizes: Hayashi et al. (2009), Figure 4.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tunesmith.evaluate.run_setting import Run
    from tunesmith.evaluate.tuning_run import RunResult


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.cli._options import add_parameters
    from tunesmith.decode import SearchOptions
    from tunesmith.evaluate.run_setting import OWN
    from tunesmith.evaluate.tuner_comparison import TunerComparison, all_tuners
    from tunesmith.features import FEATURE_SETS
    from tunesmith.tune.loop import TuningLoop

    parser.add_argument("model", metavar="MODEL", help="a trained or imported model")
    parser.add_argument("--dev-src", required=True, metavar="FILE", help="sentences to tune on")
    parser.add_argument("--dev-ref", required=True, nargs="+", metavar="FILE", help="references")
    parser.add_argument("--test-src", required=True, metavar="FILE", help="sentences to test on")
    parser.add_argument("--test-ref", required=True, nargs="+", metavar="FILE", help="references")
    parser.add_argument("--out", required=True, metavar="FOLDER", help="tables, pictures, runs")
    parser.add_argument(
        "--tuners", default="all", metavar="NAME,NAME…",
        help=f"all, or some of: {', '.join(all_tuners())} (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--features", default=OWN, metavar="SET,SET…",
        help=f"some of: {', '.join(FEATURE_SETS)}, or {OWN}, the set that the model has (default: "
        "%(default)s); smaller sets are parts of what the model was trained with",
    )  # fmt: skip
    parser.add_argument(
        "--baseline", default="", metavar="NAME",
        help="tuner that the others are tested against (default: kb-mert, or the first, that "
        "takes one of the feature sets)",
    )  # fmt: skip
    parser.add_argument(
        "--sweep", action="append", default=[], metavar="KEY=X,X…",
        help="compare values of an option of tuners; those that do not have it run as they are",
    )  # fmt: skip
    parser.add_argument(
        "--dev-sizes", default="", metavar="N,N…", help="compare dev sets of so many sentences"
    )
    add_parameters(parser, TunerComparison)
    add_parameters(parser.add_argument_group("tuning"), TuningLoop)
    add_parameters(
        parser.add_argument_group("search (default: the model's own limits)"), SearchOptions
    )


def run(arguments: argparse.Namespace) -> None:
    """Run what is not done, and print the tables."""
    from tunesmith.base.seeds import DEFAULT_SEED
    from tunesmith.cli._options import given_parameters
    from tunesmith.decode import SearchOptions
    from tunesmith.evaluate.run_setting import Setting
    from tunesmith.evaluate.tuner_comparison import TunerComparison, all_tuners
    from tunesmith.tune.loop import TuningLoop

    given = given_parameters(arguments, TunerComparison)
    tuners = all_tuners() if arguments.tuners == "all" else _names(arguments.tuners, "--tuners")
    comparison = TunerComparison(
        Setting(
            model=arguments.model,
            dev_source=arguments.dev_src,
            dev_references=tuple(arguments.dev_ref),
            test_source=arguments.test_src,
            test_references=tuple(arguments.test_ref),
            search=given_parameters(arguments, SearchOptions),
            loop=given_parameters(arguments, TuningLoop),
            seed=given.get("seed", DEFAULT_SEED),
        ),
        Path(arguments.out),
        tuners,
        _names(arguments.features, "--features"),
        _sweep(arguments.sweep, tuners),
        [_size(text) for text in _names(arguments.dev_sizes, "--dev-sizes")],
        arguments.baseline,
        **given,
    )
    comparison.run(_report)
    print((comparison.out / "table.md").read_text(encoding="utf-8"), end="")


def _report(done: int, total: int, run: "Run", result: "RunResult") -> None:
    from tunesmith.base.log import log

    log.info(
        f"[{done}/{total}] {run}: "
        f"tune {result.tune:.2f}, test {result.test:.2f} ({result.seconds:.1f} s)"
    )


def _names(text: str, option: str) -> list[str]:
    from tunesmith.base.errors import OptionError

    names = text.split(",") if text else []
    if "" in names or len(set(names)) < len(names):
        raise OptionError(f"{option} is '{text}', expected different names between commas")
    return names


def _size(text: str) -> int:
    from tunesmith.base.errors import OptionError

    if not (text.isascii() and text.isdecimal()):
        raise OptionError(f"--dev-sizes has '{text}', expected whole numbers between commas")
    return int(text)


def _sweep(texts: list[str], tuners: list[str]) -> dict[str, list[Any]]:
    """Values in the type of the option of the first tuner that has it."""
    from tunesmith.base.errors import OptionError
    from tunesmith.cli.tuner_options import hyper_parameters, listed_values

    known = hyper_parameters(tuners)
    sweep = listed_values("--sweep", texts, known)
    for name in sweep:
        if name not in known:
            key = name.replace("_", "-")
            raise OptionError(f"none of the tuners {', '.join(tuners)} has an option '{key}'")
    return sweep
