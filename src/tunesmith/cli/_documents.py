"""What `translate` does with paragraphs and with documents."""

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from typing import TextIO, cast

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import OptionError
from tunesmith.cli._input import Input
from tunesmith.cli._lines import is_stream
from tunesmith.decode.journalled import journalled
from tunesmith.decode.paragraphs import ParagraphTranslator
from tunesmith.decode.translate import Translator
from tunesmith.formats.documents import read_document


def translate_paragraphs(translator: Translator, source: Input, out: str | None) -> None:
    """Lines of text, each cut into sentences."""
    paragraphs = ParagraphTranslator(translator)
    if out is None or is_stream(out):
        with atomic_text(out) as stream:
            for texts in paragraphs.stream_blocks(source.blocks(), source.path):
                stream.writelines(f"{text}{source.line_end}" for text in texts)
                stream.flush()
        return

    def translate(lines: list[str], first: int) -> list[str]:
        return paragraphs.translate(lines, source.path, first)

    with (
        journalled(
            out, translator, translate, source.lines(), total=source.count(), split="lines"
        ) as done,
        atomic_text(out) as stream,
    ):
        stream.writelines(f"{text}{source.line_end}" for text in done)


def translate_document(translator: Translator, source: Input, out: str | None, format: str) -> int:
    """A document: its segments, each cut into sentences; returns the number of segments."""
    if source.text is not None:
        raise OptionError(f"--format {format} with text, expected a file or standard input")
    paragraphs = ParagraphTranslator(translator)
    document = read_document(source.path, format, translator.decoder.model.languages)
    with (
        _translations(translator, paragraphs, document.segments, out) as done,
        atomic_text(out) as stream,
    ):
        stream.flush()
        cast("TextIO", stream).buffer.write(document.encoded(list(done)))
    return len(document.segments)


def _translations(
    translator: Translator, paragraphs: ParagraphTranslator, segments: list[str], out: str | None
) -> AbstractContextManager[Iterable[str]]:
    if out is None or is_stream(out):
        return nullcontext(paragraphs.translate(segments))

    def translate(lines: list[str], first: int) -> list[str]:
        return paragraphs.translate(lines, "segment", first)

    total = len(segments)
    return journalled(out, translator, translate, segments, total=total, split="document")
