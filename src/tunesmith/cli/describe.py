"""What each weight does: its feature's range, its say in the choices, and what it is worth.

Example
-------
  tunesmith describe --nbest dev.nbest --refs dev.ref --weights weights.tsv
  tunesmith describe --nbest dev.nbest --refs dev.ref --weights weights.tsv --along lm --plot lm.svg

`say` is |weight| × spread of the feature within a list, in per cent of all features; `lost` is how
many points the score falls when the weight is set to 0.

--along prints the score and the objective of svm-1-slack for other values of one weight, the others
as they are, in standardised units where all weights together have length 1 (Hayashi et al. 2009,
Figure 2).
"""

import argparse
from typing import TYPE_CHECKING

from tunesmith.engine import EngineLike

if TYPE_CHECKING:
    from tunesmith.base.pool import KBestPool
    from tunesmith.base.weights import Weights
    from tunesmith.evaluate.charts import LineChart
    from tunesmith.metrics.base import Metric
    from tunesmith.tune.along import Along
    from tunesmith.tune.base import Vector

# A picture has fewer dots than this, and every point is a pass over the lists.
MOST_POINTS = 10_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.cli.metric_options import add_reference_length
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
    add_reference_length(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")
    along = parser.add_argument_group("one weight")
    along.add_argument(
        "--along", metavar="FEATURE", help="the score and an objective along the weight of this"
    )
    along.add_argument(
        "--range", nargs=2, type=float, default=(-4.0, 4.0), metavar="X",
        help="from and to where (default: -4 4)",
    )  # fmt: skip
    along.add_argument("--points", type=int, default=81, metavar="N", help="(default: 81)")
    along.add_argument(
        "--Q", type=float, default=1000.0, metavar="X", help="of svm-1-slack (default: 1000)"
    )
    along.add_argument(
        "--l2", type=float, nargs="+", default=[0.01, 1.0, 100.0], metavar="X",
        help="of svm-1-slack (default: 0.01 1 100)",
    )  # fmt: skip
    along.add_argument("--plot", metavar="FILE", help="a picture, SVG or PNG by its name")
    add_reading_options(parser)


def run(arguments: argparse.Namespace) -> None:
    """Print a table: the most important feature first, or the values of one weight."""
    import json
    from dataclasses import asdict

    from tunesmith.base.errors import OptionError
    from tunesmith.cli.nbest_options import reading_options
    from tunesmith.evaluate.charts import check_picture
    from tunesmith.formats.weights import read_weights
    from tunesmith.metrics import parse_metric
    from tunesmith.tune.describe import describe_weights
    from tunesmith.tune.pool import read_pool

    if arguments.plot and not arguments.along:
        raise OptionError("--plot needs --along FEATURE")
    if arguments.plot:
        check_picture(arguments.plot)
    metric = parse_metric(
        arguments.metric,
        tokenize=arguments.tokenize,
        reference_length=arguments.reference_length,
    )
    engine = arguments.engine
    reading = reading_options(arguments, metric)
    pool = read_pool(arguments.nbest, arguments.refs, metric, texts=False, **reading)
    weights = read_weights(arguments.weights)
    if arguments.along:
        _along(arguments, pool, metric, weights, engine)
        return
    rows = describe_weights(pool, metric, weights, engine=engine)
    if arguments.json:
        print(json.dumps([asdict(row) for row in rows], indent=1))
        return
    width = max(len("feature"), *(len(row.name) for row in rows))
    places = metric.places(0.0, max(abs(row.lost) for row in rows))
    wide = max(7, *(len(f"{row.lost:.{places}f}") for row in rows))
    print(
        f"{'feature':<{width}} {'weight':>10} {'range':>21} {'say':>6} {'lost':>{wide}} "
        f"{'changed':>8}"
    )
    for row in rows:
        spread = f"{row.low:.4g} … {row.high:.4g}"
        print(
            f"{row.name:<{width}} {row.weight:>10.4f} {spread:>21} {row.contribution:>6.1%} "
            f"{row.lost:>{wide}.{places}f} {row.changed:>8,}"
        )
    print(metric.line(len(arguments.refs)))


def _along(
    arguments: argparse.Namespace,
    pool: "KBestPool",
    metric: "Metric",
    weights: "Weights",
    engine: EngineLike,
) -> None:
    import json
    from dataclasses import asdict

    import numpy as np

    from tunesmith.base.errors import OptionError
    from tunesmith.evaluate.charts import save
    from tunesmith.tune.along import along_weight

    low, high = arguments.range
    if not low < high or not 2 <= arguments.points <= MOST_POINTS:
        raise OptionError(
            f"--range is {low:g} {high:g} and --points {arguments.points}, expected a smaller and "
            f"a larger number, and 2 to {MOST_POINTS} points"
        )
    found = along_weight(
        pool, metric, weights, arguments.along, np.linspace(low, high, arguments.points).tolist(),
        Q=arguments.Q, l2=list(dict.fromkeys(arguments.l2)), engine=engine,
    )  # fmt: skip
    if arguments.plot:
        save(_picture(found, metric), arguments.plot)
    if arguments.json:
        record = {
            **asdict(found),
            "values": found.values.tolist(),
            "scores": found.scores.tolist(),
            "objectives": {f"{key:g}": line.tolist() for key, line in found.objectives.items()},
        }
        print(json.dumps(record, indent=1))
        return
    print(f"{found.feature}: {found.here:.4f} in the weights given")
    print(
        "\t".join(["weight", metric.name, *(f"objective, l2={key:g}" for key in found.objectives)])
    )
    for value, *row in zip(found.values, found.scores, *found.objectives.values(), strict=True):
        print("\t".join([f"{value:.4f}", *(f"{number:.4f}" for number in row)]))
    print(metric.line(len(arguments.refs)))


def _picture(found: "Along", metric: "Metric") -> "LineChart":
    """Curves that all should be low, each in parts of its own range."""
    from tunesmith.evaluate.charts import LineChart, Point

    sign = -1.0 if metric.higher_is_better else 1.0
    curves = {
        f"{'−' if sign < 0 else ''}{metric.name}": sign * found.scores,
        **{f"svm l2={key:g}": line for key, line in found.objectives.items()},
    }
    return LineChart(
        f"Along the weight of {found.feature}", "weight, standardised",
        "from best (0) to worst (1)",
        {
            name: [
                Point(x, y)
                for x, y in zip(found.values.tolist(), _in_range(line).tolist(), strict=True)
            ]
            for name, line in curves.items()
        },
    )  # fmt: skip


def _in_range(line: "Vector") -> "Vector":
    import numpy as np

    low, high = float(line.min()), float(line.max())
    return np.asarray((line - low) / (high - low or 1.0))
