"""`Preprocessor`: what is done to raw lines before they are learned from or translated, and undone
afterwards. A model remembers it, because new text must be treated in the same way.
"""

import json
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import ConfigError, InputError
from tunesmith.base.json_text import parse_json
from tunesmith.corpus.casing import CASINGS, Casing, NoCasing, Sources
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.known_words import KnownWords, UnknownWord
from tunesmith.corpus.lines import Line, Units, cut
from tunesmith.corpus.marks import KnownMarks, typewriter_apostrophes
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.protected import TAG_WORD
from tunesmith.corpus.sentences import blocks
from tunesmith.corpus.spacing import Spacing
from tunesmith.corpus.tokenizers import MosesTokenizer, Tokenizer, make_tokenizer
from tunesmith.corpus.whole_compounds import compound_lattice
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.plf import Lattice

#: Version of the rules that make words of text. Models keep the words they were trained on, so text
#: rules of another version do not fit them.
TEXT_RULES = 2
DEFAULT_TOKENIZER = MosesTokenizer.name
DEFAULT_CASING = "truecase"
# The apostrophes of words.
_APOSTROPHE = re.compile(r"(?<=[^\W\d_])'|'(?=[^\W\d_])")
# The parts of a saved preprocessor.
_PARTS: dict[str, Any] = {
    "tokenizer": Tokenizer,
    "casing": Casing,
    "compounds": CompoundSplitter,
    "protection": Protection,
    "known": KnownWords,
    "marks": KnownMarks,
    "spacing": Spacing,
}


