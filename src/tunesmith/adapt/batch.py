"""Corrections from a file, one after the other; a run that was killed goes on behind the last."""

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from tunesmith.adapt.adapted import AdaptedModel
from tunesmith.adapt.correction import Correction
from tunesmith.adapt.folder import read_log
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.progress import progress
from tunesmith.formats.parallel import read_parallel

LOG_SUFFIX = ".jsonl"


def read_post_edits(
    path: str | Path,
    target: str | Path | None = None,
    *,
    format: str | None = None,
    languages: tuple[str | None, str | None] | None = None,
) -> list[tuple[str, str]]:
    """Sources and corrections: whatever `read_parallel` reads, or the log of a layer (.jsonl).

    Of a log the corrections that hold are taken.
    """
    if target is None and format is None and str(path).endswith(LOG_SUFFIX):
        return holding_pairs(Path(path))
    return list(read_parallel(path, target, format=format, languages=languages))


def holding_pairs(log: Path) -> list[tuple[str, str]]:
    """The corrections of a log that were not undone."""
    found: dict[int, tuple[str, str]] = {}
    for entry in read_log(log):
        if isinstance(entry, Correction):
            found[entry.id] = entry.source, entry.correction
        else:
            del found[entry.id]
    return list(found.values())


def learn_pairs(
    adapted: AdaptedModel,
    pairs: Iterable[tuple[str, str]],
    path: str | Path = "<input>",
    *,
    again: bool = False,
) -> Iterator[Correction]:
    """Correct pair by pair; messages call the pairs lines of `path`.

    Pairs that an earlier run has learned from the same beginning of a file are passed over, unless
    they are to be learned `again`.
    """
    pairs = list(pairs)
    own = marks(pairs)
    known = {entry.origin for entry in adapted.log}
    done = 0
    if not again:
        done = max((place for place, mark in enumerate(own, 1) if mark in known), default=0)
    with progress("corrections", len(pairs)) as bar:
        bar.skip(done)
        for place in range(done, len(pairs)):
            try:
                made = adapted.correct(*pairs[place], time="", origin=own[place])
            except OptionError as error:
                raise InputError(path, place + 1, str(error)) from error
            bar.advance()
            yield made


def marks(pairs: list[tuple[str, str]]) -> list[str]:
    """For every pair a digest of all pairs up to it."""
    digest = hashlib.blake2b(digest_size=12)
    found = []
    for pair in pairs:
        digest.update(repr(pair).encode("utf-8", "surrogatepass"))
        found.append(digest.hexdigest())
    return found
