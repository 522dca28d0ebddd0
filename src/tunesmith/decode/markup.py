"""Markup in the input: prescribed translations, walls and zones.

    das <t is="new house">neue Haus</t> <wall/> <zone>, das wir sahen ,</zone>

A ``<`` that begins none of these tags is an ordinary character; a tag that is broken (not closed,
crossing another, around no words) is refused.
"""

import re

from tunesmith.base.errors import InputError
from tunesmith.corpus.lines import split
from tunesmith.decode.sentence import SourceSentence

_TAG = re.compile(r'<t is="([^"]*)">|(</t>)|(<wall\s*/>)|(<zone>)|(</zone>)|<t\b|<wall\b|<zone\b')


def parse_markup(text: str, path: object = "<input>", line: int = 1) -> SourceSentence:
    """Parse one line.

    >>> sentence = parse_markup('das <t is="new house">neue Haus</t> dort')
    >>> sentence.words, sentence.forced
    (['das', 'neue', 'Haus', 'dort'], [(1, 3, ['new', 'house'])])
    """
    words: list[str] = []
    forced: list[tuple[int, int, list[str]]] = []
    walls: list[int] = []
    zones: list[tuple[int, int]] = []
    term: tuple[int, list[str]] | None = None
    zone: int | None = None
    end = 0

    def broken(found: str, expected: str) -> InputError:
        return InputError(path, line, found, expected)

    for tag in _TAG.finditer(text):
        words += split(text[end : tag.start()])
        end = tag.end()
        target, term_end, wall, zone_begin, zone_end = tag.groups()
        if target is not None:
            if term is not None:
                raise broken("<t> inside <t>", "</t> first")
            term = (len(words), split(target))
        elif term_end:
            if term is None:
                raise broken("</t> without <t>", 'an opening <t is="…">')
            if term[0] == len(words):
                raise broken("<t> around no words", "words to translate")
            forced.append((term[0], len(words), term[1]))
            term = None
        elif wall:
            if term is not None:
                raise broken("<wall/> inside <t>", "</t> first")
            walls.append(len(words))
        elif zone_begin:
            if zone is not None or term is not None:
                raise broken("<zone> inside another tag", "the other tag closed first")
            zone = len(words)
        elif zone_end:
            if zone is None or term is not None:
                raise broken("</zone> without <zone>", "an opening <zone>")
            if zone < len(words):
                zones.append((zone, len(words)))
            zone = None
        else:
            found = text[tag.start() : tag.start() + 20]
            raise broken(f"'{found}'", '<t is="…">, <wall/> or <zone>')
    words += split(text[end:])
    if term is not None:
        raise broken("<t> is not closed", "</t>")
    if zone is not None:
        raise broken("<zone> is not closed", "</zone>")
    return SourceSentence(words, forced, [w for w in walls if 0 < w < len(words)], zones)
