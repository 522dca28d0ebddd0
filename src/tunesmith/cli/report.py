"""A report of runs as one HTML page: curves, weights, scores, sentences that changed, time.

RUN is a model of `train` or its work folder, a work folder of `tune` (by decoding), the folder of a
comparison, or that of a learner. Several runs are compared side by side, also of different kinds;
the first is what the others are tested against. The page needs nothing else: no network, no other
file, light and dark, on paper too.

Examples
--------
  tunesmith report model --out report.html
  tunesmith report model bigger-model --out both.html --pictures figures/
  tunesmith report comparison --title "Tuners on Multi30k" --out comparison.html
"""

import argparse
import inspect

from tunesmith.cli._options import SEED, add_threads, filled_folder, output_file, whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; defaults are those of `run_report`."""
    from tunesmith.evaluate.report import run_report
    from tunesmith.metrics.resample import MAX_SAMPLES

    known = inspect.signature(run_report).parameters
    parser.add_argument("runs", nargs="+", metavar="RUN", help="the folder of a run")
    parser.add_argument(
        "--out", type=output_file, default="report.html", metavar="FILE",
        help="the page (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--pictures", type=filled_folder, metavar="FOLDER", help="its pictures as SVG and PNG too"
    )
    parser.add_argument("--title", default="", help="its title (default: the names of the runs)")
    parser.add_argument(
        "--sentences", type=whole(0), default=known["sentences"].default, metavar="N",
        help="sentences of each kind that are shown (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--bootstrap-samples", type=whole(0, MAX_SAMPLES),
        default=known["bootstrap_samples"].default, metavar="N",
        help="resampled test sets; 0 for no intervals (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--randomisation-trials", type=whole(0, MAX_SAMPLES),
        default=known["randomisation_trials"].default, metavar="N",
        help="trials of approximate randomisation; 0 for none (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--seed", type=SEED, default=known["seed"].default, help="(default: %(default)s)"
    )
    add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Write the page and say where it is."""
    from tunesmith.evaluate.charts import check_plots
    from tunesmith.evaluate.report import run_report, write_report

    check_plots()
    report = run_report(
        arguments.runs,
        title=arguments.title,
        sentences=arguments.sentences,
        bootstrap_samples=arguments.bootstrap_samples,
        randomisation_trials=arguments.randomisation_trials,
        seed=arguments.seed,
        engine=arguments.engine,
    )
    write_report(report, arguments.out, pictures=arguments.pictures)
    if arguments.out != "-":
        print(arguments.out)
