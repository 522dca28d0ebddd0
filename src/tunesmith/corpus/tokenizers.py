"""Tokenisers: running text → words between spaces, and back. One small class each.

A tokeniser maps line to line, so empty lines stay in place; it is saved as a plain dict.
"""

import base64
import binascii
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from tunesmith.base.errors import ConfigError, InputError
from tunesmith.corpus import moses
from tunesmith.corpus.lines import Span, find_spans
from tunesmith.corpus.spacing import Spacing, default_spacing
from tunesmith.corpus.unspaced import SPACE, count, cut_runs, learn_pieces, pattern
from tunesmith.engine import ALL_CORES, EngineLike, as_engine


class Written(NamedTuple):
    """A word in running text, and the white space before it."""

    space: str
    text: str


class Tokenizer(ABC):
    """What all tokenisers can do."""

    name: ClassVar[str]
    has_rules: ClassVar[bool] = False
    """Whether its words are those of running text, between which `Spacing` says what stands."""
    signs: ClassVar[Mapping[str, str]] = {}
    """Words that running text does not have, and what it has for each."""

    @property
    def spacing(self) -> Spacing:
        """The usual white space of its language."""
        return default_spacing("en")

    @abstractmethod
    def tokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Each line as words with single spaces between them."""

    def detokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Write each line of words as running text again."""
        return self.spacing.join(lines, engine=engine)

    def spans(self, text: str, words: Sequence[str]) -> list[Span]:
        """The characters of `text` that each of the `words` it was cut into came from."""
        return find_spans(text, words)

    def written(self, words: Sequence[str]) -> list[Written]:
        """Return how running text writes each word of a line, and the white space before it."""
        return [Written(" " * (place > 0), word) for place, word in enumerate(words)]

    def to_dict(self) -> dict[str, Any]:
        """All that is needed to make this tokeniser again."""
        return {"name": self.name}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> "Tokenizer":
        """The inverse of `to_dict`, for any tokeniser."""
        rest = dict(values)
        kind = TOKENIZERS.get(rest.pop("name", None))
        if kind is None:
            raise ConfigError(f"tokenizer {values!r}, expected one of: {', '.join(TOKENIZERS)}")
        try:
            return kind(**rest)
        except TypeError as error:
            raise ConfigError(f"tokenizer {kind.name}: {error}") from error


