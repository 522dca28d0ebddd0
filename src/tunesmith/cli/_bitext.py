"""Parallel text as commands take it."""

from typing import TYPE_CHECKING

from tunesmith.engine import EngineLike

if TYPE_CHECKING:
    from tunesmith.corpus import Bitext


def read_bitext(src: str, tgt: str | None, engine: EngineLike) -> "Bitext":
    """Tokenised sentence pairs: two files, one with both sides, or a bitext that is coded."""
    from tunesmith.base.array_file import is_array_file
    from tunesmith.corpus import Bitext
    from tunesmith.formats.parallel import read_parallel

    if tgt is None and src != "-" and is_array_file(src):
        return Bitext.load(src)
    source, target = [], []
    for one, other in read_parallel(src, tgt):
        source.append(one)
        target.append(other)
    return Bitext.from_lines(source, target, engine=engine)
