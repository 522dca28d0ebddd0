"""Lines translated into a file in bounded memory, so that a kill costs no more than a block."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

from tunesmith.base.journal import Journal, journal
from tunesmith.base.log import log
from tunesmith.base.progress import progress
from tunesmith.decode.translate import Translator

# What becomes of lines: whatever JSON can hold.
Result = TypeVar("Result")
# Lines, and the number of the first one, from 0 → what becomes of them.
Translate = Callable[[list[str], int], list[Result]]


@contextmanager
def journalled(
    out: str | Path,
    translator: Translator,
    translate: Translate[Result],
    lines: Iterable[str],
    *,
    total: int | None = None,
    **settings: Any,
) -> Iterator[Iterator[Result]]:
    """What `lines` become, in their order; what a killed run has left is not done again.

    `settings` are whatever translations depend on besides the translator. When the block ends,
    nothing of the journal is left: what was yielded should be written by then.
    """
    known = {**journal_settings(translator), **settings}
    with journal(out, known) as kept:
        _fill(kept, translate, lines, total, translator.block_lines)
        yield kept.results()


def _fill(
    kept: Journal, translate: Translate[Any], lines: Iterable[str], total: int | None, size: int
) -> None:
    with progress("translating", total) as bar:
        for block in kept.missing(lines, size):
            if kept.lines and not bar.done:
                log.info("%s lines were translated before: going on behind them", f"{kept.lines:,}")
                bar.skip(kept.lines)
            kept.add(block, translate(block, bar.done))
            bar.advance(len(block))


def journal_settings(translator: Translator) -> dict[str, Any]:
    """What translations depend on; files by size and time, as their content may be large."""
    model, reader = translator.decoder.model, translator.reader
    terms = {} if reader.terms is None else {"terms": repr(reader.terms.terms)}
    states = {path.name: path.stat() for path in model.files()}
    return {
        "model": {name: [one.st_size, one.st_mtime_ns] for name, one in sorted(states.items())},
        "weights": dict(translator.weights),
        "search": {name: str(value) for name, value in asdict(translator.decoder.search).items()},
        "reading": [reader.input_type, reader.markup, reader.markdown, reader.pretokenised],
        **terms,
    }