class Preprocessor:
    """A tokeniser and then a casing; both ways, line by line.

    A source side may have more behind them, which has no way back: a splitter of compounds, and
    the known words that unknown ones are replaced by. With a `protection`, addresses, placeholders,
    numbers and the like are each one word that stands for them, and tags are left out.

    >>> german = Preprocessor(MosesTokenizer("de")).fit(["Das ist ein Haus."])
    >>> german.encode(["Ein Haus, kein Schiff!"])
    ['Ein Haus , kein Schiff !']
    >>> german.decode(["Ein Haus , kein Schiff !"])
    ['Ein Haus, kein Schiff!']
    """

    def __init__(
        self,
        tokenizer: Tokenizer | None = None,
        casing: Casing | None = None,
        compounds: CompoundSplitter | None = None,
        protection: Protection | None = None,
        known: KnownWords | None = None,
        marks: KnownMarks | None = None,
        spacing: Spacing | None = None,
    ) -> None:
        self.tokenizer = tokenizer or MosesTokenizer()
        self.casing = casing or NoCasing()
        self.compounds, self.known = compounds, known
        self.protection = protection
        self.marks = marks or KnownMarks()
        self.spacing = spacing
        """White space as running text of this side has it, where that was learned."""

    @classmethod
    def create(
        cls,
        tokenizer: str = DEFAULT_TOKENIZER,
        casing: str = DEFAULT_CASING,
        *,
        language: str = "en",
        model: str | Path | None = None,
    ) -> "Preprocessor":
        """By the names that the command line has; `model` is SentencePiece's."""
        if casing not in CASINGS:
            raise ConfigError(f"casing '{casing}', expected one of: {', '.join(CASINGS)}")
        return cls(make_tokenizer(tokenizer, language=language, model=model), CASINGS[casing]())

    def fit(self, lines: Iterable[str], *, engine: EngineLike = ALL_CORES) -> "Preprocessor":
        """Train the casing on raw lines."""
        parts = (self.tokens(block, engine=engine) for block in blocks(lines))
        self.casing.fit(chain.from_iterable(parts))
        return self

    def tokens(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Tokenise raw lines, with units masked; casing comes next."""
        if self.protection is None:
            return self._searched(self.tokenizer.tokenize(lines, engine=engine))
        units = self._units(lines)
        plain = [line for line, own in zip(lines, units, strict=True) if not own]
        others = [(line, own) for line, own in zip(lines, units, strict=True) if own]
        words = iter(self._searched(self.tokenizer.tokenize(plain, engine=engine)))
        texts, own_units = [line for line, _ in others], [own for _, own in others]
        read = cut(texts, own_units, self.tokenizer, engine=engine)
        masked = iter(self.search_forms(line.surfaces for line in read))
        return [next(masked if own else words) for own in units]

    def _units(self, lines: Sequence[str]) -> list[Units]:
        """Return the protected units of each line."""
        return [[] if self.protection is None else self.protection.units(line) for line in lines]

    def search_forms(self, lines: Iterable[Sequence[str]]) -> list[str]:
        """What search sees of tokens before they are cased: no tags, marks in known shapes."""
        return self._searched([" ".join(w for w in line if w != TAG_WORD) for line in lines])

    def _searched(self, lines: list[str]) -> list[str]:
        if not self.tokenizer.has_rules:
            return lines
        return self.marks.apply_lines(list(map(typewriter_apostrophes, lines)))

    def read(
        self,
        lines: Sequence[str],
        units: Sequence[Units] | None = None,
        *,
        known: bool = True,
        inside: bool = False,
        wanted: Container[str] = (),
        engine: EngineLike = ALL_CORES,
    ) -> list[Line]:
        """Raw lines with their tokens, and the words that search sees of each.

        Parameters
        ----------
        units
            What is protected in each line; by default what training says.
        known
            Whether known words take the place of unknown ones.
        inside
            Whether the lines are pieces of text that begin no sentence.
        wanted
            Words that unknown compounds are divided at, which else stay whole until they are
            replaced.
        """
        units = self._units(lines) if units is None else units
        read = cut(lines, units, self.tokenizer, engine=engine)
        # A tag in front of a sentence's first word does not make it another word.
        plain = self.search_forms(line.surfaces for line in read)
        apply = self.casing.apply_inside if inside else self.casing.apply
        for line, cased in zip(read, apply(plain), strict=True):
            texts = iter(cased.split(" "))
            line.texts = [word if word == TAG_WORD else next(texts) for word in line.surfaces]
            line.parts = [[text] for text in line.texts]
        if self.compounds is not None:
            self._divide(read, self.compounds, wanted, engine)
        if known and self.known is not None:
            for line in read:
                self.replace_unknown(line)
        return read

    def _divide(
        self,
        lines: list[Line],
        splitter: CompoundSplitter,
        wanted: Container[str],
        engine: EngineLike,
    ) -> None:
        """Divide compounds into parts."""
        words = sorted({word for line in lines for word in line.texts})
        unknown = None if self.known is None or splitter.keep_whole else wanted
        parts = dict(zip(words, splitter.split(words, unknown=unknown, engine=engine), strict=True))
        for line in lines:
            line.parts = [parts[word] for word in line.texts]

    def replace_unknown(self, line: Line) -> None:
        """Put known words in the place of unknown ones that are no units."""
        units = {place for place, token in enumerate(line.owners) if line.unit_of[token] >= 0}
        found, line.unknown = self.known_words(line.words, units)
        if line.unknown:
            words = iter(found)
            line.parts = [[known for _ in own for known in next(words)] for own in line.parts]

    def known_words(
        self, words: list[str], kept: Container[int] = ()
    ) -> tuple[list[list[str]], list[UnknownWord]]:
        """For each word of a sentence the known ones that take its place, or itself.

        With them come the unknown words, each with the place of what is translated for it.
        """
        result = [[word] for word in words]
        unknown = [] if self.known is None else self.known.unknown_words(words, kept)
        more = 0
        for number, one in enumerate(unknown):
            result[one.place] = list(one.words)
            unknown[number] = one._replace(place=one.place + more)
            more += len(one.words) - 1
        return result, unknown

    def encode(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Raw lines as tokenised and cased ones, of parts of compounds and known words if asked."""
        parts = self.casing.apply(self.tokens(lines, engine=engine))
        if self.compounds is not None:
            unknown = None if self.known is None else ()
            parts = self.compounds.apply(parts, unknown=unknown, engine=engine)
        return parts if self.known is None else self.known.apply(parts)

    def check_encoded(self, lines: Sequence[str], *, engine: EngineLike = ALL_CORES) -> None:
        """Warn where lines that should be as `encode` gives them have whole compounds."""
        if self.compounds is not None:
            # Unknown compounds that look like names stay whole.
            unknown = None if self.known is None else ()
            self.compounds.warn_of_whole(lines, unknown=unknown, engine=engine)

    def encode_input(
        self, lines: list[str], *, engine: EngineLike = ALL_CORES
    ) -> Sequence[str | Lattice]:
        """Raw lines as a translator that reads lattices takes them.

        The same as `encode`, unless compounds are kept whole beside their parts.
        """
        if self.compounds is None or not self.compounds.keep_whole:
            return self.encode(lines, engine=engine)
        read = self.read(lines, known=False, engine=engine)
        return [compound_lattice(line) or " ".join(line.words) for line in read]

    def decode(
        self, lines: list[str], sources: Sources = None, *, engine: EngineLike = ALL_CORES
    ) -> list[str]:
        """Write tokenised and cased lines as running text; `sources` as in `Casing.restore`."""
        return self.join(self.casing.restore(lines, sources), engine=engine)

    def join(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Lines of words as running text, their capitals as they are."""
        if self.spacing is None:
            return self.tokenizer.detokenize(lines, engine=engine)
        return self.spacing.join(list(map(self._typeset, lines)), engine=engine)

    def write_words(self, words: list[str]) -> list[str]:
        """Words of a line as running text has each, without the white space between them."""
        if self.tokenizer.has_rules:
            signs = self.tokenizer.signs
            return [signs[word] if word in signs else self._typeset(word) for word in words]
        return [word.text for word in self.tokenizer.written(words)]

    def spaces(
        self, words: list[str], written: list[str], fixed: Sequence[str | None]
    ) -> list[str]:
        """The white space before each word of a line; what is `fixed` stays.

        `words` are tokens, `written` what is written for them.
        """
        if self.tokenizer.has_rules:
            spacing = self.spacing or self.tokenizer.spacing
            pairs = zip(words, written, strict=True)
            shown = [word if word in self.tokenizer.signs else text for word, text in pairs]
            return spacing.spaces(shown, fixed)
        own = [word.space for word in self.tokenizer.written(words)]
        return [habit if given is None else given for habit, given in zip(own, fixed, strict=True)]

    def _typeset(self, text: str) -> str:
        """The apostrophes of words as the text of this side has them."""
        if self.spacing is None or "'" not in text or self.spacing.apostrophe == "'":
            return text
        return _APOSTROPHE.sub(self.spacing.apostrophe, text)

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to make this preprocessor again; plain JSON values."""
        parts = {name: getattr(self, name) for name in _PARTS}
        parts["marks"] = self.marks if self.marks.counts else None
        values = {name: part.to_dict() for name, part in parts.items() if part is not None}
        return {"text_rules": TEXT_RULES, **values}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Preprocessor":
        """The inverse of `to_dict`."""
        required = {"tokenizer", "casing"}
        if not isinstance(values, Mapping) or not (
            required <= set(values) <= {*_PARTS, "text_rules"}
        ):
            raise ConfigError("preprocessor: expected the keys 'tokenizer' and 'casing'")
        values = dict(values)
        rules = values.pop("text_rules", 1)
        for part in values.values():
            if not isinstance(part, Mapping):
                raise ConfigError(f"preprocessor: {part!r}, expected an object with a name")
        # Text that is tokenised already has no rules.
        if rules != TEXT_RULES and values["tokenizer"].get("name") != "none":
            raise ConfigError(
                f"made with version {rules} of the text rules, expected {TEXT_RULES}: train again"
            )
        return cls(**{name: _PARTS[name].from_dict(part) for name, part in values.items()})

    def save(self, path: str | Path) -> None:
        """Write it to a JSON file."""
        with atomic_text(path) as stream:
            # In one piece and without indents, which is ten times as fast for many words.
            stream.write(json.dumps(self.to_dict(), ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: str | Path) -> "Preprocessor":
        """Read it from a JSON file."""
        try:
            values = parse_json(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            raise InputError(path, 0, error.strerror or str(error), "a readable file") from error
        except ValueError as error:
            raise InputError(path, 0, "not JSON", "a saved preprocessor") from error
        try:
            return cls.from_dict(values)
        except ConfigError as error:
            raise InputError(path, 0, str(error), "", "make the file again") from error
