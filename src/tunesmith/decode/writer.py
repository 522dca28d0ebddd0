"""The writer: target words, with links to the source tokens they came from, as running text.

1. The target's casing gives the words their capitals.
2. The target's spacing says what white space stands before each word.
3. A copied token (unit, unknown word, term) appears as it stood in the source, with the white space
   of the source towards neighbours that were its neighbours there.
4. Tags are written around what their words became.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from tunesmith.base.derivation import DerivationStep
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.casing import capitalised
from tunesmith.corpus.lines import Line, split
from tunesmith.corpus.protected import TAG, TAG_WORD, is_spaced_letter
from tunesmith.corpus.tags import all_elements
from tunesmith.decode.lattice import SourceLattice
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.protection import layout, made_terms, sentence_elements
from tunesmith.decode.sentence import SourceSentence
from tunesmith.formats.plf import Lattice
from tunesmith.model import TranslationModel

# Stands for the words of a term: a sentence may begin with it, and does not end in it.
_TERM = "xtermx"
# Units that are spaced as in the source, whatever stands beside them.
_SPACED_AS_GIVEN = frozenset({"escape"})
# Units that are spaces themselves.
_SPACES = frozenset({"&nbsp;", "&#160;", "&#xa0;", "&#xA0;", "&thinsp;", "&#8239;", "&shy;"})


def running_texts(
    model: TranslationModel,
    output: DecoderOutput,
    rows: Sequence[tuple[SourceSentence | Lattice, int]],
) -> list[str]:
    """Translations as people read them, each a row of `output` with the sentence it translates."""
    target = model.preprocessors[1]
    writers: dict[int, _Writer] = {}
    shown = []
    for number, (sentence, row) in enumerate(rows):
        words = split(output.texts[row])
        if isinstance(sentence, SourceSentence) and (
            sentence.written or sentence.terms or (sentence.line and output.has_copies(row))
        ):
            writers[number] = _Writer(sentence, output.steps(row), words)
            words = writers[number].masked()
        shown.append(" ".join(words))
    cased = target.casing.restore(shown, [_surfaces(sentence) for sentence, _ in rows])
    texts = target.join(cased)
    for number, writer in writers.items():
        texts[number] = writer.text(target, split(cased[number]))
    _remember(model, output, rows, texts)
    return texts


def write(
    target: Preprocessor,
    sentence: SourceSentence,
    steps: Sequence[DerivationStep],
    words: Sequence[str],
    cased: list[str],
) -> str:
    """Running text of a translation by `steps` (flat) into `words`, with capitals `cased`."""
    return _Writer(sentence, steps, words).text(target, list(cased))


def _surfaces(sentence: SourceSentence | Lattice) -> str | None:
    """The words of a source before they were cased, if it was running text."""
    if not isinstance(sentence, SourceSentence | SourceLattice) or sentence.line is None:
        return None
    return " ".join(word for word in sentence.line.surfaces if word != TAG_WORD)


def _remember(
    model: TranslationModel,
    output: DecoderOutput,
    rows: Sequence[tuple[SourceSentence | Lattice, int]],
    texts: list[str],
) -> None:
    """Put corrections of whole sentences in the place of their translations."""
    if model.layer is None or not model.layer.written:
        return
    for number, (sentence, row) in enumerate(rows):
        if isinstance(sentence, SourceSentence) and not (sentence.written or sentence.terms):
            tokens = " ".join(sentence.words), output.texts[row]
            texts[number] = model.layer.written.get(tokens, texts[number])


class _Writer:
    """Writes a translation of which some words are the source's own; `steps` are flat."""

    def __init__(
        self, sentence: SourceSentence, steps: Sequence[DerivationStep], words: Sequence[str]
    ) -> None:
        self.sentence, self.steps, self.words = sentence, steps, words
        self.terms = made_terms(sentence, steps)
        self.line = sentence.line or Line("", [], [], [])
        self.token_of: dict[int, int] = {}
        """Word of the translation → the token of which it is a copy."""
        self.repeats: set[int] = set()
        """Words that are further parts of a token which is written whole."""
        self.whole: set[int] = set()
        """Tokens that are written whole."""
        if sentence.line is not None:
            self._find_copies()
        elements = list(all_elements(sentence_elements(sentence)))
        self.lone = {one.opening for one in elements if one.is_lone}
        self.closing = {one.closing for one in elements} - self.lone

    def _find_copies(self) -> None:
        sentence, line = self.sentence, self.line
        terms = {term.begin for term in sentence.terms}
        edges = {at for begin, end in sentence.enclosures for at in (begin, end - 1)}
        reshaped = {at for at in edges if sentence.words[at] != line.surfaces[sentence.owners[at]]}
        copied: dict[int, list[int]] = {}
        parts = Counter(sentence.owners)
        for step in self.steps:
            places = range(step.begin, step.end)
            made = range(step.target_begin, step.target_end)
            if step.rule >= 0 or step.begin in terms or len(made) != len(places):
                continue
            for place, word in zip(places, made, strict=True):
                token = sentence.owners[place]
                if line.unit_of[token] in sentence.written:
                    self.token_of[word] = token
                elif self.words[word] == sentence.words[place] and place not in reshaped:
                    copied.setdefault(token, []).append(word)
        for token, own in copied.items():
            if len(own) < parts[token]:
                continue
            self.whole.add(token)
            self.token_of[min(own)] = token
            self.repeats.update(own)
            self.repeats.remove(min(own))

    def masked(self) -> list[str]:
        """The words of the translation, with one that stands for each word of a term."""
        words = list(self.words)
        for begin, end, _ in self.terms:
            words[begin:end] = [_TERM] * (end - begin)
        return words

    def _put_terms(self, cased: list[str]) -> dict[int, str]:
        """Put terms into their places; by its first word each as it is written there."""
        written = {}
        for begin, end, term in self.terms:
            begins_sentence = cased[begin] != _TERM
            cased[begin:end] = term.tokens
            written[begin] = term.target
            if begins_sentence:
                cased[begin] = capitalised(cased[begin])
                first, space, rest = term.target.partition(" ")
                written[begin] = capitalised(first) + space + rest
        return written

    def text(self, target: Preprocessor, cased: list[str]) -> str:
        """The running text; `cased` are the words with their capitals."""
        as_written = self._put_terms(cased)
        inner = {word for begin, end, _ in self.terms for word in range(begin + 1, end)}
        inner |= self.repeats
        shown = target.write_words(cased)
        texts: list[str] = []
        tokens: list[str] = []
        fixed: list[str | None] = []
        tags: list[list[int]] = [[]]  # those before each word, and behind the last
        before = -1  # the token of which the last word is a copy
        for unit, word in layout(self.sentence, self.steps, len(cased)):
            if word < 0:
                tags[-1].append(unit)
                continue
            if word in inner:
                continue
            token = self.token_of.get(word, -1)
            text = as_written.get(word) or self._copy(token, shown[word])
            given = None if texts else ""
            if texts and not tags[-1]:
                given = self._between(before, token, texts[-1][-1:], text[:1])
            texts.append(text)
            tokens.append(cased[word])
            fixed.append(given)
            tags.append([])
            before = token
        spaces = target.spaces(tokens, texts, fixed) if texts else []
        pieces = [
            self._with_tags(own, space) + text
            for own, space, text in zip(tags, spaces, texts, strict=False)
        ]
        return "".join(pieces) + self._with_tags(tags[-1], "")

    def _copy(self, token: int, text: str) -> str:
        """A word of the translation, or the token that it is a copy of as it stood."""
        if token < 0:
            return text
        if (unit := self.line.unit_of[token]) >= 0:
            return self.sentence.written[unit]
        if token not in self.whole or self.line.surfaces[token] == self.line.words_of(token):
            return text
        begin, end = self.line.spans[token]
        return self.line.surfaces[token] if self.line.inner_tags else self.line.raw[begin:end]

    def _between(self, left: int, right: int, last: str, first: str) -> str | None:
        """What the source says of the space between two words that may be copies, if anything."""
        for token, there in ((left, self._after), (right, self._before)):
            unit = self.line.unit_of[token] if token >= 0 else -1
            if unit < 0:
                continue
            if self._unit_text(unit) in _SPACES:
                return ""
            if self.line.units[unit].kind in _SPACED_AS_GIVEN:
                return " " if there(token).isspace() else ""
        if left >= 0 and right >= 0:
            if right == left + 1:
                return self.line.before(right)
            units = min(self.line.unit_of[left], self.line.unit_of[right]) >= 0
            were_apart = not (self._after(left) + self._before(right)).strip()
            return " " if units and were_apart else None
        for token, there, neighbour in ((left, self._after, first), (right, self._before, last)):
            if token < 0:
                continue
            if there(token) == neighbour:
                return ""
            if not there(token).strip() and is_spaced_letter(neighbour) and self._is_mark(token):
                return " "
        return None

    def _is_mark(self, token: int) -> bool:
        """Whether a token is a unit or a mark, beside which no habit of the target is known."""
        return self.line.unit_of[token] >= 0 or not any(map(str.isalnum, self.line.surfaces[token]))

    def _with_tags(self, tags: Sequence[int], space: str) -> str:
        """Tags between two words and the space there: behind closing tags, before opening ones."""
        if not tags:
            return space
        if all(map(self._is_glued, tags)):
            space = ""
        text = ""
        for tag in tags:
            own = self._unit_text(tag)
            if tag in self.lone:
                begin, end = self.line.units[tag].begin, self.line.units[tag].end
                before, after = self._left_of(begin), self.line.raw[end : end + 1]
                text += " " * (before.isspace() and not text.endswith(" "))
                text += own + " " * after.isspace()
                space = ""
            else:
                if space and tag not in self.closing:
                    text, space = text + space, ""
                text += own
        return text + space

    def _unit_text(self, unit: int) -> str:
        own = self.line.units[unit]
        return self.line.raw[own.begin : own.end]

    def _before(self, token: int) -> str:
        return self._left_of(self.line.spans[token][0])

    def _left_of(self, place: int) -> str:
        return self.line.raw[max(0, place - 1) : place]

    def _after(self, token: int) -> str:
        end = self.line.spans[token][1]
        return self.line.raw[end : end + 1]

    @cached_property
    def _tag_borders(self) -> tuple[set[int], set[int]]:
        tags = [unit for unit in self.line.units if unit.kind == TAG]
        return {tag.begin for tag in tags}, {tag.end for tag in tags}

    def _is_glued(self, tag: int) -> bool:
        """Whether a tag stands between a word and another, as in ``H<b>2</b>O``."""
        if tag in self.line.inner_tags:
            return False
        begin, end = self.line.units[tag].begin, self.line.units[tag].end
        starts, ends = self._tag_borders
        left = begin in ends or is_spaced_letter(self._left_of(begin))
        return left and (end in starts or is_spaced_letter(self.line.raw[end : end + 1]))
