"""Paragraphs translated sentence by sentence, and put together again."""

import re
from collections.abc import Iterable, Iterator, Sequence

from tunesmith.base.errors import InputError
from tunesmith.corpus.splitting import SentenceSplitter
from tunesmith.decode.translate import Translator
from tunesmith.model import TranslationModel

# Behind these no language has a space.
_WIDE_ENDS = frozenset("。！？｡︒」』）》〉…")
# Around a whole sentence they stay where they are, whatever search would do with them; “[^1]” and
# “[!NOTE]” are marks of Markdown.
_BRACKETS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(\(\s*+)([^()\s](?:[^()]*[^()\s])?)(\s*+\))",
        r"(\[\s*+)([^\[\]\s^!](?:[^\[\]]*[^\[\]\s])?)(\s*+\])",
        r"(（\s*+)([^（）\s](?:[^（）]*[^（）\s])?)(\s*+）)",
        # Of several sentences in brackets the first, and the last.
        r"([(\[（]\s*)([^()\[\]（）\s][^()\[\]（）]*)()",
        r"()([^()\[\]（）]+[.!?…。！？])(\s*[)\]）])",
    )
)


class ParagraphTranslator:
    """Translates lines of several sentences; `splitter` is that of the model's source language."""

    def __init__(self, translator: Translator, splitter: SentenceSplitter | None = None) -> None:
        self.translator = translator
        self.splitter = splitter or splitter_of(translator.decoder.model)

    def translate(self, lines: list[str], path: object = "<input>", first: int = 0) -> list[str]:
        """The translation of every line; `first` is the number of the first one, from 0."""
        cut = CutLines(lines, self.splitter)
        try:
            done = [
                text
                for block in self.translator.stream(cut.sentences, path)
                for text in block.texts
            ]
        except InputError as error:  # which counts sentences
            line = cut.places[error.line - 1] + first + 1 if error.line else 0
            raise InputError(error.path, line, error.found, error.expected, error.remedy) from error
        return cut.joined(done)

    def stream_blocks(
        self, blocks: Iterable[list[str]], path: object = "<input>"
    ) -> Iterator[list[str]]:
        """Translate lines as they come, a block at a time."""
        first = 0
        for lines in blocks:
            yield self.translate(lines, path, first)
            first += len(lines)


def splitter_of(model: TranslationModel) -> SentenceSplitter:
    """Finds sentences of the source language of a model."""
    forms = getattr(model.preprocessors[0].casing, "forms", None) or {}

    def begins(word: str) -> bool:
        return bool(forms.get(word.lower(), [word])[0][:1].islower())

    return SentenceSplitter(model.languages[0] or "en", begins)


class CutLines:
    """Lines cut into sentences, which are put together again when they are translated.

    >>> cut = CutLines(["Ja. (Nein.)"], SentenceSplitter("de"))
    >>> cut.sentences, cut.joined(["Yes.", "No."])
    (['Ja.', 'Nein.'], ['Yes. (No.)'])
    """

    def __init__(self, lines: Sequence[str], splitter: SentenceSplitter) -> None:
        self.lines, self.spans = lines, [splitter.spans(line) for line in lines]
        self.places = [number for number, own in enumerate(self.spans) for _ in own]
        """The line of every sentence, from 0."""
        self._parts = [
            _without_brackets(line[begin:end])
            for line, own in zip(lines, self.spans, strict=True)
            for begin, end in own
        ]
        self.sentences = [sentence for _, sentence, _ in self._parts]

    def joined(self, texts: Sequence[str], *, indented: bool = False) -> list[str]:
        """The lines with these translations of all sentences; `indented` keeps white space ends."""
        done = (
            f"{before}{text}{behind}"
            for (before, _, behind), text in zip(self._parts, texts, strict=True)
        )
        lines: list[str] = []
        for line, own in zip(self.lines, self.spans, strict=True):
            text = _joined(line, own, [next(done) for _ in own])
            if indented:
                begin, end = (own[0][0], own[-1][1]) if own else (len(line), len(line))
                text = line[:begin] + text + line[end:]
            lines.append(text)
        return lines


def _without_brackets(sentence: str) -> tuple[str, str, str]:
    """A sentence, between what stands around the whole of it."""
    for pattern in _BRACKETS:
        if found := pattern.fullmatch(sentence):
            return found[1], found[2], found[3]
    return "", sentence, ""


def _joined(line: str, spans: list[tuple[int, int]], texts: list[str]) -> str:
    """Translated sentences with the white space of the source between them."""
    joined = "".join(texts[:1])
    for (_, end), (begin, _), text in zip(spans, spans[1:], texts[1:], strict=False):
        # Between two units there is nothing; scripts without spaces have spaces in translation.
        space = line[end:begin] or " " * (not line[end - 1].isascii())
        joined += ("" if joined[-1:] in _WIDE_ENDS and space == " " else space) + text
    return joined
