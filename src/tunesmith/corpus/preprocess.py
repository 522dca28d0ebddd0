"""`Preprocessor`: what is done to raw lines before they are learned from or translated, and undone
afterwards. A model remembers it, because new text must be treated in the same way.
"""

import json
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import ConfigError, InputError
from tunesmith.base.json_text import parse_json
from tunesmith.corpus.casing import CASINGS, Casing, NoCasing
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.known_words import KnownWords
from tunesmith.corpus.masking import Protection, Units, tokenize_masked
from tunesmith.corpus.protected import TAG_WORD
from tunesmith.corpus.sentences import blocks
from tunesmith.corpus.tokenizers import MosesTokenizer, Tokenizer, make_tokenizer
from tunesmith.corpus.whole_compounds import compound_lattices
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.formats.plf import Lattice

DEFAULT_TOKENIZER = MosesTokenizer.name
DEFAULT_CASING = "truecase"


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
    ) -> None:
        self.tokenizer = tokenizer or MosesTokenizer()
        self.casing = casing or NoCasing()
        self.compounds, self.known = compounds, known
        self.protection = protection

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
        self.casing.fit(line for block in blocks(lines) for line in self._tokenize(block, engine))
        return self

    def _tokenize(self, lines: list[str], engine: EngineLike) -> list[str]:
        if self.protection is None:
            return self.tokenizer.tokenize(lines, engine=engine)
        return self.tokenize(lines, list(map(self.protection.units, lines)), engine=engine)

    def tokenize(
        self, lines: list[str], units: Sequence[Units], *, engine: EngineLike = ALL_CORES
    ) -> list[str]:
        """Tokenise with these units masked, and tags left out."""
        return tokenize_masked(self.tokenizer, lines, units, tags=False, engine=engine)

    def encode_units(
        self, lines: Sequence[str], units: Sequence[Units], *, engine: EngineLike = ALL_CORES
    ) -> list[tuple[list[str], list[int]]]:
        """The words of lines with these units, tags too, and where among them the units are."""
        return [
            self.with_known_words(words, places, {*places})
            for words, places in self.encode_parts(lines, units, engine=engine)
        ]

    def encode_parts(
        self, lines: Sequence[str], units: Sequence[Units], *, engine: EngineLike = ALL_CORES
    ) -> list[tuple[list[str], list[int]]]:
        """The same before known words take the place of unknown ones: compounds are in parts."""
        tokens = tokenize_masked(self.tokenizer, lines, units, tags=True, engine=engine)
        words = [[word for word in line.split(" ") if word] for line in tokens]
        # A tag in front of a sentence's first word does not make it another word.
        plain = [" ".join(word for word in line if word != TAG_WORD) for line in words]
        pieces: list[str] = []
        for line, own, cased in zip(words, units, self.casing.apply(plain), strict=True):
            pieces += _between(line, cased.split(" "), {unit.word for unit in own})
        rest = iter(self._in_parts(pieces, engine))
        encoded: list[tuple[list[str], list[int]]] = []
        for own in units:
            result, places = next(rest).split(), []
            for unit in own:
                places.append(len(result))
                result += [unit.word, *next(rest).split()]
            encoded.append((result, places))
        return encoded

    def with_known_words(
        self, words: list[str], places: list[int], kept: Container[int] = ()
    ) -> tuple[list[str], list[int]]:
        """Known words in the place of unknown ones, but for those that are kept.

        Where the words at `places` are then is told too.
        """
        if self.known is None:
            return words, places
        starts: list[int] = []
        result: list[str] = []
        for place, word in enumerate(words):
            starts.append(len(result))
            result += [word] if place in kept else self.known.apply([word])[0].split(" ")
        return result, [starts[place] for place in places]

    def encode(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Raw lines as tokenised and cased ones, of parts of compounds and known words if asked."""
        parts = self.encode_unreplaced(lines, engine=engine)
        return parts if self.known is None else self.known.apply(parts)

    def encode_unreplaced(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """The same before known words take the place of unknown ones."""
        return self._in_parts(self.casing.apply(self._tokenize(lines, engine)), engine)

    def _in_parts(self, lines: list[str], engine: EngineLike) -> list[str]:
        """Cased lines with compounds in parts."""
        return lines if self.compounds is None else self.compounds.apply(lines, engine=engine)

    def check_encoded(self, lines: Sequence[str], *, engine: EngineLike = ALL_CORES) -> None:
        """Warn where lines that should be as `encode` gives them have whole compounds."""
        if self.compounds is not None:
            self.compounds.warn_of_whole(lines, engine=engine)

    def encode_input(
        self, lines: list[str], *, engine: EngineLike = ALL_CORES
    ) -> Sequence[str | Lattice]:
        """Raw lines as a translator that reads lattices takes them.

        The same as `encode`, unless compounds are kept whole beside their parts.
        """
        if self.compounds is None or not self.compounds.keep_whole:
            return self.encode(lines, engine=engine)
        whole = self.casing.apply(self._tokenize(lines, engine))
        return compound_lattices(whole, self.compounds, engine=engine)

    def encode_stream(
        self, lines: Iterable[str], *, engine: EngineLike = ALL_CORES
    ) -> Iterator[str]:
        """The same a block at a time, in bounded memory."""
        for block in blocks(lines):
            yield from self.encode(block, engine=engine)

    def decode(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Tokenised and cased lines as running text."""
        return self.tokenizer.detokenize(self.casing.restore(lines), engine=engine)

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to make this preprocessor again; plain JSON values."""
        parts = {
            "tokenizer": self.tokenizer,
            "casing": self.casing,
            "compounds": self.compounds,
            "protection": self.protection,
            "known": self.known,
        }
        return {name: part.to_dict() for name, part in parts.items() if part is not None}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Preprocessor":
        """The inverse of `to_dict`."""
        if not isinstance(values, Mapping) or set(values) - {
            "compounds",
            "protection",
            "known",
        } != {"tokenizer", "casing"}:
            raise ConfigError("preprocessor: expected the keys 'tokenizer' and 'casing'")
        for part in values.values():
            if not isinstance(part, Mapping):
                raise ConfigError(f"preprocessor: {part!r}, expected an object with a name")
        compounds, protection = values.get("compounds"), values.get("protection")
        known = values.get("known")
        return cls(
            Tokenizer.from_dict(values["tokenizer"]),
            Casing.from_dict(values["casing"]),
            None if compounds is None else CompoundSplitter.from_dict(compounds),
            None if protection is None else Protection.from_dict(protection),
            None if known is None else KnownWords.from_dict(known),
        )

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


def _between(words: list[str], cased: list[str], masks: set[str]) -> list[str]:
    """What stands between masks, cased; `cased` are the words without tags."""
    rest = iter(cased)
    pieces: list[list[str]] = [[]]
    for word in words:
        own = word if word == TAG_WORD else next(rest)
        if word in masks:
            pieces.append([])
        else:
            pieces[-1].append(own)
    return list(map(" ".join, pieces))
