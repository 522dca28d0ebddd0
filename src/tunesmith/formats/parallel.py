"""Parallel text in whatever file it comes: pairs of a source and a target line."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.formats.po import po_language, read_mo, read_po
from tunesmith.formats.text import iter_lines, iter_parallel_lines
from tunesmith.formats.tmx import read_tmx, tmx_languages
from tunesmith.formats.xliff import read_xliff, xliff_languages

Pairs = Iterator[tuple[str, str]]

FORMATS = ("tsv", "bars", "tmx", "po", "mo", "xliff")

_SUFFIXES = {
    ".tsv": "tsv", ".tmx": "tmx", ".po": "po", ".mo": "mo", ".gmo": "mo",
    ".xlf": "xliff", ".xliff": "xliff", ".sdlxliff": "xliff", ".mxliff": "xliff",
}  # fmt: skip


def read_parallel(
    path: str | Path,
    target: str | Path | None = None,
    *,
    format: str | None = None,
    languages: tuple[str | None, str | None] | None = None,
) -> Pairs:
    """The pairs of two line files, or of one file in any of `FORMATS`.

    Parameters
    ----------
    path, target
        Two text files with equally many lines; or only `path`, one file with both sides. Each may
        be packed (gzip, xz, bzip2); ``-`` is standard input.
    format
        How one file holds both sides: ``tsv`` (a tab between them), ``bars`` (`` ||| `` between
        them), ``tmx``, ``po``, ``mo``, ``xliff``. By default the name decides, and for other
        names the first line: bars or a tab.
    languages
        Which two languages of a TMX file to take; by default its first two.
    """
    if target is not None:
        if format is not None:
            raise OptionError("a format is for one file with both sides, not for two files")
        for one in (path, target):
            _check_lines(one)
        return iter_parallel_lines(path, target)
    if format is None:
        format = _format_of(path)
    elif format not in FORMATS:
        raise OptionError(f"format '{format}', expected one of: {', '.join(FORMATS)}")
    if format == "tmx":
        return read_tmx(path, *(languages or ()))
    if format in ("po", "mo", "xliff"):
        return {"po": read_po, "mo": read_mo, "xliff": read_xliff}[format](path)
    return _two_columns(path, format)


def stated_languages(path: str | Path, format: str | None = None) -> tuple[str, str]:
    """Return the languages that a file with both sides states; empty where it does not."""
    match format or _format_of(path):
        case "tmx":
            return tmx_languages(path)
        case "xliff":
            return xliff_languages(path)
        case "po":
            return "", po_language(path)
    return "", ""


def _format_of(path: str | Path) -> str:
    """The format that a file's name says."""
    name = str(path).lower()
    for packed in (".gz", ".xz", ".bz2"):
        name = name.removesuffix(packed)
    return _SUFFIXES.get(Path(name).suffix, "lines")


def _check_lines(path: str | Path) -> None:
    """Refuse one of two files that has both sides itself; one column can be called TSV."""
    format = _format_of(path)
    if format not in ("lines", "tsv"):
        found = f"a file in {format.upper()} format, which has both sides"
        raise InputError(path, 0, found, "a side alone", "give this file alone, no second one")


def _two_columns(path: str | Path, format: str) -> Pairs:
    for number, line in enumerate(iter_lines(path), 1):
        if format == "lines":
            format = _guess(line, path)
        if format == "tsv":
            columns = line.split("\t")
            expected = "2, source and target with a tab between them"
            remedy = "cut out the two columns"
        else:
            columns = [column.strip(" ") for column in line.split("|||")]
            expected = "2, source and target with ' ||| ' between them"
            remedy = "use a TSV file for text with '|||' in it"
        if len(columns) != 2:
            found = f"{len(columns)} column" + "s" * (len(columns) != 1)
            raise InputError(path, number, found, expected, remedy)
        yield columns[0], columns[1]


def _guess(line: str, path: str | Path) -> str:
    if "\t" in line:
        return "tsv"
    if "|||" in line:
        return "bars"
    raise InputError(
        path,
        1,
        "neither a tab nor '|||'",
        "source and target on one line",
        "or name two files, or a format",
    )


def write_parallel(
    pairs: Iterable[tuple[str, str]], path: str | Path, target: str | Path | None = None
) -> None:
    """Write two line files, or one TSV file, where tabs of the text become spaces.

    ``-`` is standard output. The files appear when they are complete.
    """
    if target is not None:
        with atomic_text(path) as sources, atomic_text(target) as targets:
            for source, other in pairs:
                sources.write(f"{source}\n")
                targets.write(f"{other}\n")
        return
    with atomic_text(path) as stream:
        for pair in pairs:
            one, other = (side.replace("\t", " ") for side in pair)
            stream.write(f"{one}\t{other}\n")
