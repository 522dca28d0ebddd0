"""Markdown (CommonMark with tables): paragraphs, headings, list items and cells are segments."""

import re
from itertools import accumulate

from tunesmith.formats.documents.base import SplicedDocument, has_words

# A head of settings, of YAML or TOML.
_FRONT = re.compile(r"(---|\+\+\+)[ \t]*\r?\n(?:.*\n)*?(?:\1|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
# What dialects have in front of a text, which is no part of it: tasks, notes, definitions, …
_FRONTS = re.compile(r"\[[ xX]\]\s+|\[\^[^\]\s]+\]:\s*|:\s+")
# … behind it (names of headings), …
_BACKS = re.compile(r"\s+\{:?\s*[#.][^{}]*\}\s*\Z")
# … and in lines of their own: borders of containers, kinds of remarks, lists of attributes.
_NO_TEXT = re.compile(r":{3,}.*|\[![A-Za-z]+\]|\{[:%].*\}")


def markdown_document(text: str) -> SplicedDocument:
    r"""What markdown-it takes for inline text is translated, a block at a time.

    >>> markdown_document("# A *head*\n\n> two\n> lines\n\n    code\n").segments
    ['A *head*', 'two lines']
    """
    from markdown_it import MarkdownIt

    found = _FRONT.match(text)
    front = found.end() if found else 0
    body = text[front:]
    raw = _LINE.findall(body)
    starts = list(accumulate(map(len, raw), initial=front))
    lines = [line.rstrip("\r\n") for line in raw]
    spans: list[tuple[int, int]] = []
    done = front
    for token in MarkdownIt("commonmark").enable("table").parse(body):
        if token.type != "inline" or token.map is None or not has_words(token.content):
            continue
        goes_on = False  # whether the next line is of the same segment
        for number, piece in enumerate(token.content.split("\n"), token.map[0]):
            begin, end = _place(lines[number], piece.strip(), max(0, done - starts[number]))
            if begin == end:
                goes_on = False
                continue
            is_meant = lines[number].endswith(("  ", "\\"))  # the line end
            mark = _FRONTS.match(lines[number][begin:end])
            begin += mark.end() if mark else 0
            end -= lines[number][begin:end].endswith("\\")
            done = starts[number] + end
            if goes_on and not mark:
                spans[-1] = (spans[-1][0], done)
            elif begin < end:
                spans.append((starts[number] + begin, done))
            goes_on = begin < end and not is_meant
    spans = [(begin, begin + len(_BACKS.sub("", text[begin:end]))) for begin, end in spans]
    spans = [(begin, end) for begin, end in spans if has_words(text[begin:end])]
    return SplicedDocument(text, spans, [_in_one_line(text[b:e]) for b, e in spans])


def _place(line: str, words: str, begin: int) -> tuple[int, int]:
    """Where words stand in a line; nowhere if they are written otherwise, or are no text."""
    if not _NO_TEXT.fullmatch(words):
        for written in (words, words.replace("|", "\\|")):  # as cells of a table have it
            place = line.find(written, begin)
            if place >= 0:
                return place, place + len(written)
    return begin, begin


def _in_one_line(text: str) -> str:
    """Without the marks of quotes in front of its lines."""
    first, *others = re.split(r"[\r\n]+", text)
    return " ".join([first, *(re.sub(r"\A[\s>]+", "", line) for line in others)])
