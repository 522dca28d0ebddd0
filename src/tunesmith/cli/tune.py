"""Learn weights: from n-best lists of any system, or for a model by decoding a dev set.

Examples
--------
  tunesmith tune --nbest dev.nbest --refs dev.ref --out weights.tsv
  tunesmith tune --nbest run1 run2 --refs ref0 ref1 --metric chrf --tuner kb-mert --out w.tsv
  tunesmith tune --nbest asr.jsonl --refs dev.txt --metric wer --start old.tsv --out w.tsv
  tunesmith tune --nbest dev.nbest --refs dev.ref --cv 2 --grid C=0.05,0.2,0.8 --out w.tsv
  tunesmith tune model --dev-src dev.de --dev-ref dev.en --out model2
  tunesmith tune model --tuner lb-mira --dev-src dev.de --dev-ref dev.en --out model2

Scores are sacreBLEU's, with its signature. `first` is your system as it is: the first entry of each
list. `held out` is what to expect on new sentences: each half of the lists scored with weights that
were tuned, and settings that were chosen, on the other half; its interval is that of the bootstrap
over sentences. `alone` is the best feature by itself.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.cli._options import (
    SEED,
    add_engine,
    add_input_type,
    add_parameters,
    filled_folder,
    given_parameters,
    output_file,
    output_folder,
    whole,
)
from tunesmith.cli.tuner_options import (
    add_tuner_options,
    given_tuner_options,
    hyper_parameters,
    listed_values,
    tuner_names,
)

if TYPE_CHECKING:
    from tunesmith.base.pool import KBestPool
    from tunesmith.base.weights import Weights
    from tunesmith.metrics.base import Metric
    from tunesmith.rescore import ListFeature
    from tunesmith.tune import AnyTuner, Tuner
    from tunesmith.tune.held_out import Choose


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; those of the tuners are their keywords."""
    from tunesmith.base.seeds import DEFAULT_SEED
    from tunesmith.cli.feature_options import add_feature_options
    from tunesmith.cli.metric_options import add_reference_length
    from tunesmith.cli.nbest_options import add_reading_options
    from tunesmith.features import FEATURE_SETS
    from tunesmith.metrics.preprocess import TOKENIZERS
    from tunesmith.model.search import ARC_SCORES
    from tunesmith.tune.loop import TuningLoop

    parser.add_argument("model", nargs="?", metavar="MODEL", help="a model to tune by decoding")
    parser.add_argument("--out", required=True, metavar="FILE", help="weights, or a new model")
    parser.add_argument(
        "--tuner", default="kb-mira", metavar="NAME",
        help=f"one of: {', '.join(tuner_names())}, or one of your own, FILE.py:CLASS",
    )  # fmt: skip
    parser.add_argument(
        "--metric", default="bleu",
        help="what to tune for, or FILE.py:NAME, a metric of your own (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--tokenize", choices=TOKENIZERS, help="sacreBLEU's tokeniser (default: none)"
    )
    add_reference_length(parser)
    parser.add_argument("--start", metavar="FILE", help="weights to begin with")
    parser.add_argument(
        "--seed", type=SEED, default=DEFAULT_SEED, metavar="N",
        help="seed of all chance (default: %(default)s)",
    )  # fmt: skip
    lists = parser.add_argument_group("from n-best lists")
    lists.add_argument("--nbest", nargs="+", metavar="FILE", help="lists of the same sentences")
    lists.add_argument("--refs", nargs="+", metavar="FILE", help="reference files, one or more")
    lists.add_argument(
        "--drop-sparse", action="store_true", help="leave sparse features out (line searches)"
    )
    lists.add_argument(
        "--no-held-out", action="store_true", help="do not estimate the score on new sentences"
    )
    lists.add_argument(
        "--grid", action="append", default=[], metavar="KEY=X,X…",
        help="values of a tuner's option to choose from by cross-validation; more than one --grid "
        "gives all combinations",
    )  # fmt: skip
    lists.add_argument(
        "--cv", type=whole(at_least=2), metavar="N",
        help="parts of the sentences for --grid: each is scored with weights tuned on the others "
        "(default: 2)",
    )  # fmt: skip
    add_feature_options(lists)
    add_reading_options(parser)
    loop = parser.add_argument_group("by decoding a dev set")
    loop.add_argument("--dev-src", metavar="FILE", help="source sentences")
    add_input_type(loop)
    loop.add_argument(
        "--arc-scores", choices=ARC_SCORES,
        help="what scores of a lattice's arcs are; they become features (default: the model's own, "
        f"or {ARC_SCORES[0]})",
    )  # fmt: skip
    loop.add_argument("--dev-ref", nargs="+", metavar="FILE", help="their references")
    loop.add_argument(
        "--decoder", metavar="COMMAND",
        help="any decoder instead of a model; {weights}, {nbest}, {size}, {source} are filled in",
    )  # fmt: skip
    loop.add_argument(
        "--features", choices=tuple(FEATURE_SETS), metavar="SET",
        help=f"tune the features of a smaller set alone: {', '.join(FEATURE_SETS)}; OUT is a model "
        "of that set",
    )  # fmt: skip
    loop.add_argument(
        "--work", type=filled_folder, metavar="FOLDER", help="state of the loop (default: OUT.work)"
    )
    add_parameters(loop, TuningLoop)
    add_engine(loop)
    options = parser.add_argument_group("hyper-parameters of the tuners")
    options.add_argument(
        "--set", action="append", default=[], metavar="KEY=X", help="one of a tuner of your own"
    )
    add_tuner_options(options)


