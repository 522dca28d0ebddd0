"""What `translate` does with paragraphs and with documents."""

import argparse
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO, cast

from tunesmith.base.atomic import atomic_text
from tunesmith.cli._lines import count_lines, is_stream
from tunesmith.decode.journalled import journalled
from tunesmith.decode.paragraphs import ParagraphTranslator
from tunesmith.decode.translate import Translator
from tunesmith.formats.documents import read_document
from tunesmith.formats.text import iter_line_blocks, iter_lines


def translate_paragraphs(translator: Translator, arguments: argparse.Namespace) -> None:
    """Lines of text, each cut into sentences."""
    path = arguments.input or "-"
    paragraphs = ParagraphTranslator(translator)
    if is_stream(arguments.out):
        with atomic_text(arguments.out) as out:
            for texts in paragraphs.stream_blocks(iter_line_blocks(path), path):
                out.writelines(f"{text}\n" for text in texts)
                out.flush()
        return

    def translate(lines: list[str], first: int) -> list[str]:
        return paragraphs.translate(lines, path, first)

    with (
        journalled(
            arguments.out, translator, translate, iter_lines(path),
            total=count_lines(path), split="lines",
        ) as done,
        atomic_text(arguments.out) as out,
    ):  # fmt: skip
        out.writelines(f"{text}\n" for text in done)


def translate_document(translator: Translator, arguments: argparse.Namespace, format: str) -> None:
    """A document: its segments, each cut into sentences."""
    path = arguments.input or "-"
    paragraphs = ParagraphTranslator(translator)
    document = read_document(path, format, translator.decoder.model.languages)
    with (
        _translations(translator, paragraphs, document.segments, arguments.out) as done,
        atomic_text(arguments.out) as out,
    ):
        out.flush()
        cast("TextIO", out).buffer.write(document.encoded(list(done)))


def _translations(
    translator: Translator, paragraphs: ParagraphTranslator, segments: list[str], out: str | None
) -> AbstractContextManager[Iterable[str]]:
    if out is None or is_stream(out):
        return nullcontext(paragraphs.translate(segments))

    def translate(lines: list[str], first: int) -> list[str]:
        return paragraphs.translate(lines, "segment", first)

    total = len(segments)
    return journalled(out, translator, translate, segments, total=total, split="document")
