"""Scores of one or several outputs against references, with confidence intervals and tests.

The numbers are sacreBLEU's (and jiwer's, for wer and cer), each with its signature, which says so
where they are not (--reference-length). The first --hyp
is the baseline; the others are compared with it by paired bootstrap resampling and by approximate
randomisation. All files have one sentence per line and may be packed (gzip, xz, bzip2); - is
standard input.

    tunesmith evaluate --hyp base.txt --hyp new.txt --refs ref.txt --metric bleu --metric chrf++
    tunesmith evaluate --hyp base.txt --hyp new.txt --refs ref.txt --src source.txt --html page.html
    tunesmith evaluate --hyp tokenised.txt --refs ref0 ref1 --tokenize none --json

Metrics: bleu, chrf, chrf++, ter, wer, cer, and weighted sums such as bleu-ter or bleu+0.5*chrf.

See Post (2018), A Call for Clarity in Reporting BLEU Scores; Koehn (2004), Statistical Significance
Tests for Machine Translation Evaluation; Riezler and Maxwell (2005), On Some Pitfalls in Automatic
Evaluation and Significance Testing for MT.
"""

import argparse
import inspect
from collections.abc import Sequence

from tunesmith.cli._options import SEED, add_threads, output_file, whole

DEFAULT_METRICS = ("bleu", "chrf", "ter")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the verb."""
    from tunesmith.cli.metric_options import add_reference_length
    from tunesmith.evaluate import compare_systems
    from tunesmith.evaluate.report import output_report
    from tunesmith.metrics import parse_metric
    from tunesmith.metrics.preprocess import TOKENIZERS
    from tunesmith.metrics.resample import MAX_SAMPLES

    parse = inspect.signature(parse_metric).parameters
    compare = inspect.signature(compare_systems).parameters
    report = inspect.signature(output_report).parameters
    parser.add_argument(
        "--hyp", action="append", required=True, metavar="FILE", help="outputs of one system"
    )
    parser.add_argument(
        "--refs", nargs="+", required=True, metavar="FILE", help="reference files, one or more"
    )
    parser.add_argument(
        "--metric",
        action="append",
        metavar="METRIC",
        help=f"what to score by; may be repeated (default: {', '.join(DEFAULT_METRICS)})",
    )
    parser.add_argument(
        "--tokenize",
        choices=TOKENIZERS,
        default=parse["tokenize"].default,
        help="sacreBLEU's tokeniser for BLEU; none for text that is tokenised "
        "(default: %(default)s)",
    )
    add_reference_length(parser)
    parser.add_argument("--lowercase", action="store_true", help="ignore case")
    parser.add_argument(
        "--bootstrap-samples",
        type=whole(0, MAX_SAMPLES),
        default=compare["bootstrap_samples"].default,
        metavar="N",
        help="resampled test sets; 0 for no bootstrap (default: %(default)s)",
    )
    parser.add_argument(
        "--randomisation-trials",
        type=whole(0, MAX_SAMPLES),
        default=compare["randomisation_trials"].default,
        metavar="N",
        help="trials of approximate randomisation; 0 for none (default: %(default)s)",
    )
    page = parser.add_argument_group("a page with scores, lengths, n-grams and sentences")
    page.add_argument(
        "--html", type=output_file, metavar="FILE", help="write it there, of the first metric"
    )
    page.add_argument("--src", metavar="FILE", help="source sentences to show beside the outputs")
    page.add_argument(
        "--sentences", type=whole(0), default=report["sentences"].default, metavar="N",
        help="sentences of each kind that are shown (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--seed", type=SEED, default=compare["seed"].default, help="(default: %(default)s)"
    )
    add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print one block per metric."""
    from tunesmith.base.errors import OptionError
    from tunesmith.evaluate import compare_systems
    from tunesmith.evaluate.charts import check_plots
    from tunesmith.evaluate.report import output_report, write_report
    from tunesmith.evaluate.table import as_json, as_text
    from tunesmith.formats.text import read_lines
    from tunesmith.metrics import parse_metric

    if arguments.src and not arguments.html:
        raise OptionError("--src is for a page: give --html FILE too")
    if arguments.html:
        check_plots()
    if [*arguments.hyp, *arguments.refs, arguments.src].count("-") > 1:
        raise OptionError("standard input (-) can be read only once")
    if len(set(arguments.hyp)) < len(arguments.hyp):
        raise OptionError("the same file is given twice with --hyp")
    metrics = [
        parse_metric(
            text,
            tokenize=arguments.tokenize,
            lowercase=arguments.lowercase,
            reference_length=arguments.reference_length,
        )
        for text in arguments.metric or DEFAULT_METRICS
    ]
    references = [read_lines(path) for path in arguments.refs]
    systems = {path: read_lines(path) for path in arguments.hyp}
    source = read_lines(arguments.src) if arguments.src else None
    files = [*zip(arguments.refs, references, strict=True), *systems.items()]
    _check_lengths(files if source is None else [*files, (arguments.src, source)])
    _warn(systems, dict(zip(arguments.refs, references, strict=True)), arguments.tokenize)
    if any("bleu" in text for text in arguments.metric or DEFAULT_METRICS):
        _warn_of_script(arguments.refs[0], references[0], arguments.tokenize)
    settings = {
        "bootstrap_samples": arguments.bootstrap_samples,
        "randomisation_trials": arguments.randomisation_trials,
        "seed": arguments.seed,
    }
    comparisons = compare_systems(systems, references, metrics, engine=arguments.engine, **settings)
    if arguments.html:
        page = output_report(
            systems, references, metrics, source=source, sentences=arguments.sentences,
            engine=arguments.engine, others=comparisons[1:], **settings,
        )  # fmt: skip
        write_report(page, arguments.html)
    if arguments.json:
        print(as_json(comparisons, settings=settings))
    else:
        print(as_text(comparisons, tests=_tests(len(systems), settings)))


