"""Cut parallel text into shards with the grammars of their sentences, to learn on many machines.

The rules of a sentence are those that the other pairs of the text give (leave-one-out), looked up
in an index of hierarchical rules. A run that was killed goes on where it was; --check says whether
all shards are as the manifest has them.

Examples
--------
  tunesmith shard --work model.work --out shards
  tunesmith shard --src train.de --tgt train.en --links train.links --out shards --size 1000
  tunesmith shard --src train.de --tgt train.en --links train.links --out shards --engine ray
  tunesmith shard --check --out shards

Texts are tokenised, as the links are. With --work they come, with links and index, from the work
folder of `tunesmith train --model hiero`.

Simianer, Riezler and Dyer (2012), Joint Feature Selection in Distributed Stochastic Learning for
Large-Scale Discriminative Training in SMT.
"""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from tunesmith.cli._options import add_engine, add_parameters, filled_folder, given_parameters

if TYPE_CHECKING:
    from tunesmith.learn.shards import Sharding


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; those of the rules are the index's keywords."""
    from tunesmith.grammar import HieroOptions
    from tunesmith.learn.shards import Sharding

    parser.add_argument("--src", metavar="FILE", help="source sentences, or both sides")
    parser.add_argument("--tgt", metavar="FILE", help="target sentences")
    parser.add_argument("--links", metavar="FILE", help="their word links")
    parser.add_argument(
        "--work", metavar="FOLDER", help="instead: the work folder of a training with --model hiero"
    )
    parser.add_argument(
        "--out", type=filled_folder, required=True, metavar="FOLDER", help="the shards"
    )
    parser.add_argument(
        "--check", action="store_true", help="only say whether the shards in --out are whole"
    )
    add_parameters(parser, Sharding)
    add_engine(parser)
    add_parameters(
        parser.add_argument_group("rules, for --links"), HieroOptions, leave_out=("engine",)
    )


def run(arguments: argparse.Namespace) -> None:
    """Cut, or check."""
    from tunesmith.base.errors import OptionError
    from tunesmith.learn.shards import Sharding, Shards

    if arguments.check:
        shards = Shards(arguments.out)
        shards.check()
    else:
        given = (arguments.src is not None, arguments.links is not None)
        if (arguments.work is not None) == all(given) or any(given) != all(given):
            raise OptionError("expected --src and --links, or --work")
        sharding = Sharding(**given_parameters(arguments, Sharding))
        text, index = _from_work(arguments) if arguments.work else _indexed(arguments, sharding)
        shards = sharding.run(text, index, arguments.out)
    print(f"{len(shards):,} shards, {shards.manifest['pairs']:,} pairs: {arguments.out}")


def _from_work(arguments: argparse.Namespace) -> tuple[Path, Path]:
    from tunesmith.base.errors import InputError, OptionError
    from tunesmith.corpus.coding import BITEXT_FILE
    from tunesmith.grammar import HieroOptions

    if given_parameters(arguments, HieroOptions):
        raise OptionError("options of the rules are those of the training, with --work")
    work = Path(arguments.work)
    files = work / "corpus" / BITEXT_FILE, work / "grammar" / "grammar.bin"
    for path in files:
        if not path.exists():
            raise InputError(
                path, 0, "missing", "the work folder of a training with --model hiero that is done"
            )
    return files


def _indexed(arguments: argparse.Namespace, sharding: "Sharding") -> tuple[Path, Path]:
    """Text and index beside the shards; those of an earlier run are made again, the same."""
    from tunesmith.base.errors import InputError
    from tunesmith.base.lock import locked
    from tunesmith.corpus import write_bitext
    from tunesmith.formats.parallel import read_parallel
    from tunesmith.formats.pharaoh import read_links
    from tunesmith.grammar import HieroOptions

    out = Path(arguments.out)
    with locked(out):
        pairs = read_parallel(arguments.src, arguments.tgt)
        text = write_bitext(out / "text.bin", pairs, engine=sharding.engine)
        links = read_links(arguments.links)
        if len(links) != len(text):
            raise InputError(
                arguments.links, 0, f"{len(links):,} lines",
                f"{len(text):,} as in {arguments.src}",
            )  # fmt: skip
        options = HieroOptions(engine=sharding.engine, **given_parameters(arguments, HieroOptions))
        options.run(text, links, out / "index.bin")
    return out / "text.bin", out / "index.bin"
