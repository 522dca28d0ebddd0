"""The files of a model directory by name, and how a new directory comes to be."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tunesmith.base.atomic import atomic_directory
from tunesmith.base.errors import InputError
from tunesmith.model.description import MODEL_FILE

WEIGHTS_FILE = "weights.tsv"
LEXICAL_FILE = "lexical.bin"
MAXENT_FILE = "maxent.bin"
TEMPLATES_FILE = "features.json"
LEXICAL_FEATURE = "lexical"
RULES_FILE = "grammar.scfg"


def check_replaceable(folder: str | Path) -> None:
    """Refuse to write a model in the place of anything but a model or an empty folder."""
    folder = Path(folder)
    if folder.exists() and not (
        folder.is_dir() and ((folder / MODEL_FILE).exists() or not any(folder.iterdir()))
    ):
        raise InputError(folder, 0, "exists and is not a model", "a new name or a model to replace")


@contextmanager
def new_model(folder: str | Path) -> Iterator[Path]:
    """A temporary directory that becomes the model `folder` when the block ends well.

    A directory that is not a model is never replaced.
    """
    check_replaceable(folder)
    with atomic_directory(folder) as temporary:
        yield temporary


def link_or_copy(source: Path, destination: Path) -> None:
    """Give a file of one model to another; files of models are replaced, never changed."""
    try:
        os.link(source, destination)
    except OSError:
        shutil.copyfile(source, destination)
