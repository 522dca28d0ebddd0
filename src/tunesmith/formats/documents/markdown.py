"""Markdown (CommonMark with tables): paragraphs, headings, list items and cells are segments."""

from itertools import accumulate

from tunesmith.formats.documents.base import SplicedDocument, has_words


def markdown_document(text: str) -> SplicedDocument:
    r"""What markdown-it takes for inline text is translated, a block at a time.

    >>> markdown_document("# A *head*\n\n> two\n> lines\n\n    code\n").segments
    ['A *head*', 'two lines']
    """
    from markdown_it import MarkdownIt

    front = _front_matter(text)
    body = text[front:]
    lines = body.split("\n")
    starts = list(accumulate((len(line) + 1 for line in lines), initial=front))
    spans: list[tuple[int, int]] = []
    segments: list[str] = []
    done = front
    for token in MarkdownIt("commonmark").enable("table").parse(body):
        if token.type != "inline" or token.map is None or not has_words(token.content):
            continue
        for number, piece in enumerate(token.content.split("\n"), token.map[0]):
            words = piece.strip()
            place = lines[number].find(words, max(0, done - starts[number]))
            if place < 0:  # written otherwise than it is meant: left as it is
                continue
            begin = starts[number] + place
            done = begin + len(words)
            ends = lines[number - 1].endswith(("  ", "\\"))  # a line end that is meant
            if number == token.map[0] or ends or not spans:
                spans.append((begin, done))
                segments.append(words.removesuffix("\\"))
            else:
                spans[-1] = (spans[-1][0], done)
                segments[-1] += f" {words}"
    spans = [(begin, end - text[begin:end].endswith("\\")) for begin, end in spans]
    return SplicedDocument(text, spans, segments)


def _front_matter(text: str) -> int:
    """Where the text begins behind a head of settings, between lines of dashes."""
    if not text.startswith("---\n"):
        return 0
    end = text.find("\n---\n", 3)
    return 0 if end < 0 else end + 5