def _check_lengths(files: Sequence[tuple[str, list[str]]]) -> None:
    from tunesmith.base.errors import InputError

    first, lines = files[0]
    if not lines:
        raise InputError(first, 0, "no lines", "one sentence per line")
    for path, others in files[1:]:
        if len(others) < len(lines):
            found, line = f"the file ends after {len(others)} lines", len(others) + 1
        elif len(others) > len(lines):
            found, line = "one line too many", len(lines) + 1
        else:
            continue
        raise InputError(
            path,
            line,
            found,
            f"{len(lines)} lines as in {first}",
            "outputs and references must be of the same sentences in the same order",
        )


def _warn(systems: dict[str, list[str]], references: dict[str, list[str]], tokenize: str) -> None:
    from tunesmith.base.log import log

    for path, lines in systems.items():
        for reference, others in references.items():
            if lines == others:
                log.warning("%s is the same text as reference %s", path, reference)
        # sacreBLEU's sign of text that was tokenised before.
        if tokenize != "none" and sum(line.endswith(" .") for line in lines) >= 100:
            log.warning(
                "%s looks tokenised (lines end in ' .'): give detokenised text, or --tokenize none",
                path,
            )


def _warn_of_script(path: str, lines: list[str], tokenize: str) -> None:
    """Say which tokeniser `train` counts with, where BLEU's own takes sentences for words."""
    from tunesmith.base.log import log
    from tunesmith.corpus.choosing import kind_of
    from tunesmith.train.scoring import bleu_tokenizer

    kind = kind_of(lines)
    if tokenize in ("13a", "none", "intl") and kind.tokenizer == "unigram":
        log.warning(
            "%s is in a script without spaces, of which BLEU with --tokenize %s counts whole runs "
            "as words: --tokenize %s",
            path,
            tokenize,
            bleu_tokenizer(kind.language),
        )


def _tests(systems: int, settings: dict[str, int]) -> str:
    parts = []
    if settings["bootstrap_samples"]:
        parts.append(f"bootstrap: {settings['bootstrap_samples']} samples")
    if settings["randomisation_trials"] and systems > 1:
        parts.append(f"approximate randomisation: {settings['randomisation_trials']} trials")
    return f"{', '.join(parts)}, seed {settings['seed']}" if parts else ""
