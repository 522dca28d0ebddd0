"""Lists of terms: lines of a source and a target with a tab between them, or TBX.

    # what the product is called
    Haus	house	a third cell, and more, are notes
    !cottage

A line of one cell that begins with ``!`` is a word, or several, that no translation may have. A
first line that says ``source`` and ``target``, or names the two languages, is a header.
"""

from dataclasses import dataclass, field
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.base.languages import language_matches
from tunesmith.base.log import log
from tunesmith.formats.tbx import read_tbx
from tunesmith.formats.text import read_blocks, read_lines

FORBIDDEN = "!"
COMMENT = "#"
_SOURCE_NAMES = frozenset({"source", "source term", "src"})
_TARGET_NAMES = frozenset({"target", "target term", "trg", "tgt", "translation"})
# What XML begins with, in UTF-8 and in UTF-16 of either order.
_XML = (b"<", b"\xff\xfe<\0", b"\xfe\xff\0<")


@dataclass
class TermList:
    """What a file says: pairs of terms, and what is forbidden."""

    pairs: list[tuple[str, str]] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)


def read_term_list(
    path: str | Path, source: str | None = None, target: str | None = None
) -> TermList:
    """The terms of a file, TBX or lines; `source` and `target` are languages, which TBX needs.

    Of a term that the file has twice the first translation counts; the others are told of.
    """
    terms = TermList()
    if _is_xml(path):
        for entry in read_tbx(path, source, target):
            terms.pairs += entry.pairs
            terms.forbidden += entry.forbidden
    else:
        _read_lines(path, source, target, terms)
    if not terms.pairs and not terms.forbidden:
        log.warning("%s: no terms", path)
    return terms


def _is_xml(path: str | Path) -> bool:
    if str(path) == "-":
        return False
    return next(read_blocks(path), b"").lstrip().startswith(_XML)


def _read_lines(path: str | Path, source: str | None, target: str | None, terms: TermList) -> None:
    for number, line in enumerate(read_lines(path), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if not any(cells) or (len(cells) == 1 and line.startswith(COMMENT)):
            continue
        if number == 1 and _is_header(cells, source, target):
            continue
        if len(cells) == 1 and line.startswith(FORBIDDEN):
            word = line.removeprefix(FORBIDDEN).strip()
            if not word:
                raise InputError(path, number, "! without a word", "!word")
            terms.forbidden.append(word)
            continue
        if len(cells) == 1:
            raise InputError(
                path,
                number,
                f"'{cells[0]}' without a tab",
                "a source and a target with a tab between them, or !word",
            )
        if not cells[0] or not cells[1]:
            side = "target" if cells[0] else "source"
            raise InputError(path, number, f"an empty {side}", "a word at least")
        terms.pairs.append((cells[0], cells[1]))


def _is_header(cells: list[str], source: str | None, target: str | None) -> bool:
    if len(cells) < 2:
        return False
    one, other = (cell.casefold() for cell in cells[:2])
    if one in _SOURCE_NAMES and other in _TARGET_NAMES:
        return True
    return (
        source is not None
        and target is not None
        and language_matches(one, source)
        and language_matches(other, target)
    )
