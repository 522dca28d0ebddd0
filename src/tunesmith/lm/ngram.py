"""`NgramLM`: a back-off n-gram model; scores are log10, as in ARPA files."""

import dataclasses
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, TextIO, cast

import numpy as np
import numpy.typing as npt

from tunesmith import _core
from tunesmith.base.array_file import is_array_file
from tunesmith.base.atomic import atomic_path, atomic_text
from tunesmith.corpus import Sentences
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.text import read_blocks


class WordScore(NamedTuple):
    """What `NgramLM.full_scores` says of a word."""

    log10: float
    length: int
    """How many words the n-gram has that gave the probability."""
    oov: bool


@dataclasses.dataclass(frozen=True)
class WordScores:
    """Scores of all words of many sentences, as arrays.

    The words of sentence `i` are at ``offsets[i]:offsets[i + 1]``, ``</s>`` last if it is scored.
    """

    offsets: npt.NDArray[np.uint64]
    log10: npt.NDArray[np.float32]
    length: npt.NDArray[np.uint8]
    words: npt.NDArray[np.uint32]
    """Word ids; 0 is an unknown word, 2 is ``</s>``."""


@dataclasses.dataclass(frozen=True)
class Perplexity:
    """Perplexity of a text, ``</s>`` counted, with and without unknown words."""

    sentences: int
    tokens: int
    oov: int
    log10: float
    log10_without_oov: float

    @property
    def perplexity(self) -> float:
        """``10^(−log10 p / tokens)`` over all tokens."""
        return _perplexity(self.log10, self.tokens)

    @property
    def perplexity_without_oov(self) -> float:
        """The same over known words and ``</s>`` only."""
        return _perplexity(self.log10_without_oov, self.tokens - self.oov)


def _perplexity(log10: float, tokens: int) -> float:
    if tokens == 0:
        return math.nan
    exponent = -log10 / tokens
    return math.inf if exponent > 308 else float(10.0**exponent)


def write_arpa(native: _core.LmModel | _core.LmEstimate, path: str | Path | None) -> None:
    """Let a native object print itself as an ARPA file."""
    with atomic_text(path) as stream:
        native.write_arpa(cast(TextIO, stream).buffer.write)


class NgramLM:
    """A back-off n-gram language model.

    In sentences, ``<s>``, ``</s>`` and ``<unk>`` are ordinary words: the markers of the model are
    added by `begin` and `end` alone. Words stand between ASCII white space.
    """

    def __init__(self, native: _core.LmModel) -> None:
        self._native = native

    @classmethod
    def load(cls, path: str | Path) -> "NgramLM":
        """Open an ARPA file (plain, gzip or xz; ``-`` is standard input) or a binary model.

        All of a binary model is checked, at the speed of memory.
        """
        if is_array_file(path):
            return cls(_core.LmModel.map(str(path)))
        parser = _core.ArpaParser("<stdin>" if str(path) == "-" else str(path))
        for piece in read_blocks(path, as_it_comes=True):
            parser.feed(piece)
        return cls(parser.finish())

    @classmethod
    def fit(cls, lines: Iterable[str] | Sentences, **options: Any) -> "NgramLM":
        """Estimate a model from sentences; the options are those of `KneserNey`.

        Text that is coded already stays so: ids are not turned into lines and back.

        >>> lm = NgramLM.fit(["the house", "the small house", "a house"], order=3)
        >>> lm.score("the house") > lm.score("house the")
        True
        """
        from tunesmith.lm.training import KneserNey

        method = KneserNey(**options)
        if isinstance(lines, Sentences):
            estimate = method.fit_sentences(lines)
        else:
            estimate = method.fit(lines)
        estimate.report()
        return estimate.model()

    def save(self, path: str | Path) -> None:
        """Write the binary form, which is opened by mapping it into memory."""
        with atomic_path(path) as temporary:
            self._native.save(str(temporary))

    def save_arpa(self, path: str | Path | None) -> None:
        """Write an ARPA file (gzip or xz by its suffix; None or ``-`` is standard output)."""
        write_arpa(self._native, path)

    @property
    def native(self) -> _core.LmModel:
        """The native model, for decoders."""
        return self._native

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self._native.order

    @property
    def counts(self) -> list[int]:
        """How many n-grams there are of length 1, 2, …"""
        return list(self._native.counts)

    @property
    def has_classes(self) -> bool:
        """Whether it is a class-based model."""
        return self._native.has_classes

    def __contains__(self, word: str) -> bool:
        return self._native.word_id(word) != 0

    def __repr__(self) -> str:
        return f"NgramLM(order={self.order}, counts={self.counts})"

    def score(self, sentence: str, *, begin: bool = True, end: bool = True) -> float:
        """log10 probability of a sentence."""
        return self._native.score_sentence(sentence, begin, end)

    def scores(
        self,
        sentences: Iterable[str],
        *,
        begin: bool = True,
        end: bool = True,
        engine: EngineLike = ALL_CORES,
    ) -> npt.NDArray[np.float64]:
        """log10 probabilities of many sentences."""
        return self._native.score_sentences(
            _as_list(sentences), begin, end, as_engine(engine).threads
        )

    def full_scores(
        self, sentence: str, *, begin: bool = True, end: bool = True
    ) -> list[WordScore]:
        """Score, n-gram length and whether it is unknown, of every word of a sentence."""
        return self._native.score_each_word(sentence, begin, end, WordScore)

    def word_scores(
        self,
        sentences: Iterable[str],
        *,
        begin: bool = True,
        end: bool = True,
        engine: EngineLike = ALL_CORES,
    ) -> WordScores:
        """`full_scores` of many sentences, as arrays."""
        return WordScores(
            *self._native.score_words(_as_list(sentences), begin, end, as_engine(engine).threads)
        )

    def perplexity(self, sentences: Iterable[str], *, engine: EngineLike = ALL_CORES) -> Perplexity:
        """Perplexity of a text."""
        sentences = _as_list(sentences)
        scored = self.word_scores(sentences, engine=engine)
        unknown = scored.words == 0
        log10 = scored.log10.astype(np.float64)
        return Perplexity(
            sentences=len(sentences),
            tokens=len(log10),
            oov=int(unknown.sum()),
            log10=float(log10.sum()),
            log10_without_oov=float(log10[~unknown].sum()),
        )


def _as_list(sentences: Iterable[str]) -> list[str]:
    return sentences if isinstance(sentences, list) else list(sentences)
