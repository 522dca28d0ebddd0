"""The best and the worst choice from n-best lists that greedy search finds.

One sentence's choice at a time is replaced by what changes the corpus score most, until nothing
does (Venugopal & Vogel, 2005). For a metric that is a mean over sentences that is the best of all
choices; for BLEU and its like there may be a slightly better one.

Example
-------
  tunesmith oracle --nbest dev.nbest --refs dev.ref --out best-possible.txt
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.cli._options import output_file
    from tunesmith.cli.metric_options import add_reference_length
    from tunesmith.cli.nbest_options import add_reading_options
    from tunesmith.metrics.preprocess import TOKENIZERS

    parser.add_argument("--nbest", required=True, metavar="FILE", help="an n-best list")
    parser.add_argument(
        "--refs", nargs="+", default=[], metavar="FILE",
        help="reference files; not needed for a column",
    )  # fmt: skip
    parser.add_argument("--metric", default="bleu", help="(default: %(default)s)")
    parser.add_argument("--tokenize", choices=TOKENIZERS, default="none", help="(default: none)")
    add_reference_length(parser)
    parser.add_argument("--out", type=output_file, metavar="FILE", help="write the best choice")
    add_reading_options(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print first, best and worst scores."""
    import numpy as np

    from tunesmith.base.atomic import atomic_text
    from tunesmith.base.errors import InputError
    from tunesmith.cli.nbest_options import reading_options
    from tunesmith.formats.nbest import read_nbest
    from tunesmith.formats.references import read_references
    from tunesmith.metrics import parse_metric
    from tunesmith.tune.baselines import first_entries
    from tunesmith.tune.oracle import greedy_oracle
    from tunesmith.tune.pool import PoolBuilder

    metric = parse_metric(
        arguments.metric,
        tokenize=arguments.tokenize,
        reference_length=arguments.reference_length,
    )
    engine = arguments.engine
    nbest = read_nbest(arguments.nbest, **reading_options(arguments, metric))
    references = read_references(arguments.refs) if arguments.refs else nbest.own_references
    if references and len(references[0]) != nbest.sentences:
        raise InputError(
            arguments.nbest, 0, f"{nbest.sentences:,} sentences",
            f"{len(references[0]):,}, as {arguments.refs[0]} has",
        )  # fmt: skip
    # One row per hypothesis, in the list's order, so that rows name texts: no feature is needed
    # but a running number, which keeps equal hypotheses apart, and what the metric reads.
    builder = PoolBuilder(metric, references, engine=engine)
    numbers = np.arange(nbest.rows, dtype=np.float32)
    columns = [numbers, *(nbest.column(name) for name in metric.columns)]
    builder.add(
        nbest.sentence_ids(), list(nbest.texts), np.column_stack(columns),
        ["", *metric.columns],
    )  # fmt: skip
    pool = builder.finish()
    best = greedy_oracle(pool, metric, engine=engine)
    worst = greedy_oracle(pool, metric, worst=True, engine=engine)
    first = metric.score(pool.stats_of(first_entries(pool)))
    places = metric.places(worst.score, best.score)
    for name, score in (("first", first), ("best", best.score), ("worst", worst.score)):
        print(f"{name:<6} {score:7.{places}f}")
    print(metric.line(len(references)))
    if arguments.out is not None:
        with atomic_text(arguments.out) as out:
            # A sentence whose hypotheses were all skipped as bad keeps its line.
            chosen = dict(zip(nbest.sentence_ids()[best.rows].tolist(), best.rows, strict=True))
            for sentence in range(nbest.sentences):
                out.write(f"{nbest.texts[int(chosen[sentence])] if sentence in chosen else ''}\n")
