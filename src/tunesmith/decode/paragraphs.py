"""Paragraphs translated sentence by sentence, and put together again."""

from collections.abc import Iterable, Iterator

from tunesmith.base.errors import InputError
from tunesmith.corpus.splitting import SentenceSplitter
from tunesmith.decode.translate import Translator

# Behind these no language has a space.
_WIDE_ENDS = frozenset("。！？｡︒」』）》〉…")


class ParagraphTranslator:
    """Translates lines of several sentences; `splitter` is that of the model's source language."""

    def __init__(self, translator: Translator, splitter: SentenceSplitter | None = None) -> None:
        self.translator = translator
        self.splitter = splitter or SentenceSplitter(_language(translator))

    def translate(self, lines: list[str], path: object = "<input>", first: int = 0) -> list[str]:
        """The translation of every line; `first` is the number of the first one, from 0."""
        spans = [self.splitter.spans(line) for line in lines]
        places = [number for number, own in enumerate(spans, first) for _ in own]
        sentences = [
            line[begin:end] for line, own in zip(lines, spans, strict=True) for begin, end in own
        ]
        try:
            done = iter(
                [text for block in self.translator.stream(sentences, path) for text in block.texts]
            )
        except InputError as error:  # which counts sentences
            line = places[error.line - 1] + 1 if error.line else 0
            raise InputError(error.path, line, error.found, error.expected, error.remedy) from error
        return [
            _joined(line, own, [next(done) for _ in own])
            for line, own in zip(lines, spans, strict=True)
        ]

    def stream_blocks(
        self, blocks: Iterable[list[str]], path: object = "<input>"
    ) -> Iterator[list[str]]:
        """Translate lines as they come, a block at a time."""
        first = 0
        for lines in blocks:
            yield self.translate(lines, path, first)
            first += len(lines)


def _joined(line: str, spans: list[tuple[int, int]], texts: list[str]) -> str:
    """Translated sentences with the white space of the source between them."""
    joined = "".join(texts[:1])
    for (_, end), (begin, _), text in zip(spans, spans[1:], texts[1:], strict=False):
        space = line[end:begin] or " "
        joined += ("" if joined[-1:] in _WIDE_ENDS and space == " " else space) + text
    return joined


def _language(translator: Translator) -> str:
    """The language of a model's source, as far as its tokeniser knows it."""
    source = translator.decoder.model.preprocessors[0]
    return str(getattr(source.tokenizer, "language", "en"))
