"""`Passage`: a text as sentences, and the text again when they are translated."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tunesmith.corpus.splitting import SentenceSplitter
from tunesmith.decode.paragraphs import CutLines
from tunesmith.formats.documents.html import html_document
from tunesmith.serve.asking import Question
from tunesmith.serve.failures import too_large
from tunesmith.serve.limits import ServerLimits


@dataclass(frozen=True)
class Passage:
    """The sentences of a text, and how their translations are put together."""

    sentences: Sequence[str]
    together: Callable[[Sequence[str]], str]


def cut(question: Question, splitter: SentenceSplitter, limits: ServerLimits) -> Passage:
    """The passage that a question is about."""
    passage = _passage(question, splitter, limits)
    _check_lengths(passage.sentences, "sentence", limits)
    return passage


def check_counts(
    passages: Sequence[Passage], questions: Sequence[Question], limits: ServerLimits
) -> None:
    """Refuse more sentences, or more alternatives of them, than a request may have."""
    counts = [len(passage.sentences) for passage in passages]
    if sum(counts) > limits.max_sentences:
        raise too_large(f"{sum(counts):,} sentences, expected at most {limits.max_sentences:,}")
    sizes = [0 if one.size == 1 else one.size for one in questions]
    wanted = sum(count * size for count, size in zip(counts, sizes, strict=True))
    if wanted > limits.max_alternatives:
        raise too_large(
            f"{wanted:,} alternatives of {sum(counts):,} sentences, expected at most "
            f"{limits.max_alternatives:,}"
        )


def _passage(question: Question, splitter: SentenceSplitter, limits: ServerLimits) -> Passage:
    if question.text is None:
        return Passage(question.sentences, "\n".join)
    if question.html:
        document = html_document(question.text)
        _check_lengths(document.segments, "paragraph", limits)
        segments = CutLines(document.segments, splitter)
        return Passage(segments.sentences, lambda texts: document.filled(segments.joined(texts)))
    lines = question.text.split("\n")
    _check_lengths(lines, "paragraph", limits)
    paragraphs = CutLines(lines, splitter)
    return Passage(
        paragraphs.sentences, lambda texts: "\n".join(paragraphs.joined(texts, indented=True))
    )


def _check_lengths(pieces: Sequence[str], what: str, limits: ServerLimits) -> None:
    for number, piece in enumerate(pieces, 1):
        if len(piece) > limits.max_characters:
            raise too_large(
                f"{what} {number}: {len(piece):,} characters, expected at most "
                f"{limits.max_characters:,}"
            )
