"""One more feature for every hypothesis of a list: from a file, a Python function or a command."""

import importlib
import importlib.util
import inspect
import math
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.numbers import parse_finite
from tunesmith.base.progress import progress
from tunesmith.formats.feature_info import FeatureInfo
from tunesmith.formats.nbest import NbestList
from tunesmith.formats.text import read_lines

Values = npt.NDArray[np.float32]
#: Takes a batch of (sentence, text), and all source sentences if it has a second parameter; gives
#: one number for each of the batch.
FeatureFunction = Callable[..., Iterable[float]]

# Hypotheses that a function gets at a time, or some more: lists stay whole.
BATCH = 1024


def add_feature(
    nbest: NbestList, name: str, values: npt.ArrayLike, info: FeatureInfo | None = None
) -> NbestList:
    """The list with one more dense feature."""
    column = np.asarray(values, dtype=np.float32)
    if name in nbest.names:
        raise OptionError(f"the list already has a feature '{name}'")
    if column.shape != (nbest.rows,):
        raise OptionError(f"{column.size:,} values for {nbest.rows:,} hypotheses")
    if not np.isfinite(column).all():
        row = int(np.flatnonzero(~np.isfinite(column))[0])
        raise OptionError(f"value {column[row]} for hypothesis {row}, expected a finite number")
    features = dict(nbest.features)
    if info is not None and info != FeatureInfo():
        features[name] = info
    return replace(
        nbest,
        dense=np.column_stack([nbest.dense, column]),
        dense_names=(*nbest.dense_names, name),
        features=features,
    )


def values_from_file(nbest: NbestList, path: str | Path) -> Values:
    """One number per line, in the order of the hypotheses."""
    return _numbers(read_lines(path), nbest.rows, path, "one number per hypothesis")


def values_from_command(nbest: NbestList, command: str, *, with_ids: bool = False) -> Values:
    """What a shell command prints: it gets one hypothesis per line and must answer each.

    With `with_ids` a line is the number of the sentence, a tab and the text.
    """
    ids = nbest.sentence_ids().tolist()
    lines = (
        f"{s}\t{text}\n" if with_ids else f"{text}\n"
        for s, text in zip(ids, nbest.texts, strict=True)
    )
    done = subprocess.run(
        command, shell=True, input="".join(lines).encode(), stdout=subprocess.PIPE, check=False
    )
    if done.returncode != 0:
        raise OptionError(f"command `{command}` ended with exit code {done.returncode}")
    try:
        output = done.stdout.decode()
    except UnicodeDecodeError as error:
        raise OptionError(f"command `{command}` printed something that is not UTF-8") from error
    found = output.removesuffix("\n").split("\n") if output else []
    return _numbers(found, nbest.rows, f"command `{command}`", "one number per line of its input")


def values_from_function(
    nbest: NbestList, function: FeatureFunction | str, sources: Sequence[str] | None = None
) -> Values:
    """What a function gives for batches of (sentence, text): of whole lists, never a part of one.

    A string names it: ``module:function`` or ``path/file.py:function``. A function with a second
    parameter gets `sources`, the source sentences of all lists, too.
    """
    call = load_function(function) if isinstance(function, str) else function
    name = function if isinstance(function, str) else getattr(call, "__name__", "function")
    more: tuple[Sequence[str], ...] = ()
    if _takes_sources(call):
        if sources is None:
            raise OptionError(f"{name} takes the source sentences too: give --src")
        more = (sources,)
    ids = nbest.sentence_ids().tolist()
    values = np.empty(nbest.rows, dtype=np.float32)
    with progress(f"feature of {name}", nbest.rows) as bar:
        for begin, end in pairwise(_batches(nbest)):
            batch = list(zip(ids[begin:end], nbest.texts[begin:end], strict=True))
            try:
                column = np.asarray(list(call(batch, *more)), dtype=np.float64)
            except Exception as error:
                raise OptionError(f"{name}: {type(error).__name__}: {error}") from error
            if column.shape != (len(batch),):
                raise OptionError(
                    f"{name}: values of shape {column.shape} for {len(batch):,} hypotheses, "
                    "expected one number for each"
                )
            with np.errstate(over="ignore"):
                values[begin:end] = column
            bar.advance(len(batch))
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        raise OptionError(
            f"{name}: {values[bad[0]]} for hypothesis {bad[0]}, expected a finite number"
        )
    return values


def _batches(nbest: NbestList) -> list[int]:
    """Where batches begin, and the end: each goes on until its last list is complete."""
    ends = nbest.offsets[1:]
    bounds = [0]
    while bounds[-1] < nbest.rows:
        # The first list that fills the batch; the last one if none does.
        full = int(np.searchsorted(ends, bounds[-1] + BATCH))
        bounds.append(int(ends[min(full, len(ends) - 1)]))
    return bounds


def _takes_sources(function: FeatureFunction) -> bool:
    """Whether a function must be given a second argument."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    needed = [
        one
        for one in parameters
        if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD) and one.default is one.empty
    ]
    return len(needed) > 1


def load_function(spec: str) -> FeatureFunction:
    """The function of ``module:function`` or ``path/file.py:function``."""
    place, separator, name = spec.rpartition(":")
    if not separator or not place or not name:
        raise OptionError(
            f"'{spec}' names no function, expected module:function or file.py:function"
        )
    try:
        module = _module(place)
    except Exception as error:
        raise OptionError(f"{place} cannot be imported: {type(error).__name__}: {error}") from error
    function = getattr(module, name, None)
    if not callable(function):
        raise OptionError(f"{place} has no function '{name}'")
    return function  # type: ignore[no-any-return]


def _module(place: str) -> Any:
    if not place.endswith(".py"):
        return importlib.import_module(place)
    spec = importlib.util.spec_from_file_location(Path(place).stem, place)
    if spec is None or spec.loader is None:
        raise ImportError(place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _numbers(lines: Sequence[str], rows: int, source: object, expected: str) -> Values:
    if len(lines) != rows:
        raise InputError(source, 0, f"{len(lines):,} lines", f"{rows:,}, {expected}")
    values = np.empty(rows, dtype=np.float32)
    for number, line in enumerate(lines):
        try:
            value = parse_finite(line.strip())
        except ValueError:
            value = math.inf
        if abs(value) > np.finfo(np.float32).max:
            raise InputError(source, number + 1, f"'{line}'", "a finite number")
        values[number] = value
    return values
