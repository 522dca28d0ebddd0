"""What each weight does: its feature's range, its say in the choices, and what it is worth.

Example
-------
  tunesmith describe --nbest dev.nbest --refs dev.ref --weights weights.tsv

`say` is |weight| × spread of the feature within a list, in per cent of all features; `lost` is how
many points the score falls when the weight is set to 0.
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.cli.nbest_options import add_reading_options
    from tunesmith.metrics.preprocess import TOKENIZERS

    parser.add_argument("--nbest", nargs="+", required=True, metavar="FILE", help="n-best lists")
    parser.add_argument(
        "--refs", nargs="+", default=[], metavar="FILE",
        help="reference files; not needed for a column",
    )  # fmt: skip
    parser.add_argument("--weights", required=True, metavar="FILE", help="tsv, Moses or cdec")
    parser.add_argument("--metric", default="bleu", help="(default: %(default)s)")
    parser.add_argument("--tokenize", choices=TOKENIZERS, default="none", help="(default: none)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_reading_options(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print a table, the most important feature first."""
    import json
    from dataclasses import asdict

    from tunesmith.cli.nbest_options import metric_line, reading_options
    from tunesmith.engine import default_threads
    from tunesmith.formats.weights import read_weights
    from tunesmith.metrics import parse_metric
    from tunesmith.tune.describe import describe_weights
    from tunesmith.tune.pool import read_pool

    metric = parse_metric(arguments.metric, tokenize=arguments.tokenize)
    threads = arguments.threads or default_threads()
    pool = read_pool(arguments.nbest, arguments.refs, metric, **reading_options(arguments))
    rows = describe_weights(pool, metric, read_weights(arguments.weights), threads=threads)
    if arguments.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return
    width = max(len("feature"), *(len(row.name) for row in rows))
    print(
        f"{'feature':<{width}} {'weight':>10} {'range':>21} {'say':>6} {'lost':>7} {'changed':>8}"
    )
    for row in rows:
        spread = f"{row.low:.4g} … {row.high:.4g}"
        print(
            f"{row.name:<{width}} {row.weight:>10.4f} {spread:>21} {row.contribution:>6.1%} "
            f"{row.lost:>7.2f} {row.changed:>8,}"
        )
    print(metric_line(metric, len(arguments.refs)))
