"""Search graphs and lattices: look into them, convert, prune, list their best, put together.

Graphs are our own binary files, Moses' search graphs (-output-search-graph and its extended form),
cdec's JSON forests (a line each, or a folder of files) and lattices in PLF; the format is found in
the file. `tunesmith translate MODEL --graph-out FILE` writes graphs.

Examples
--------
  tunesmith graph describe val.graphs
  tunesmith graph convert val.graphs val.json.gz --to cdec
  tunesmith graph convert val.osgx val.graphs --names d,w,lm,tm0,tm1
  tunesmith graph prune val.graphs small.graphs --weights w.tsv --density 50 --ref val.en
  tunesmith graph nbest val.graphs --weights w.tsv --size 100 --out val.nbest
  tunesmith graph consensus val.graphs --weights w.tsv --scale 4 > val.out
  tunesmith graph union run1.graphs run2.graphs --out both.graphs
"""

import argparse
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tunesmith.base.graph_pool import GraphPool

from tunesmith.cli._options import add_loudness, add_threads, output_file, whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the actions and their options."""
    from tunesmith.formats.graphs import GRAPH_FORMATS
    from tunesmith.formats.nbest import WRITTEN
    from tunesmith.graph import consensus
    from tunesmith.graph import prune as prune_graphs
    from tunesmith.graph.pruning import BY
    from tunesmith.graph.search import MAX_SIZE

    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def action(name: str, summary: str, *, weights: bool | None = None) -> argparse.ArgumentParser:
        sub = actions.add_parser(name, help=summary)
        add_loudness(sub, again=True)
        sub.add_argument("--from", dest="format", choices=("auto", *GRAPH_FORMATS), default="auto",
                         help="format that is read (default: auto)")  # fmt: skip
        sub.add_argument("--names", metavar="A,B,…",
                         help="names of features that the format has by place only")  # fmt: skip
        if weights is not None:
            sub.add_argument("--weights", metavar="FILE", required=weights,
                             help="tsv, Moses or cdec")  # fmt: skip
        add_threads(sub)
        return sub

    def writes(sub: argparse.ArgumentParser) -> None:
        sub.add_argument("--to", choices=GRAPH_FORMATS, default="tunesmith",
                         help="format that is written (default: tunesmith)")  # fmt: skip

    describe = action("describe", "sizes, features, how many derivations")
    describe.add_argument("graphs", metavar="FILE", help="graphs; - is standard input")

    convert = action("convert", "from one format to another", weights=False)
    convert.add_argument("graphs", metavar="IN", help="graphs; - is standard input")
    convert.add_argument(
        "out", type=output_file, metavar="OUT", help="file to write; - is standard output"
    )
    writes(convert)

    prune = action("prune", "keep the edges that matter", weights=True)
    prune.add_argument("graphs", metavar="IN")
    prune.add_argument("out", type=output_file, metavar="OUT")
    prune.add_argument("--density", type=float, metavar="X", help="edges per word that stay")
    prune.add_argument("--threshold", type=float, metavar="X",
                       help="drop edges this much (natural log) below the best")  # fmt: skip
    prune.add_argument("--by", choices=BY, default=_default(prune_graphs, "by"),
                       help="what an edge is worth (default: %(default)s)")  # fmt: skip
    prune.add_argument("--ref", metavar="FILE",
                       help="tokenised lines whose words --density counts "
                       "(default: words of the best)")  # fmt: skip
    prune.add_argument("--scale", type=float, default=_default(prune_graphs, "scale"), metavar="X",
                       help="factor of all scores (default: %(default)s)")  # fmt: skip
    writes(prune)

    nbest = action("nbest", "the best derivations as an n-best list", weights=True)
    nbest.add_argument("graphs", metavar="FILE")
    nbest.add_argument("--size", type=whole(1, MAX_SIZE), default=100, metavar="K",
                       help="translations of each sentence (default: 100)")  # fmt: skip
    nbest.add_argument("--duplicates", action="store_true",
                       help="list derivations, not distinct words")  # fmt: skip
    nbest.add_argument("--out", type=output_file, metavar="FILE", help="default: standard output")
    nbest.add_argument("--to", choices=WRITTEN,
                       default="tunesmith", metavar="FORMAT",
                       help="format of the list (default: tunesmith)")  # fmt: skip

    agree = action("consensus", "the translation most like all others", weights=True)
    agree.add_argument("graphs", metavar="FILE")
    agree.add_argument("--out", type=output_file, metavar="FILE", help="default: standard output")
    for name, type_, meaning in (
        ("scale", float, "factor of all scores: large values listen to the best only"),
        ("candidates", int, "translations that are compared"),
        ("order", int, "longest n-grams that count"),
    ):
        agree.add_argument(f"--{name}", type=type_, default=_default(consensus, name), metavar="N",
                           help=f"{meaning} (default: %(default)s)")  # fmt: skip

    both = action("union", "graphs of the same sentences put together", weights=False)
    both.add_argument("graphs", metavar="FILE", nargs="+")
    both.add_argument("--out", type=output_file, required=True, metavar="FILE")
    writes(both)


def _default(function: Callable[..., object], name: str) -> object:
    return inspect.signature(function).parameters[name].default


def run(arguments: argparse.Namespace) -> None:
    """Do what the action says."""
    {
        "describe": _describe,
        "convert": _convert,
        "prune": _prune,
        "nbest": _nbest,
        "consensus": _consensus,
        "union": _union,
    }[arguments.action](arguments)


def _read(arguments: argparse.Namespace, path: str | None = None) -> "GraphPool":
    from tunesmith.formats.graphs import read_graphs

    names = arguments.names.split(",") if arguments.names else []
    return read_graphs(path or arguments.graphs, arguments.format, names=names)


def _describe(arguments: argparse.Namespace) -> None:
    from tunesmith.graph.describe import describe_graphs

    print(describe_graphs(_read(arguments), engine=arguments.engine))


def _weights(arguments: argparse.Namespace) -> "dict[str, float] | None":
    from tunesmith.formats.weights import read_weights

    return dict(read_weights(arguments.weights)) if arguments.weights else None


def _write(arguments: argparse.Namespace, pool: "GraphPool") -> None:
    from tunesmith.formats.graphs import write_graphs

    write_graphs(
        arguments.out, pool, arguments.to, weights=_weights(arguments), engine=arguments.engine
    )


def _convert(arguments: argparse.Namespace) -> None:
    _write(arguments, _read(arguments))


def _prune(arguments: argparse.Namespace) -> None:
    from tunesmith.base.errors import InputError
    from tunesmith.formats.text import read_lines
    from tunesmith.graph import prune

    pool = _read(arguments)
    counts = None
    if arguments.ref:
        counts = [len(line.split(" ")) for line in read_lines(arguments.ref)]
        if len(counts) != len(pool):
            raise InputError(
                arguments.ref, 0, f"{len(counts):,} lines", f"{len(pool):,}, as graphs"
            )
    small = prune(
        pool,
        _weights(arguments) or {},
        density=arguments.density,
        threshold=arguments.threshold,
        by=arguments.by,
        word_counts=counts,
        scale=arguments.scale,
        engine=arguments.engine,
    )
    _write(arguments, small)


def _nbest(arguments: argparse.Namespace) -> None:
    from tunesmith.formats.nbest_write import write_nbest
    from tunesmith.graph import kbest

    pool = _read(arguments)
    distinct = not arguments.duplicates
    found = kbest(
        pool, _weights(arguments) or {}, arguments.size, distinct=distinct,
        engine=arguments.engine,
    )  # fmt: skip
    write_nbest(arguments.out, found.nbest(), arguments.to)


def _consensus(arguments: argparse.Namespace) -> None:
    from tunesmith.base.atomic import atomic_text
    from tunesmith.graph import consensus

    pool = _read(arguments)
    found = consensus(
        pool,
        _weights(arguments) or {},
        scale=arguments.scale,
        candidates=arguments.candidates,
        order=arguments.order,
        engine=arguments.engine,
    )
    _warn_of_empty(pool)
    with atomic_text(arguments.out) as out:
        out.writelines(f"{text}\n" for text in found.best_texts())


def _union(arguments: argparse.Namespace) -> None:
    from tunesmith.graph import union

    pools = [_read(arguments, path) for path in arguments.graphs]
    _write(arguments, union(pools, engine=arguments.engine))


def _warn_of_empty(pool: "GraphPool") -> None:
    from tunesmith.base.log import log

    empty = [str(sentence + 1) for sentence in pool.empty_sentences()]
    if empty:
        shown = ", ".join(empty[:10]) + (", …" if len(empty) > 10 else "")
        log.warning("no derivation of %s of %s sentences: %s", len(empty), len(pool), shown)
