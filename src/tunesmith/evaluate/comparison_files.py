"""The files of a comparison's folder that are read by others than its runs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tunesmith.base.atomic import atomic_directory, atomic_text
from tunesmith.base.errors import InputError
from tunesmith.formats.text import read_lines

#: Everything that a comparison has found.
RESULTS_FILE = "results.json"
#: Sources and references of the test sets, in the tokens of the translations.
TEXTS_FOLDER = "texts"
_SOURCE, _REFERENCE = "{}.source", "{}.reference{}"


def keep_texts(
    out: Path, texts: Mapping[str, tuple[Sequence[str] | None, Sequence[Sequence[str]]]]
) -> None:
    """Write sources (where there are any) and references of the test sets, by their names."""
    with atomic_directory(out / TEXTS_FOLDER) as folder:
        for name, (source, references) in texts.items():
            files = {_REFERENCE.format(name, i): lines for i, lines in enumerate(references)}
            if source is not None:
                files[_SOURCE.format(name)] = source
            for file, lines in files.items():
                with atomic_text(folder / file) as stream:
                    stream.writelines(f"{line}\n" for line in lines)


def read_texts(out: Path, name: str) -> tuple[list[str] | None, list[list[str]]] | None:
    """Source, if there is one, and references of a test set; None where they were not kept."""
    folder = out / TEXTS_FOLDER
    references: list[list[str]] = []
    while (path := folder / _REFERENCE.format(name, len(references))).exists():
        references.append(read_lines(path))
        if len(references[-1]) != len(references[0]):
            raise InputError(
                path, 0, f"{len(references[-1]):,} lines", f"{len(references[0]):,}, one per "
                "test sentence", "compare again: runs that are done are kept",
            )  # fmt: skip
    if not references:
        return None
    source = folder / _SOURCE.format(name)
    return (read_lines(source) if source.exists() else None), references
