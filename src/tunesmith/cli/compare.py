"""Compare tuners on your own data: which one, with which features, and how certain is it?

Every tuner tunes the model on the dev set and on random sub-samples of it (each sentence kept with
p = 0.9), and translates the test sets with the weights that it found. The table shows the means of
these runs' scores, the standard deviation of the test score, and which differences mean something.

Example:
  tunesmith compare model --dev-src dev.de --dev-ref dev.en --test-src test.de --test-ref test.en
      --tuners kb-mert,kb-mira,pro --features small,medium,big --out comparison
  tunesmith compare model … --test-src a.de --test-ref a.en --test-src b.de --test-ref b.en …
  tunesmith compare model … --tuners kb-mira,svm --sweep C=1,0.1,0.01 --sweep l2=3,30,300 …
  tunesmith compare model … --tuners untuned,kb-mira --set kb-mira.passes=30 --baseline untuned …
  tunesmith compare model … --tuners kb-mert,svm-1-slack --dev-sizes 100,200,400,1000 …
  tunesmith compare model … --tuners kb-mert,maxforce --train-src train.de --train-tgt train.en …
  tunesmith compare --nbest dev.tsv --dev-ref dev.en --test-nbest test.tsv --test-ref test.en
      --tuners untuned,kb-mert,kb-mira,mine.py:Tuner --out comparison

Instead of a model, n-best lists are enough: a run is one fit on them, and `untuned` has their first
entries.

OUT gets table.md, table.tsv, times.tsv, results.json, pictures (SVG), and a folder for every run. A
comparison that was killed goes on where it was; tuners and feature sets can be added later.

Cherry and Foster (2012), Batch Tuning Strategies for Statistical Machine Translation, §4.3 and
Tables 3-6; Clark et al. (2011), Better Hypothesis Testing for Statistical Machine Translation;
--dev-sizes, --dev-draws: Hayashi et al. (2009), Figure 4 and Table 3; maxforce: Yu et al. (2013),
Max-Violation Perceptron and Forced Decoding for Scalable MT Training, Table 4 and Figure 12.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tunesmith.evaluate.run_result import RunResult
    from tunesmith.evaluate.run_setting import Run, Setting, TextSet
    from tunesmith.evaluate.training_text import TrainingText


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.cli._options import add_engine, add_parameters, filled_folder
    from tunesmith.cli.metric_options import add_reference_length
    from tunesmith.cli.nbest_options import add_reading_options
    from tunesmith.decode import SearchOptions
    from tunesmith.evaluate.maxforce_row import MAXFORCE
    from tunesmith.evaluate.run_setting import DRAWS, OWN, SUBSETS, UNTUNED
    from tunesmith.evaluate.tuner_comparison import TunerComparison, all_tuners
    from tunesmith.features import FEATURE_SETS
    from tunesmith.metrics.preprocess import TOKENIZERS
    from tunesmith.tune.loop import TuningLoop

    parser.add_argument(
        "model",
        nargs="?",
        metavar="MODEL",
        help="a trained or imported model, or none with --nbest",
    )
    parser.add_argument("--dev-src", metavar="FILE", help="sentences to tune on")
    parser.add_argument("--dev-ref", nargs="+", default=[], metavar="FILE", help="references")
    parser.add_argument(
        "--test-src", action="append", default=[], metavar="FILE",
        help="sentences to test on; once for every test set",
    )  # fmt: skip
    parser.add_argument(
        "--test-ref", action="append", nargs="+", default=[], metavar="FILE",
        help="references, once for every test set",
    )  # fmt: skip
    parser.add_argument("--nbest", metavar="FILE", help="n-best lists to tune on, without a model")
    parser.add_argument(
        "--test-nbest", action="append", default=[], metavar="FILE",
        help="n-best lists to test on; once for every test set",
    )  # fmt: skip
    parser.add_argument(
        "--metric", default="bleu", help="what to tune for and to test (default: %(default)s)"
    )
    parser.add_argument(
        "--tokenize", choices=TOKENIZERS, default="none",
        help="BLEU's tokeniser, for lists; a model's text is in tokens (default: none)",
    )  # fmt: skip
    parser.add_argument(
        "--test-name", action="append", default=[], metavar="NAME",
        help="what a test set is called, once for every --test-src (default: test, or the names "
        "of the files without their endings)",
    )  # fmt: skip
    parser.add_argument(
        "--out", type=filled_folder, required=True, metavar="FOLDER", help="tables, pictures, runs"
    )
    parser.add_argument(
        "--tuners", default="all", metavar="NAME,NAME…",
        help=f"all, or some of: {', '.join(all_tuners())} (default: all); {UNTUNED}: the initial "
        f"weights as they are; and {MAXFORCE}, not among all: dense weights learned from 0 on the "
        "training text",
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
        "--set", action="append", default=[], metavar="TUNER.KEY=X",
        help="an option of a tuner in all its runs",
    )  # fmt: skip
    parser.add_argument(
        "--sweep", action="append", default=[], metavar="KEY=X,X…",
        help="compare values of an option of tuners, or of one (TUNER.KEY=X,X…); those that do not "
        "have it run as they are; more than one --sweep gives all combinations",
    )  # fmt: skip
    parser.add_argument(
        "--dev-sizes", default="", metavar="N,N…", help="compare dev sets of so many sentences"
    )
    parser.add_argument(
        "--dev-draws", choices=DRAWS, default=SUBSETS,
        help="dev sets of the replicates: most of the same sentences, or --dev-sizes sentences of "
        "their own, from the whole dev set each or from what the others do not have (default: "
        "%(default)s)",
    )  # fmt: skip
    text = parser.add_argument_group(f"training text, for {MAXFORCE}")
    text.add_argument(
        "--train-src", metavar="FILE", help="what the model was trained on, or both sides of it"
    )
    text.add_argument("--train-tgt", metavar="FILE", help="its target side, line by line")
    text.add_argument(
        "--train-links", nargs="+", default=[], metavar="FILE",
        help="its word links, one file for each phrase table (default: it is aligned)",
    )  # fmt: skip
    text.add_argument(
        "--train-work", metavar="FOLDER",
        help="instead: the work folder of the model's training, which has text, links and, with "
        "--learner maxforce, models of its parts",
    )  # fmt: skip
    add_reference_length(parser)
    add_parameters(parser, TunerComparison)
    add_engine(parser)
    add_parameters(parser.add_argument_group("tuning"), TuningLoop)
    add_parameters(
        parser.add_argument_group("search (default: the model's own limits)"), SearchOptions
    )
    add_reading_options(parser, with_threads=False)


def run(arguments: argparse.Namespace) -> None:
    """Run what is not done, and print the tables."""
    from tunesmith.base.seeds import DEFAULT_SEED
    from tunesmith.cli._options import given_parameters
    from tunesmith.evaluate.tuner_comparison import TunerComparison, all_tuners
    from tunesmith.tune.registry import ALIASES

    given = given_parameters(arguments, TunerComparison)
    every = all_tuners(lists=arguments.nbest is not None)
    names = every if arguments.tuners == "all" else _names(arguments.tuners, "--tuners")
    tuners = [ALIASES.get(name, name) for name in names]
    comparison = TunerComparison(
        _setting(arguments, given.get("seed", DEFAULT_SEED)),
        Path(arguments.out),
        tuners,
        _names(arguments.features, "--features"),
        _sweep(arguments.sweep, tuners),
        _options(arguments.set, tuners),
        [_size(text) for text in _names(arguments.dev_sizes, "--dev-sizes")],
        arguments.baseline,
        **given,
    )
    comparison.run(_report)
    print((comparison.out / "table.md").read_text(encoding="utf-8"), end="")


def _setting(arguments: argparse.Namespace, seed: int) -> "Setting":
    """A model with texts, or lists."""
    from tunesmith.base.errors import OptionError
    from tunesmith.cli._options import given_parameters
    from tunesmith.cli.nbest_options import reading_options
    from tunesmith.decode import SearchOptions
    from tunesmith.evaluate.list_setting import ListSetting
    from tunesmith.evaluate.run_setting import Setting, TextSet
    from tunesmith.metrics import parse_metric
    from tunesmith.tune.loop import TuningLoop

    shared: dict[str, Any] = {
        "search": given_parameters(arguments, SearchOptions),
        "loop": given_parameters(arguments, TuningLoop),
        "reference_length": arguments.reference_length,
        "draws": arguments.dev_draws,
        "seed": seed,
        "training": _training_text(arguments),
        "metric_name": arguments.metric,
        "tokenize": arguments.tokenize,
    }
    if arguments.nbest is None:
        if not arguments.model or not arguments.dev_src or not arguments.test_src:
            raise OptionError(
                "nothing to compare on: give a model, --dev-src and --test-src, or --nbest and "
                "--test-nbest"
            )
        if not arguments.dev_ref or not arguments.test_ref:
            raise OptionError("no references: give --dev-ref and --test-ref")
        tests = _test_sets("--test-src", arguments.test_src, arguments)
        dev = TextSet("dev", arguments.dev_src, tuple(arguments.dev_ref))
        return Setting(arguments.model, dev, tests, **shared)
    if arguments.model or arguments.dev_src or arguments.test_src:
        raise OptionError("--nbest goes with neither a model nor --dev-src nor --test-src")
    if shared["search"] or shared["loop"]:
        option = next(iter({**shared["search"], **shared["loop"]})).replace("_", "-")
        raise OptionError(f"--{option} is for decoding, and lists are there already")
    if not arguments.test_nbest:
        raise OptionError("--nbest needs --test-nbest, lists to test on")
    tests = _test_sets("--test-nbest", arguments.test_nbest, arguments)
    dev = TextSet("dev", arguments.nbest, tuple(arguments.dev_ref))
    reading = reading_options(arguments, parse_metric(arguments.metric))
    return ListSetting("", dev, tests, **shared, reading=reading)


def _report(done: int, total: int, run: "Run", result: "RunResult") -> None:
    from tunesmith.base.log import log

    log.info(
        f"[{done}/{total}] {run}: "
        f"tune {result.tune:.4g}, test {result.test:.4g} ({result.seconds:.1f} s)"
    )


def _names(text: str, option: str) -> list[str]:
    from tunesmith.base.errors import OptionError

    names = text.split(",") if text else []
    if "" in names or len(set(names)) < len(names):
        raise OptionError(f"{option} is '{text}', expected different names between commas")
    return names


def _size(text: str) -> int:
    from tunesmith.base.errors import OptionError
    from tunesmith.base.numbers import parse_whole

    try:
        return parse_whole(text)
    except ValueError:
        raise OptionError(
            f"--dev-sizes has '{text}', expected whole numbers between commas"
        ) from None


def _test_sets(
    option: str, sources: list[str], arguments: argparse.Namespace
) -> tuple["TextSet", ...]:
    """The n-th of each option belong together; `option` gave the sources."""
    from tunesmith.base.errors import OptionError
    from tunesmith.evaluate.run_setting import TextSet

    # Lists may have references of their own, or scores that need none.
    references, names = arguments.test_ref or [()] * len(sources), arguments.test_name
    if not names:
        stems = [Path(path).name.split(".")[0] for path in sources]
        names = stems if len(sources) > 1 else ["test"]
    for other, given in (("--test-ref", references), ("--test-name", names)):
        if len(given) != len(sources):
            raise OptionError(
                f"{other} is given {len(given)} times, expected {len(sources)}, as often as "
                f"{option}"
            )
    if bad := next((name for name in names if not name or "/" in name), None):
        raise OptionError(f"--test-name is '{bad}', expected a name for files")
    return tuple(
        TextSet(name, source, tuple(paths))
        for name, source, paths in zip(names, sources, references, strict=True)
    )


def _training_text(arguments: argparse.Namespace) -> "TrainingText | None":
    """Files or a work folder; None if neither is given."""
    from tunesmith.base.errors import OptionError
    from tunesmith.evaluate.training_text import TextFiles, WorkFolder

    files = arguments.train_src, arguments.train_tgt, arguments.train_links
    if arguments.train_work:
        if any(files):
            raise OptionError("--train-work has all: it goes without --train-src and its like")
        return WorkFolder(arguments.train_work)
    if not arguments.train_src:
        if any(files):
            raise OptionError("--train-tgt and --train-links need --train-src")
        return None
    return TextFiles(arguments.train_src, arguments.train_tgt, tuple(arguments.train_links))


def _sweep(texts: list[str], tuners: list[str]) -> dict[str, list[Any]]:
    """Values in the type of the option of the first tuner that has it."""
    from tunesmith.base.errors import OptionError
    from tunesmith.cli.tuner_options import listed_values, owned_parameters

    known = owned_parameters(tuners)
    sweep = listed_values("--sweep", texts, known)
    for name in sweep:
        if name not in known:
            key = name.replace("_", "-")
            raise OptionError(f"none of the tuners {', '.join(tuners)} has an option '{key}'")
    return sweep


def _options(texts: list[str], tuners: list[str]) -> dict[str, dict[str, Any]]:
    """``TUNER.KEY=VALUE`` given once or more."""
    from tunesmith.base.errors import OptionError
    from tunesmith.cli.tuner_options import listed_values, owned_parameters

    known = owned_parameters(tuners)
    options: dict[str, dict[str, Any]] = {}
    for name, values in listed_values("--set", texts, known).items():
        tuner, dot, key = name.rpartition(".")
        if not dot or name not in known or len(values) > 1:
            raise OptionError(
                f"--set has '{name}', expected TUNER.KEY=VALUE with one of the "
                f"tuners {', '.join(tuners)} and an option that it has"
            )
        options.setdefault(tuner, {})[key] = values[0]
    return options