def run(arguments: argparse.Namespace) -> None:
    """Tune from lists or by decoding."""
    from tunesmith.base.errors import OptionError
    from tunesmith.formats.weights import read_weights
    from tunesmith.metrics import parse_metric

    metric = parse_metric(
        arguments.metric,
        tokenize=arguments.tokenize or "none",
        reference_length=arguments.reference_length,
    )
    start = read_weights(arguments.start) if arguments.start else None
    if arguments.nbest:
        if arguments.model or arguments.decoder:
            raise OptionError("--nbest goes with neither a model nor --decoder")
        if arguments.cv is not None and not arguments.grid:
            raise OptionError("--cv needs --grid, the values to choose from")
        if not arguments.refs and not arguments.ref_column and metric.needs_text:
            raise OptionError("--nbest needs --refs")
        _from_lists(arguments, metric, start)
    elif arguments.grid or arguments.cv is not None:
        raise OptionError("--grid and --cv need --nbest")
    elif arguments.model or arguments.decoder:
        if not (arguments.dev_src or arguments.decoder) or not arguments.dev_ref:
            raise OptionError("tuning by decoding needs --dev-src and --dev-ref")
        _by_decoding(arguments, metric, start)
    else:
        raise OptionError("nothing to tune: give --nbest and --refs, or a model and --dev-src")


def _tuner(arguments: argparse.Namespace, *, in_loop: bool) -> "AnyTuner":
    """The tuner with the options that were given."""
    from tunesmith.base.errors import OptionError
    from tunesmith.tune import make_tuner

    given = given_tuner_options(arguments, arguments.tuner)
    own = listed_values("--set", arguments.set, hyper_parameters([arguments.tuner]))
    for key, values in own.items():
        if len(values) > 1 or key in given:
            raise OptionError(f"--set has '{key}' with more than one value")
        given[key] = values[0]
    return make_tuner(
        arguments.tuner, in_loop=in_loop, seed=arguments.seed, engine=arguments.engine, **given
    )


def _from_lists(arguments: argparse.Namespace, metric: "Metric", start: "Weights | None") -> None:
    from time import perf_counter

    from tunesmith.base.errors import OptionError
    from tunesmith.base.log import log
    from tunesmith.cli.feature_options import asked_features
    from tunesmith.formats.weight_names import warn_of_missing
    from tunesmith.formats.weights import write_weights
    from tunesmith.rescore.store import comment, keep_features
    from tunesmith.tune import Tuner
    from tunesmith.tune.nbest import tune_nbest

    output_file(arguments.out)
    begin = perf_counter()
    tuner = _tuner(arguments, in_loop=False)
    if not isinstance(tuner, Tuner):
        raise OptionError(
            f"{tuner.name} tunes on search graphs: give a model and --dev-src, not --nbest"
        )
    features = asked_features(arguments)
    pool = _pool(arguments, metric, features)
    reading = perf_counter() - begin
    choose = None
    if arguments.grid:
        tuner, choose = _cross_validated(arguments, tuner, pool, metric, start)
    tuning = tune_nbest(
        pool, metric, tuner, start, estimate=not arguments.no_held_out, choose=choose,
        references=max(1, len(arguments.refs or [])), start_is=arguments.start or "",
    )  # fmt: skip
    report = tuning.report
    keep_features(arguments.out, features)
    comments = [report.comment, *([comment(arguments.out)] if features else [])]
    write_weights(arguments.out, tuning.weights, comments=comments)
    print(report)
    print(f"{arguments.out} ({reading:.2f} s reading, {tuning.seconds:.2f} s tuning)")
    if start is not None:
        warn_of_missing(start, arguments.start, pool.dense_names, "begin with 0")
    for warning in report.warnings:
        log.warning(warning)


def _pool(
    arguments: argparse.Namespace, metric: "Metric", features: "list[ListFeature]"
) -> "KBestPool":
    """The lists as a pool, with computed features."""
    from tunesmith.base.errors import OptionError
    from tunesmith.cli.feature_options import with_features
    from tunesmith.cli.nbest_options import reading_options
    from tunesmith.formats.nbest import read_nbest
    from tunesmith.formats.references import read_references
    from tunesmith.rescore.merging import concatenated
    from tunesmith.tune.pool import read_pool

    options = reading_options(arguments, metric)
    if not features:
        if arguments.src is not None:
            raise OptionError("--src is for features that read the source: give --add too")
        return read_pool(
            arguments.nbest, arguments.refs or [], metric,
            drop_sparse=arguments.drop_sparse, texts=False, **options,
        )  # fmt: skip
    nbest = concatenated([read_nbest(path, **options) for path in arguments.nbest])
    nbest = with_features(nbest, features, arguments, arguments.nbest[0])
    references = read_references(arguments.refs) if arguments.refs else nbest.own_references
    return read_pool(
        nbest, references, metric, drop_sparse=arguments.drop_sparse, texts=False,
        engine=arguments.engine,
    )  # fmt: skip


