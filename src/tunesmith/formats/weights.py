r"""Weights in files: our TSV, Moses' (plain or in moses.ini) and cdec's.

=======  ==========================================================================
format   lines
=======  ==========================================================================
tsv      ``name<TAB>value``; ``#`` begins a comment line
moses    ``Name= v`` or ``Name= v v v``; a name on several lines in a row has several
         values; in moses.ini the lines of ``[weight]``
cdec     ``name value``; ``#`` begins a comment line
=======  ==========================================================================

Several values of a Moses name are the features ``Name_0``, ``Name_1``, …, as in n-best lists.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.numbers import parse_finite
from tunesmith.base.weights import MAX_WEIGHT, Weights
from tunesmith.formats.text import read_lines

FORMATS = ("tsv", "moses", "cdec")

# A line that carries something: its number and its text without spaces around it.
Line = tuple[int, str]


def read_weights(path: str | Path, format: str = "auto") -> Weights:
    """Read weights in any of the formats, plain or packed; ``"auto"`` looks at the lines."""
    lines = read_lines(path)
    if format == "auto":
        format = _detect(path, lines)
    elif format not in FORMATS:
        raise OptionError(
            f"unknown format of weights '{format}', expected one of: auto, tsv, moses, cdec"
        )
    if format == "moses":
        named = _moses(path, lines)
    else:
        named = _pairs(path, lines, "\t" if format == "tsv" else None)
    values: dict[str, float] = {}
    for number, name, value in named:
        if name in values:
            raise InputError(path, number, f"feature '{name}' twice", "every feature once")
        values[name] = value
    if not values:
        raise InputError(path, 0, "no weights", "at least one")
    return Weights(values)


def write_weights(
    path: str | Path | None,
    weights: Weights,
    format: str = "tsv",
    *,
    comments: Iterable[str] = (),
) -> None:
    """Write weights; `comments` become comment lines (Moses' format has none)."""
    if format not in FORMATS:
        raise OptionError(
            f"unknown format of weights '{format}', expected one of: tsv, moses, cdec"
        )
    with atomic_text(path) as stream:
        if format == "moses":
            stream.writelines(_moses_lines(weights))
            return
        stream.writelines(f"# {comment}\n" for comment in comments)
        separator = "\t" if format == "tsv" else " "
        for name, value in weights.items():
            _check_name(name, format)
            stream.write(f"{name}{separator}{value!r}\n")


def _content(lines: Sequence[str]) -> Iterator[Line]:
    for number, line in enumerate(lines, start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            yield number, line


def _detect(path: str | Path, lines: Sequence[str]) -> str:
    first = next(_content(lines), None)
    if first is None:
        raise InputError(path, 0, "no weights", "at least one")
    number, line = first
    if line.strip().startswith("["):
        return "moses"
    if "\t" in line:
        return "tsv"
    words = line.split()
    if len(words) > 1 and words[0].endswith("=") and words[0] != "=":
        return "moses"
    if len(words) == 2:
        return "cdec"
    raise InputError(
        path,
        number,
        f"'{line.strip()}'",
        "a weight: 'name<TAB>value', 'name= value' or 'name value'",
    )


def _number(path: str | Path, line: int, name: str, text: str) -> float:
    try:
        value = parse_finite(text)
    except ValueError:
        raise InputError(path, line, f"weight '{text}' of '{name}'", "a finite number") from None
    if abs(value) > MAX_WEIGHT:
        raise InputError(
            path, line, f"weight '{text}' of '{name}'", f"a number of at most {MAX_WEIGHT:g}",
            "divide all weights by the same number",
        )  # fmt: skip
    return value


def _pairs(
    path: str | Path, lines: Sequence[str], separator: str | None
) -> Iterator[tuple[int, str, float]]:
    shape = "'name<TAB>value'" if separator else "'name value'"
    for number, line in _content(lines):
        fields = line.split(separator)
        if len(fields) != 2 or not fields[0].strip():
            raise InputError(path, number, f"'{line}'", shape)
        yield number, fields[0], _number(path, number, fields[0], fields[1].strip())


def _moses(path: str | Path, lines: Sequence[str]) -> Iterator[tuple[int, str, float]]:
    blocks: dict[str, list[tuple[int, float]]] = {}
    last = ""
    for number, line in _weight_section(path, lines):
        name, *texts = line.split()
        if not name.endswith("=") or name == "=" or not texts:
            raise InputError(path, number, f"'{line.strip()}'", "'Name= value' or 'Name= v v v'")
        name = name[:-1]
        if name in blocks and name != last:
            raise InputError(
                path, number, f"feature '{name}' again", "the values of a name in one place"
            )
        last = name
        values = [(number, _number(path, number, name, text)) for text in texts]
        blocks.setdefault(name, []).extend(values)
    for name, values in blocks.items():
        if len(values) == 1:
            yield values[0][0], name, values[0][1]
        else:
            yield from ((line, f"{name}_{i}", v) for i, (line, v) in enumerate(values))


def _weight_section(path: str | Path, lines: Sequence[str]) -> Iterator[Line]:
    """All lines, or those of ``[weight]`` in a moses.ini."""
    content = list(_content(lines))
    if not any(line.strip().startswith("[") for _, line in content):
        yield from content
        return
    section = ""
    found = False
    for number, line in content:
        if line.strip().startswith("["):
            section = line.strip()
            found = found or section == "[weight]"
        elif section == "[weight]":
            yield number, line
    if not found:
        raise InputError(path, 0, "no section [weight]", "one, as in every moses.ini")


def _moses_lines(weights: Weights) -> Iterator[str]:
    written: set[str] = set()
    for name, value in weights.items():
        if name in written:
            continue
        _check_name(name, "moses")
        block = _block_of(name, weights)
        if block:
            written.update(block)
            values = " ".join(repr(weights[member]) for member in block)
            yield f"{name[:-2]}= {values}\n"
        else:
            written.add(name)
            yield f"{name}= {value!r}\n"


def _block_of(name: str, weights: Weights) -> list[str]:
    """Name_0, Name_1, … if `name` is the first of at least two."""
    if not name.endswith("_0") or name == "_0" or name[:-2] in weights:
        return []
    members = [name]
    while (following := f"{name[:-2]}_{len(members)}") in weights:
        members.append(following)
    return members if len(members) > 1 else []


def _check_name(name: str, format: str) -> None:
    """Refuse a name that would not be read back."""
    bad = "\t\n\r" if format == "tsv" else None
    broken = (
        any(c in name for c in bad) if bad else len(name.split()) != 1 or name.split()[0] != name
    )
    if not name or broken or name.strip() != name or name.startswith(("#", "[")):
        raise OptionError(f"the name of feature {name!r} cannot be written in format '{format}'")
