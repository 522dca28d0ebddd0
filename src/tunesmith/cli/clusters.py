"""Classes of words from text, in a hierarchy (Brown clustering).

Text has one tokenised sentence per line (plain, gzip or xz; - is standard input). The output has
lines of path, word and count between tabs: a path of 0s and 1s leads from the root of a binary tree
to the class of the word, so the first 4 or 6 bits name coarser classes.

Example:
  tunesmith clusters --text train.en --classes 500 --out clusters.en
  tunesmith lm train --classes clusters.en --order 7 --out classes.lm train.en

Brown et al. (1992), Class-Based n-gram Models of Natural Language; classes are found by exchange
(Kneser and Ney 1993) and merged in pairs.
"""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    from tunesmith.cli._options import add_parameters, output_file
    from tunesmith.corpus.clusters import Clustering

    parser.add_argument(
        "--text", nargs="+", default=["-"], metavar="FILE", help="default: standard input"
    )
    parser.add_argument(
        "--out",
        "-o",
        type=output_file,
        default="-",
        metavar="FILE",
        help="default: standard output",
    )
    add_parameters(parser, Clustering)


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    from itertools import chain

    from tunesmith.base.errors import InputError
    from tunesmith.base.log import log
    from tunesmith.cli._options import given_parameters
    from tunesmith.corpus.clusters import Clustering
    from tunesmith.corpus.sentences import Sentences
    from tunesmith.formats.text import iter_lines

    clustering = Clustering(**given_parameters(arguments, Clustering))
    lines = chain.from_iterable(iter_lines(path) for path in arguments.text)
    text = Sentences.from_lines(lines, engine=clustering.engine)
    if not len(text.ids):
        name = "<stdin>" if arguments.text[0] == "-" else arguments.text[0]
        raise InputError(name, 0, "no words", "sentences, one per line")
    clusters = clustering.fit_sentences(text)
    clusters.save(arguments.out)
    log.info(
        f"{len(clusters):,} words in {len(clusters.paths()):,} classes, "
        f"mutual information {clusters.information:.4f} nats"
    )
