"""Choose from n-best lists with given weights.

Examples
--------
  tunesmith rerank --nbest test.nbest --weights weights.tsv --out test.txt
  tunesmith rerank --nbest test.nbest --weights weights.tsv --nbest-out sorted.nbest
  tunesmith rerank --nbest test.nbest --weights weights.tsv --src test.de --out test.txt
  tunesmith rerank --nbest test.nbest --weights weights.tsv --explain 0,17

Features that `tune --add` computed are kept beside the weights and computed here too.
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.cli._options import output_file
    from tunesmith.cli.feature_options import add_feature_options
    from tunesmith.cli.nbest_options import add_reading_options, names

    parser.add_argument("--nbest", required=True, metavar="FILE", help="list; - is standard input")
    parser.add_argument("--weights", required=True, metavar="FILE", help="tsv, Moses or cdec")
    parser.add_argument(
        "--out", type=output_file, metavar="FILE", help="best texts (default: standard output)"
    )
    parser.add_argument(
        "--nbest-out", type=output_file, metavar="FILE", help="the whole list, best first"
    )
    parser.add_argument(
        "--explain", type=names, metavar="ID,…",
        help="print why the first of these sentences' hypotheses beats the second instead: the "
        "weight of each feature times the difference of its values",
    )  # fmt: skip
    add_feature_options(parser)
    add_reading_options(parser)


def run(arguments: argparse.Namespace) -> None:
    """Write the best text of every sentence, and the sorted list on request."""
    from tunesmith.base.atomic import atomic_text
    from tunesmith.base.errors import OptionError
    from tunesmith.cli.feature_options import asked_features, with_features
    from tunesmith.cli.nbest_options import reading_options
    from tunesmith.formats.nbest import read_nbest
    from tunesmith.formats.nbest_write import write_nbest
    from tunesmith.formats.weight_names import matching_weights
    from tunesmith.formats.weights import read_weights
    from tunesmith.rescore import kept_features
    from tunesmith.tune.explain import explain, sentence_of
    from tunesmith.tune.rerank import sorted_by

    if arguments.explain is not None and arguments.nbest_out is not None:
        raise OptionError("--explain goes without --nbest-out")
    features = kept_features(arguments.weights)
    if features and arguments.add:
        raise OptionError(f"--add, but {arguments.weights} has the features that it was tuned with")
    nbest = with_features(
        read_nbest(arguments.nbest, **reading_options(arguments)),
        features or asked_features(arguments), arguments, arguments.nbest,
    )  # fmt: skip
    weights = matching_weights(
        read_weights(arguments.weights), arguments.weights, "list", nbest.dense_names,
        set(nbest.names).__contains__,
    )  # fmt: skip
    if arguments.explain is not None:
        places = [sentence_of(nbest, name) for name in arguments.explain]
        with atomic_text(arguments.out) as out:
            out.write("\n\n".join(str(explain(nbest, weights, place)) for place in places) + "\n")
        return
    if arguments.nbest_out is not None:
        write_nbest(arguments.nbest_out, sorted_by(nbest, weights), nbest.dialect)
        if arguments.out is None:
            return
    with atomic_text(arguments.out) as out:
        for row in nbest.best(weights):
            out.write(f"{nbest.texts[int(row)] if row >= 0 else ''}\n")
