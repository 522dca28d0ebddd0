"""Graphs in files: our own binary one, Moses' search graphs, cdec's forests, lattices in PLF.

The formats, and what each may hold, are in docs/graphs.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import numpy as np

from tunesmith import _core
from tunesmith.base.array_file import is_array_file
from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.json_text import parse_json
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.text import read_blocks

TEXT_FORMATS: tuple[str, ...] = tuple(_core.graph_formats())
GRAPH_FORMATS: tuple[str, ...] = ("tunesmith", *TEXT_FORMATS)
# Those whose edges have one tail at most, and its words first.
LATTICE_FORMATS = ("moses", "plf")
"""The names that `read_graphs` and `write_graphs` take."""

# Sentences without a forest that a folder may have.
MAX_GAP = 1_000_000
# Sentences that are turned into text at a time.
BLOCK_SENTENCES = 64


def read_graphs(path: str | Path, format: str = "auto", *, names: Sequence[str] = ()) -> GraphPool:
    """Read graphs of any format; text may be packed (gzip, xz), ``-`` is standard input.

    Parameters
    ----------
    path
        The file; for cdec also a folder of ``0.json.gz``, ``1.json.gz``, … with a forest each.
    format
        One of `GRAPH_FORMATS`; ``"auto"`` looks at the beginning of the file.
    names
        Names of the features that a format has by place only: the core scores of Moses' extended
        search graphs (otherwise ``core_0``, …), the numbers of PLF (otherwise ``Feature_0``, …).
    """
    if format not in (*GRAPH_FORMATS, "auto"):
        raise OptionError(f"format is {format!r}, expected one of: {', '.join(GRAPH_FORMATS)}")
    if format in ("auto", "tunesmith") and is_array_file(path):
        return GraphPool.load(path)
    if format == "tunesmith":
        raise InputError(path, 0, "no graphs of Tunesmith's own", remedy="is it text? say which")
    blocks = _forests(Path(path)) if Path(path).is_dir() else read_blocks(path)
    if format == "auto":
        beginning = next(blocks, b"")
        blocks = chain([beginning], blocks)
        format = "cdec" if Path(path).is_dir() else _format_of(beginning, path)
    parts, features = _core.read_graphs(format, str(path), blocks, list(names))
    pool = GraphPool.from_native(parts, features, len(features))
    dense = [name for name in features if not _is_of_a_template(name)]
    if len(dense) == len(features):
        return pool
    return pool.with_features([*dense, *filter(_is_of_a_template, features)], len(dense))


def _is_of_a_template(name: str) -> bool:
    """The rule of graphs in text, which do not say what is sparse: templates' names tell.

    A feature of a template is called ``template:what``, and text that we wrote has such names.
    Everywhere else dense features are declared: our binary files, models and pools have their
    number, and for n-best lists each dialect has its rule (docs/formats.md).
    """
    return ":" in name


def write_graphs(
    path: str | Path | None,
    pool: GraphPool,
    format: str = "tunesmith",
    *,
    weights: Mapping[str, float] | None = None,
    engine: EngineLike = ALL_CORES,
) -> None:
    """Write graphs; the file appears when it is complete (``-`` or None: standard output).

    What a format cannot hold (two tails in a lattice) is an `OptionError`, not a broken file.

    Parameters
    ----------
    weights
        For Moses' search graphs the scores of hypotheses, which are 0 otherwise; for PLF one
        number per arc, w · h, instead of all features.
    """
    if format not in GRAPH_FORMATS:
        raise OptionError(f"format is {format!r}, expected one of: {', '.join(GRAPH_FORMATS)}")
    if format == "tunesmith":
        if path is None or str(path) == "-":
            raise OptionError("graphs of Tunesmith's own need a file, not standard output")
        pool.native  # noqa: B018 - what is no graph is not written
        pool.save(path)
        return
    vector = np.empty(0)
    if weights is not None:
        vector = np.array([weights.get(name, 0.0) for name in pool.names], dtype=np.float64)
    with atomic_text(path) as stream:
        for begin in range(0, len(pool), BLOCK_SENTENCES):
            end = min(len(pool), begin + BLOCK_SENTENCES)
            stream.write(
                _core.graphs_as_text(
                    pool.native,
                    format,
                    pool.vocabulary.native,
                    list(pool.names),
                    vector,
                    begin,
                    end,
                    as_engine(engine).threads,
                )
            )


def _format_of(beginning: bytes, path: str | Path) -> str:
    for line in beginning.split(b"\n"):
        text = line.strip()
        if text.startswith(b"{"):
            return "cdec"
        if text.startswith(b"("):
            return "plf"
        if b" hyp=" in line:
            return "moses"
        if text:
            break
    else:
        if not beginning.strip():
            raise InputError(path, 0, "nothing but blank lines", "graphs", "name the format")
    raise InputError(
        path, 1, "a line of no known graph format", f"one of: {', '.join(GRAPH_FORMATS)}"
    )


def _forests(folder: Path) -> Iterator[bytes]:
    """The forests of a folder in the order of their numbers, a line for each."""
    files: dict[int, Path] = {}
    for file in folder.iterdir():
        stem, _, kind = file.name.partition(".")
        if stem.isascii() and stem.isdecimal() and kind in ("json", "json.gz", "json.xz"):
            files[int(stem)] = file
    if not files:
        raise InputError(folder, 0, "no forests", "files 0.json.gz, 1.json.gz, …")
    if max(files) > len(files) + MAX_GAP:
        raise InputError(files[max(files)], 0, f"number {max(files)} of {len(files)} forests")
    for number in range(max(files) + 1):
        if number in files:
            text = b"".join(read_blocks(files[number]))
            if not _is_json(text):
                raise InputError(files[number], 1, "no JSON", "a forest", "is the file cut off?")
            yield text.replace(b"\n", b" ").strip()
        yield b"\n"


def _is_json(text: bytes) -> bool:
    try:
        parse_json(text)
    except ValueError:
        return False
    return True
