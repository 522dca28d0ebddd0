"""From the words of a translation back to running text with the units of its source."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from tunesmith.corpus.protected import TAG, is_spaced_letter
from tunesmith.corpus.tokenizers import Tokenizer
from tunesmith.decode.protection import ProtectedSentence

# Units that are spaced as in the source, whatever stands beside them.
_SPACED_AS_GIVEN = frozenset({"escape"})
# Units that are spaces themselves.
_SPACES = frozenset({"&nbsp;", "&#160;", "&#xa0;", "&#xA0;", "&thinsp;", "&#8239;", "&shy;"})


class _Word(NamedTuple):
    space: bool
    """Whether there is one before it."""
    text: str


def restored(
    sentence: ProtectedSentence,
    words: Sequence[str],
    items: Sequence[tuple[int, int]],
    tokenizer: Tokenizer,
    terms: Sequence[tuple[int, int, str]] = (),
) -> str:
    """Running text: `words` as the language writes them, units verbatim, tags where they belong.

    `words` have their capitals already; `items` are what `layout` gives; `terms` are spans of the
    words and the text that they are, as it is written.
    """
    units = {word: unit for unit, word in items if unit >= 0 and word >= 0}
    texts = sentence.written
    masks = {word: sentence.units[unit].word for word, unit in units.items()}
    running = _running(words, masks, terms, tokenizer)
    as_written = {begin: text for begin, _, text in terms}
    inner = {word for begin, end, _ in terms for word in range(begin + 1, end)}
    spacing = _Spacing(sentence)
    written: list[str] = []
    tags: list[int] = []
    before = -1  # the unit that the last word is
    for unit, word in items:
        if word < 0:
            tags.append(unit)
            continue
        if word in inner:
            continue
        text = texts[unit] if unit >= 0 else as_written.get(word, running[word].text)
        if written:
            space = running[word].space
            if not tags:
                space = spacing.beside(before, unit, space, written[-1][-1:], text[:1])
            written.append(spacing.with_tags(tags, space))
        else:
            written.append(spacing.with_tags(tags, False))
        written.append(text)
        tags, before = [], unit
    return "".join([*written, spacing.with_tags(tags, False)])


class _Spacing:
    """Where spaces go beside units, by those of the source."""

    def __init__(self, sentence: ProtectedSentence) -> None:
        self.line, self.units, self.texts = sentence.line, sentence.units, sentence.texts
        self.lone = {one.opening for one in sentence.all_elements() if one.is_lone}
        self.closing = {one.closing for one in sentence.all_elements()} - self.lone

    def beside(self, left: int, right: int, space: bool, last: str, first: str) -> bool:
        """Whether there is a space between two words, one a unit; `space` is the detokeniser's.

        There is none where the source has none and the same character, or unit, stands there.
        """
        for unit, there in ((left, self._after), (right, self._before)):
            if unit >= 0 and self.texts[unit] in _SPACES:
                return False
            if unit >= 0 and self.units[unit].kind in _SPACED_AS_GIVEN:
                return there(unit).isspace()
        if left >= 0 and right >= 0:
            return space and self.units[left].end != self.units[right].begin
        if left >= 0 and self._after(left) == first:
            return False
        return space and not (right >= 0 and self._before(right) == last)

    def with_tags(self, tags: Sequence[int], space: bool) -> str:
        """Tags between two words and the space there: behind closing tags, before opening ones."""
        if not tags:
            return " " * space
        if all(self._is_glued(tag) for tag in tags):
            space = False
        text = ""
        for tag in tags:
            if tag in self.lone:
                before, after = self._before(tag).isspace(), self._after(tag).isspace()
                text += " " * (before and not text.endswith(" "))
                text += self.texts[tag] + " " * after
                space = False
            else:
                if space and tag not in self.closing:
                    text, space = f"{text} ", False
                text += self.texts[tag]
        return text + " " * space

    def _before(self, unit: int) -> str:
        return self.line[: self.units[unit].begin][-1:]

    def _after(self, unit: int) -> str:
        return self.line[self.units[unit].end :][:1]

    def _is_glued(self, tag: int) -> bool:
        """Whether a tag stands inside of a word, as in ``<b>L</b>etter``."""
        begin, end = self.units[tag].begin, self.units[tag].end
        starts = {unit.begin for unit in self.units if unit.kind == TAG}
        ends = {unit.end for unit in self.units if unit.kind == TAG}
        left = begin in ends or is_spaced_letter(self._before(tag))
        return left and (end in starts or is_spaced_letter(self._after(tag)))


def _running(
    words: Sequence[str],
    units: dict[int, str],
    terms: Sequence[tuple[int, int, str]],
    tokenizer: Tokenizer,
) -> list[_Word]:
    """Each word as running text has it: detokenised after what stands before it."""
    begins = tokenizer.detokenize([" ".join(words[:n]) for n in range(len(words) + 1)], engine=1)
    whole, end = begins[-1], 0
    running: list[_Word] = []
    for begin in begins[1:]:
        reach = max(end, _shared(begin.rstrip(" "), whole))
        piece = whole[end:reach]
        running.append(_Word(piece.startswith(" "), piece.strip(" ")))
        end = reach
    if all(running[place].text == word for place, word in units.items()) and end == len(whole):
        return running
    # A tokeniser with ways of its own: units and terms stand apart from what is between them.
    running = [_Word(False, "") for _ in words]
    fixed = sorted([*((word, word + 1, mask) for word, mask in units.items()), *terms])
    ends = [(0, 0, ""), *fixed, (len(words), len(words), "")]
    for (_, left, _), (right, _, text) in pairwise(ends):
        if left < right:
            between = " ".join(words[left:right])
            running[left] = _Word(True, tokenizer.detokenize([between], engine=1)[0])
        if right < len(words):
            running[right] = _Word(True, text)
    return running


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    if other.startswith(one):
        return len(one)
    return next(i for i, (a, b) in enumerate(zip(one, f"{other}\0", strict=False)) if a != b)