class MosesTokenizer(Tokenizer):
    """Moses' rules: the words that sacremoses gives, with its data, at native speed.

    Nothing is escaped: ``|``, ``<`` and ``&`` are themselves. Marks and joiners stay with the
    character before them, where Moses would cut a decomposed é or a family emoji into pieces.

    Parameters
    ----------
    language
        Two letters; decides about abbreviations and apostrophes. Unknown languages take English
        abbreviations and set apostrophes apart, as Moses does.
    split_hyphens
        ``new-born`` becomes ``new @-@ born`` (tokenizer.perl's ``-a``).

    >>> german = MosesTokenizer("de")
    >>> german.tokenize(["Das kostet z.B. 3,50 €, nicht wahr?"])
    ['Das kostet z.B. 3,50 € , nicht wahr ?']
    >>> german.detokenize(["Das kostet z.B. 3,50 € , nicht wahr ?"])
    ['Das kostet z.B. 3,50 €, nicht wahr?']
    """

    name = "moses"
    has_rules = True
    signs: ClassVar[Mapping[str, str]] = {"@-@": "-"}

    def __init__(self, language: str = "en", *, split_hyphens: bool = False) -> None:
        self.language, self.split_hyphens = language, split_hyphens

    def tokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Apply the rules; control characters are dropped."""
        native = moses.native_tokenizer(self.language, self.split_hyphens)
        return native.tokenize(lines, as_engine(engine).threads)

    @property
    def spacing(self) -> Spacing:
        """The usual white space of its language."""
        return default_spacing(self.language)

    def to_dict(self) -> dict[str, Any]:
        """Language and options."""
        return {
            "name": self.name,
            "language": self.language,
            "split_hyphens": self.split_hyphens,
        }


class NoTokenizer(Tokenizer):
    """For text that is tokenised already: every line stays as it is."""

    name = "none"

    def tokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """The lines themselves."""
        return list(lines)

    def detokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """The lines themselves."""
        return list(lines)


class CharTokenizer(Tokenizer):
    """Every character is a word, for scripts without spaces; what was a space becomes ``▁``.

    A character is what a reader takes for one (Unicode's grapheme clusters): marks stay with
    their letter, an emoji is whole. The way back is exact; a ``▁`` of the text is doubled.

    >>> CharTokenizer().tokenize(["日本 go"])
    ['日 本 ▁ g o']
    >>> CharTokenizer().detokenize(["日 本 ▁ g o"])
    ['日本 go']
    """

    name = "char"

    def tokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Put spaces between the characters; ASCII white space of any kind becomes ``▁``."""
        return [" ".join(map(self._word, _characters(line))) for line in lines]

    def detokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Take the spaces out again."""
        return ["".join(map(self._character, line.split(" "))) for line in lines]

    def spans(self, text: str, words: Sequence[str]) -> list[Span]:
        """Characters one after the other."""
        ends = list(accumulate(map(len, _characters(text))))
        return list(zip([0, *ends], ends, strict=False))

    def written(self, words: Sequence[str]) -> list[Written]:
        """Characters; white space is one too."""
        return [Written("", self._character(word)) for word in words]

    @staticmethod
    def _word(character: str) -> str:
        if character[0] in " \t\n\v\f\r":
            return SPACE + character[1:].strip(" \t\n\v\f\r")
        return SPACE + character if character[0] == SPACE else character

    @staticmethod
    def _character(word: str) -> str:
        if word.startswith(SPACE * 2):
            return word[1:]
        return " " + word[1:] if word.startswith(SPACE) else word


def _characters(line: str) -> list[str]:
    if line.isascii():
        return list(line)
    # Most lines have only characters that are clusters by themselves; looking for another one is
    # much faster than cutting clusters.
    if not pattern(r"\P{GCB=Other}").search(line):
        return list(line)
    clusters: list[str] = pattern(r"\X").findall(line)
    return clusters


def _decoded(content: str) -> bytes:
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError, TypeError) as error:
        raise ConfigError("tokenizer sentencepiece: content is not base 64") from error


def _sentencepiece(content: bytes, model: str | Path | None) -> Any:
    """SentencePiece's own object for a model, whose file was `model`."""
    from sentencepiece import SentencePieceProcessor

    try:
        processor = SentencePieceProcessor()
        if not processor.LoadFromSerializedProto(content):
            raise RuntimeError
    except RuntimeError as error:
        where = model or "the saved tokenizer"
        raise InputError(where, 0, "not a SentencePiece model", "a .model file") from error
    return processor


class SentencePieceTokenizer(Tokenizer):
    """Pieces of words by a SentencePiece model, which is kept inside the saved tokeniser.

    Give either the path of a ``.model`` file or, as `to_dict` does, its content in base 64.
    """

    name = "sentencepiece"

    def __init__(self, model: str | Path | None = None, *, content: str | None = None) -> None:
        if (model is None) == (content is None):
            raise ConfigError("tokenizer sentencepiece: expected the path of a model file")
        if model is not None:
            try:
                self.content = Path(model).read_bytes()
            except OSError as error:
                raise InputError(
                    model, 0, error.strerror or str(error), "a readable file"
                ) from error
        else:
            self.content = _decoded(content or "")
        self._processor = _sentencepiece(self.content, model)

    def tokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Cut words into pieces."""
        pieces = self._processor.encode(lines, out_type=str, num_threads=as_engine(engine).threads)
        return [" ".join(line) for line in pieces]

    def detokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Put the pieces together."""
        if not lines:  # which the library takes for the pieces of one line
            return []
        text: list[str] = self._processor.decode(
            [line.split() for line in lines], num_threads=as_engine(engine).threads
        )
        return text

    def spans(self, text: str, words: Sequence[str]) -> list[Span]:
        """The characters that the library has for each piece."""
        spans: list[Span] = self._processor.encode(text, out_type="offset_mapping")["offsets"]
        return spans

    def written(self, words: Sequence[str]) -> list[Written]:
        """Pieces, with a space where a word begins; bytes of a character go with the first."""
        [text] = self.detokenize([" ".join(words)], engine=1)
        own = [Written(" " * one.startswith(SPACE), one.removeprefix(SPACE)) for one in words]
        own[:1] = [one._replace(space="") for one in own[:1]]
        if "".join(map("".join, own)) != text:
            return [Written("", text), *(Written("", "") for _ in words[1:])] if words else []
        return own

    def to_dict(self) -> dict[str, Any]:
        """The whole model."""
        return {"name": self.name, "content": base64.b64encode(self.content).decode("ascii")}


class UnigramTokenizer(Tokenizer):
    """For scripts without spaces: their words are learned from the training text (`unspaced`).

    Words of other scripts in the text are those of Moses' rules. Until `fit`, and where there is
    too little text to learn from, every character of such a script is a word.

    >>> raw = UnigramTokenizer().fit(["使用 Kubernetes 的网站。"])
    >>> raw.tokenize(["网站"])
    ['网 站']
    >>> raw.detokenize(["使 用 Kubernetes 的 网 站 。"])
    ['使用 Kubernetes 的网站。']
    """

    name = "unigram"
    has_rules = True
    signs: ClassVar[Mapping[str, str]] = {SPACE: ""}
    # Moses' rules leave words of these languages whole.
    WHOLE: ClassVar[str] = "zh"

    def __init__(self, *, content: str = "", spaced: bool = False) -> None:
        self.content = _decoded(content)
        self.spaced = spaced
        self._processor = _sentencepiece(self.content, None) if self.content else None

    def fit(self, lines: Sequence[str]) -> "UnigramTokenizer":
        """Learn the words, and whether words of other scripts have spaces beside them."""
        # The full stop of Khmer and Burmese has no space before it, whatever stands there.
        letter, other = r"[[{run}]--\p{P}]", "[a-zA-Z0-9]"
        with_space = count(rf"{letter}\s+{other}|{other}\s+{letter}", lines)
        without = count(rf"{letter}{other}|{other}{letter}", lines)
        self.content, self.spaced = learn_pieces(lines), with_space > without
        self._processor = _sentencepiece(self.content, None) if self.content else None
        return self

    def tokenize(self, lines: list[str], *, engine: EngineLike = ALL_CORES) -> list[str]:
        """Cut what has no spaces into words, the rest by Moses' rules."""
        rules = MosesTokenizer(self.WHOLE)
        return rules.tokenize(cut_runs(lines, self._processor), engine=engine)

    @cached_property
    def spacing(self) -> Spacing:
        """That of scripts without spaces, around which words of others have some or none."""
        return Spacing(self.WHOLE, spaced=self.spaced)

    def to_dict(self) -> dict[str, Any]:
        """The whole model."""
        content = base64.b64encode(self.content).decode("ascii")
        return {"name": self.name, "content": content, "spaced": self.spaced}


TOKENIZERS: dict[Any, type[Tokenizer]] = {
    kind.name: kind
    for kind in (
        MosesTokenizer,
        NoTokenizer,
        CharTokenizer,
        SentencePieceTokenizer,
        UnigramTokenizer,
    )
}


def make_tokenizer(
    name: str = "moses", *, language: str = "en", model: str | Path | None = None
) -> Tokenizer:
    """The tokeniser that a command line names; `model` is SentencePiece's."""
    if name == MosesTokenizer.name:
        return MosesTokenizer(language)
    if name == SentencePieceTokenizer.name:
        return SentencePieceTokenizer(model)
    return Tokenizer.from_dict({"name": name})
