"""Scores of a text as lines, printed while the text still comes in."""

import codecs
import sys
from collections.abc import Iterator
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.text import read_blocks
from tunesmith.lm.ngram import NgramLM


def print_scores(
    lm: NgramLM,
    path: str | Path,
    *,
    words: bool = False,
    begin: bool = True,
    end: bool = True,
    engine: EngineLike = ALL_CORES,
) -> None:
    """One line per line of the text: log10 probability, tokens, unknown words.

    With `words`, one field per token, ``word length log10``; an unknown word has length 0.
    """
    for block in _blocks(path):
        scored = lm.word_scores(block, begin=begin, end=end, engine=engine)
        log10, length, ids = scored.log10.tolist(), scored.length.tolist(), scored.words.tolist()
        out = []
        for i, line in enumerate(block):
            span = slice(int(scored.offsets[i]), int(scored.offsets[i + 1]))
            unknown = ids[span].count(0)
            if words:
                tokens = [*line.encode().split(), *([b"</s>"] if end else [])]
                out.append(
                    "\t".join(
                        f"{token.decode()} {n if word else 0} {score:.6f}"
                        for token, n, word, score in zip(
                            tokens, length[span], ids[span], log10[span], strict=True
                        )
                    )
                )
            else:
                total = sum(log10[span])
                out.append(f"{total:.6f}\t{span.stop - span.start}\t{unknown}")
        sys.stdout.write("\n".join(out) + "\n")
        sys.stdout.flush()


def _blocks(path: str | Path) -> Iterator[list[str]]:
    """The lines of a file as they come in: a pipe that waits for answers gets them."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    rest, number = "", 0
    try:
        for piece in read_blocks(path, as_it_comes=True):
            *lines, rest = (rest + decoder.decode(piece)).split("\n")
            number += len(lines)
            if lines:
                yield lines
        rest += decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        number += 1 + error.object[: error.start].count(b"\n")
        raise InputError(
            "<stdin>" if str(path) == "-" else path,
            number,
            "invalid UTF-8",
            "UTF-8",
            "convert the file, for example with `iconv -t utf-8`",
        ) from error
    if rest:
        yield [rest]
