"""Learn from corrections of translations: a small layer on top of a model, which stays as it is.

Each correction teaches rules (all phrase pairs of the corrected sentence, new words among them) and
moves the weights; the next sentence is translated with them. `tunesmith translate MODEL --layer
FOLDER` translates with the layer.

Examples
--------
  tunesmith adapt model --layer mine --post-edits edited.tsv      # source, tab, correction
  tunesmith adapt model --layer mine --src in.txt --tgt edited.txt
  tunesmith adapt model --layer mine --post-edits memory.tmx --out before.txt
  tunesmith adapt model --layer mine --list
  tunesmith adapt model --layer mine --undo 12
  tunesmith adapt model --layer mine --export mine.tmx
  tunesmith adapt model --layer mine --merge yours
  tunesmith adapt model --layer mine --drop

Killed, the same command goes on behind the last correction; lines that were added to a file are
learned by the next run. After Denkowski et al. (2014), Learning from Post-Editing, and Bertoldi et
al. (2013), Cache-based Online Adaptation.
"""

import argparse
from typing import TYPE_CHECKING

from tunesmith.cli._options import (
    add_parameters,
    add_threads,
    given_parameters,
    output_file,
    whole,
)

if TYPE_CHECKING:
    from tunesmith.adapt import AdaptedModel

_LAST = 0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options; those of learning are its keywords."""
    from tunesmith.adapt import AdaptOptions
    from tunesmith.formats.parallel import FORMATS

    parser.add_argument("model", metavar="MODEL", help="a model directory")
    parser.add_argument(
        "--layer", required=True, metavar="FOLDER", help="the layer; made if it is not there"
    )
    what = parser.add_argument_group("what to do").add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--post-edits", metavar="FILE",
        help="learn sources and corrections: TSV, TMX, PO, XLIFF, or the log of a layer (.jsonl)",
    )  # fmt: skip
    what.add_argument("--src", metavar="FILE", help="learn from two files: sources …")
    what.add_argument("--list", action="store_true", help="print the corrections")
    what.add_argument(
        "--undo", type=whole(at_least=1), nargs="?", const=_LAST, metavar="N",
        help="take correction N back, the last one by default",
    )  # fmt: skip
    what.add_argument(
        "--export", type=output_file, metavar="FILE",
        help="write what holds as TSV, as a translation memory (.tmx), or the log (.jsonl)",
    )  # fmt: skip
    what.add_argument(
        "--merge", metavar="FOLDER", help="learn what another layer was taught and this one not"
    )
    what.add_argument(
        "--replay", metavar="FOLDER", help="make all corrections again, in a new layer there"
    )
    what.add_argument("--drop", action="store_true", help="delete the layer")
    parser.add_argument("--tgt", metavar="FILE", help="… and their corrections, line by line")
    parser.add_argument("--format", choices=FORMATS, help="of --post-edits; default: by its name")
    parser.add_argument(
        "--out", type=output_file, metavar="FILE",
        help="what the model made of each source before it was corrected",
    )  # fmt: skip
    parser.add_argument(
        "--again", action="store_true", help="learn also what was learned from this file before"
    )
    parser.add_argument("--json", action="store_true", help="--list as JSON lines")
    add_threads(parser)
    add_parameters(parser.add_argument_group("learning, of a new layer"), AdaptOptions)


def run(arguments: argparse.Namespace) -> None:
    """Do what is asked for."""
    from tunesmith.adapt.exchange import drop_layer
    from tunesmith.base.errors import OptionError

    if (arguments.tgt is None) != (arguments.src is None):
        raise OptionError("--src FILE and --tgt FILE go together")
    if arguments.list:
        _list(arguments)
    elif arguments.export is not None:
        _export(arguments)
    elif arguments.drop:
        drop_layer(arguments.layer)
        print(f"{arguments.layer}: dropped")
    elif arguments.undo is not None:
        adapted = _open(arguments, make=False)
        print(f"correction {adapted.undo(arguments.undo or None)} is undone")
    elif arguments.merge is not None:
        _merge(arguments)
    elif arguments.replay is not None:
        _replay(arguments)
    else:
        _learn(arguments)


def _open(arguments: argparse.Namespace, *, make: bool) -> "AdaptedModel":
    from tunesmith.adapt import AdaptedModel, AdaptOptions
    from tunesmith.adapt.folder import LayerFolder

    layer = LayerFolder(arguments.layer)
    given = given_parameters(arguments, AdaptOptions)
    if not make:
        layer.head()
    if layer.exists:
        layer.check_options(given)
    return AdaptedModel(
        arguments.model, arguments.layer, AdaptOptions(**given), engine=arguments.engine
    )


def _learn(arguments: argparse.Namespace) -> None:
    from tunesmith.adapt.batch import learn_pairs, read_post_edits
    from tunesmith.base.atomic import atomic_text
    from tunesmith.base.log import log
    from tunesmith.model import TranslationModel

    path = arguments.post_edits or arguments.src
    languages = TranslationModel.load(arguments.model).languages
    pairs = read_post_edits(path, arguments.tgt, format=arguments.format, languages=languages)
    adapted = _open(arguments, make=True)
    right = made = 0
    for one in learn_pairs(adapted, pairs, path, again=arguments.again):
        made += 1
        right += one.before == one.correction
    if made < len(pairs):
        log.info(f"{len(pairs) - made:,} of {len(pairs):,} corrections were learned before")
    if arguments.out is not None:
        shown = {one.origin: one.before for one in adapted.log}
        from tunesmith.adapt.batch import marks

        with atomic_text(arguments.out) as stream:
            stream.writelines(f"{shown[mark]}\n" for mark in marks(pairs))
    print(
        f"{arguments.layer}: {made:,} corrections learned ({right:,} had been right), "
        f"{adapted.rules:,} rules"
    )


def _list(arguments: argparse.Namespace) -> None:
    import json

    from tunesmith.adapt.exchange import layer_log

    for one in layer_log(arguments.layer):
        if arguments.json:
            print(json.dumps({**one.to_json(), "undone": one.undone}, ensure_ascii=False))
            continue
        state = "undone" if one.undone else "right" if one.after == one.correction else "learned"
        columns = (str(one.id), state, one.source, one.before, one.correction)
        print("\t".join(column.replace("\t", " ") for column in columns))


def _export(arguments: argparse.Namespace) -> None:
    from tunesmith.adapt.exchange import export_layer
    from tunesmith.base.languages import UNDETERMINED
    from tunesmith.base.log import log
    from tunesmith.model import TranslationModel

    source, target = (
        code or UNDETERMINED for code in TranslationModel.load(arguments.model).languages
    )
    count = export_layer(arguments.layer, arguments.export, (source, target))
    log.info(f"{count:,} corrections written")


def _merge(arguments: argparse.Namespace) -> None:
    from tunesmith.adapt.exchange import merge_layer
    from tunesmith.adapt.folder import LayerFolder

    LayerFolder(arguments.merge).head()
    adapted = _open(arguments, make=True)
    made = merge_layer(adapted, arguments.merge)
    print(f"{arguments.layer}: {len(made):,} corrections of {arguments.merge} learned")


def _replay(arguments: argparse.Namespace) -> None:
    from tunesmith.adapt.exchange import replay_layer

    adapted = _open(arguments, make=False)
    count = replay_layer(adapted, arguments.replay)
    print(f"{arguments.replay}: {count:,} entries of {arguments.layer} made again")
