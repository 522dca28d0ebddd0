"""JSON of messages: the strings are translated; keys, numbers and the layout stay."""

import json
import re
from pathlib import Path

from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json
from tunesmith.base.log import log
from tunesmith.formats.documents.base import SplicedDocument, has_words

# In valid JSON no quote stands outside of strings; one before a colon is a key.
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"(?!\s*:)|"(?:[^"\\]|\\.)*"')
# Line ends of a string, which are escaped, or a line.
_LINE = re.compile(r"(?:\\[nr])+|((?:[^\\]|\\[^nr])+)")
# Plural forms and other choices of ICU's MessageFormat, whose keywords are no words.
_CHOICE = re.compile(r"\{\s*\w+\s*,\s*(?:plural|select|selectordinal|choice)\s*,")


class MessagesDocument(SplicedDocument):
    """Strings of JSON, a segment for each line of them."""

    def __init__(self, text: str, spans: list[tuple[int, int]]) -> None:
        # A file in which other letters are escaped keeps to that.
        self._is_ascii = text.isascii() and "\\u" in text
        super().__init__(text, spans, [json.loads(f'"{text[b:e]}"') for b, e in spans])

    def replacement(self, number: int, translation: str) -> str:
        """The translation with its quotes and other letters escaped."""
        if translation == self.segments[number]:
            begin, end = self.spans[number]
            return self.text[begin:end]
        return json.dumps(translation, ensure_ascii=self._is_ascii)[1:-1]


def messages_document(text: str, path: str | Path) -> MessagesDocument:
    r"""The strings of a JSON file that have words.

    >>> messages_document('{"a": "One\\nand \\"two\\"", "b": [3, "c-d"]}', "x").segments
    ['One', 'and "two"', 'c-d']
    """
    try:
        parse_json(text)
    except ValueError as error:
        line = getattr(error, "lineno", 0)
        raise InputError(path, line, f"not JSON: {error}", "JSON of messages") from error
    spans: list[tuple[int, int]] = []
    choices = 0
    for found in _STRING.finditer(text):
        if found[1] is None or not has_words(found[1]):
            continue
        if _CHOICE.search(found[1]):
            choices += 1
            continue
        for line in _LINE.finditer(text, *found.span(1)):
            words = (line[1] or "").strip()
            if has_words(words):
                begin = line.start() + line[0].index(words)
                spans.append((begin, begin + len(words)))
    if choices:
        stay = "message stays" if choices == 1 else "messages stay"
        log.warning("%s: %d %s untranslated: plural forms or choices of ICU", path, choices, stay)
    return MessagesDocument(text, spans)