def _cross_validated(
    arguments: argparse.Namespace,
    tuner: "Tuner",
    pool: "KBestPool",
    metric: "Metric",
    start: "Weights | None",
) -> "tuple[Tuner, Choose]":
    """The tuner with the best settings of --grid, and how they are chosen on other lists."""
    import dataclasses

    from tunesmith.tune.cross_validation import Trial, best_trial, choose_by, cross_validate

    grid = listed_values("--grid", arguments.grid, hyper_parameters([arguments.tuner]))

    def line(trial: Trial) -> str:
        return " ".join(f"{key}={value}" for key, value in trial.options.items())

    folds = 2 if arguments.cv is None else arguments.cv
    trials = cross_validate(
        tuner, grid, pool, metric, start, folds=folds,
        progress=lambda trial: print(
            f"tried     {trial.score:7.{metric.places(0.0, trial.score)}f}  {line(trial)}",
            flush=True,
        ),
    )  # fmt: skip
    best = best_trial(trials, metric)
    print(f"chosen             {line(best)}")
    return dataclasses.replace(tuner, **best.options), choose_by(grid, metric, start, folds=folds)


def _by_decoding(arguments: argparse.Namespace, metric: "Metric", start: "Weights | None") -> None:
    from tunesmith.base.errors import OptionError
    from tunesmith.base.rundir import file_hash
    from tunesmith.decode import Decoder, open_command, open_decoder
    from tunesmith.decode.base import SourceText
    from tunesmith.decode.reading import SentenceReader, arc_scores
    from tunesmith.formats.references import read_references
    from tunesmith.formats.text import read_lines
    from tunesmith.formats.weights import write_weights
    from tunesmith.model import TranslationModel
    from tunesmith.model.files import check_replaceable
    from tunesmith.tune.loop import TuningLoop
    from tunesmith.tune.sources import DecoderSource, check_features

    references = read_references(arguments.dev_ref)
    files = [*arguments.dev_ref, *([arguments.dev_src] if arguments.dev_src else [])]
    work = Path(arguments.work or f"{arguments.out}.work")
    model = None
    taken_as: dict[str, str] = {}
    if arguments.decoder:
        output_file(arguments.out)
        if start is None:
            raise OptionError("--decoder needs --start, the weights to begin with")
        sentences: SourceText = [""] * len(references[0])
        if arguments.dev_src:
            sentences = read_lines(arguments.dev_src)
        decoder: Decoder = open_command(arguments.decoder, work)
    else:
        check_replaceable(output_folder(arguments.out))
        model = TranslationModel.load(arguments.model)
        if arguments.features:
            model = model.restricted(arguments.features)
        check_features(_tuner(arguments, in_loop=True), sparse=model.has_sparse)
        lines = read_lines(arguments.dev_src)
        if arguments.input_type == "plf":
            model = model.with_arc_features(
                arc_scores(lines, arguments.dev_src), arguments.arc_scores
            )
            taken_as = {"scores of arcs": str(model.search.get("arc_scores", ""))}
        elif arguments.arc_scores:
            raise OptionError("--arc-scores needs --input-type plf")
        decoder = opened = open_decoder(model, engine=arguments.engine)
        reader = SentenceReader(opened, arguments.input_type)
        sentences = reader.read(lines, arguments.dev_src)
        references = [model.preprocessors[1].encode(list(lines)) for lines in references]
        start = model.read_weights(arguments.start) if arguments.start else model.initial_weights()
        files += [str(path) for path in model.files()]
    if len(sentences) != len(references[0]):
        raise OptionError(
            f"{arguments.dev_src} has {len(sentences):,} lines, {arguments.dev_ref[0]} "
            f"{len(references[0]):,}: expected equally many"
        )
    options = given_parameters(arguments, TuningLoop)
    source = DecoderSource(decoder, sentences)
    loop = TuningLoop(source, _tuner(arguments, in_loop=True), metric, references, **options)
    result = loop.run(
        start,
        work,
        identity={path: file_hash(path) for path in files} | taken_as,
        report=lambda number, turn: print(
            f"iteration {number:2d}  {turn.score:7.2f}  {turn.hypotheses:,} {turn.unit}", flush=True
        ),
    )
    if model is None:
        write_weights(arguments.out, result.weights)
    else:
        model.with_weights(result.weights, arguments.out)
    print(f"best      {result.score:7.2f}  {metric.line(len(references))}")
    print(arguments.out)
