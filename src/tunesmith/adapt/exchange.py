"""Layers as wholes: exported as text, merged with others, dropped."""

import shutil
from pathlib import Path

from tunesmith.adapt.adapted import AdaptedModel
from tunesmith.adapt.batch import LOG_SUFFIX, holding_pairs
from tunesmith.adapt.correction import Correction, corrections
from tunesmith.adapt.folder import LayerFolder
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.lock import locked
from tunesmith.base.progress import progress
from tunesmith.formats.parallel import write_parallel
from tunesmith.formats.tmx import write_tmx


def layer_log(folder: str | Path) -> list[Correction]:
    """All corrections of a layer, undone ones too, without its model."""
    layer = LayerFolder(folder)
    layer.head()
    return corrections(layer.read_log())


def export_layer(
    folder: str | Path, out: str | Path, languages: tuple[str, str] = ("und", "und")
) -> int:
    """Write the corrections of a layer that hold: how many they are.

    By the name of `out`: a translation memory (.tmx, of these `languages`), the log itself, undone
    corrections and all (.jsonl), or lines with a tab between source and correction.
    """
    layer = LayerFolder(folder)
    layer.head()
    pairs = holding_pairs(layer.log_path)
    if str(out).endswith(LOG_SUFFIX):
        layer.read_log()
        with atomic_text(out) as stream:
            stream.write(layer.log_path.read_text(encoding="utf-8"))
    elif str(out).endswith(".tmx"):
        write_tmx(pairs, out, *languages)
    else:
        write_parallel(pairs, out)
    return len(pairs)


def merge_layer(adapted: AdaptedModel, other: str | Path) -> list[Correction]:
    """Learn what another layer of any model was taught, and this one was not."""
    layer = LayerFolder(other)
    layer.head()
    own = set(holding_pairs(adapted.folder.log_path))
    new = [pair for pair in holding_pairs(layer.log_path) if pair not in own]
    made = []
    with progress("corrections", len(new)) as bar:
        for pair in new:
            made.append(adapted.correct(*pair, time=""))
            bar.advance()
    return made


def replay_layer(adapted: AdaptedModel, folder: str | Path) -> int:
    """Do all that the log of a layer says again, in a new layer: how many entries it has.

    The files of the new layer equal those of the old one.
    """
    if Path(folder).exists():
        raise InputError(folder, 0, "exists", "a new name")
    again = AdaptedModel(adapted.base, folder, adapted.options)
    entries = adapted.folder.read_log()
    with progress("corrections", len(entries)) as bar:
        for entry in entries:
            if isinstance(entry, Correction):
                again.correct(entry.source, entry.correction, time=entry.time, origin=entry.origin)
            else:
                again.undo(entry.id, time=entry.time)
            bar.advance()
    return len(entries)


def drop_layer(folder: str | Path) -> None:
    """Delete a layer, and nothing that is none."""
    layer = LayerFolder(folder)
    layer.head()
    with locked(layer.path):
        for path in layer.files():
            path.unlink(missing_ok=True)
    if not any(layer.path.iterdir()):
        shutil.rmtree(layer.path)
