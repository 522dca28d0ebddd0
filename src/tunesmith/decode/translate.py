"""`Translator`: running text in and out, with n-best lists and explanations."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from pathlib import Path
from typing import overload

from tunesmith.base.errors import InputError, OptionError, in_part
from tunesmith.base.explanation import Explanation
from tunesmith.base.weights import Weights
from tunesmith.decode.base import ModelDecoder, Session
from tunesmith.decode.chart_output import ChartOutput
from tunesmith.decode.explaining import explain
from tunesmith.decode.opening import open_decoder
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.protection import ProtectedSentence, with_units
from tunesmith.decode.reading import SentenceReader
from tunesmith.decode.running_text import running_texts
from tunesmith.decode.search_output import SearchOutput
from tunesmith.decode.sentence import SourceSentence, split
from tunesmith.decode.terms import Terms
from tunesmith.decode.want import KBest
from tunesmith.formats.plf import Lattice
from tunesmith.graph.search import check_size
from tunesmith.model import TranslationModel

# Lines that a memory translates at a time: enough to keep all threads busy, few enough to answer
# soon.
BLOCK_LINES = 256
# Translations listed at a time: fewer lines, where the lists are long.
BLOCK_TRANSLATIONS = 100_000


@dataclass(frozen=True)
class Block:
    """Some consecutive sentences and what became of them."""

    first: int
    """The number of the first sentence, from 0."""
    sources: Sequence[SourceSentence | Lattice]
    output: DecoderOutput
    texts: list[str]
    decoder: ModelDecoder
    weights: Weights

    def nbest_lines(self) -> Iterator[str]:
        """The k-best lists in Moses' format: tokenised, every feature in a block of its own."""
        for number, source in enumerate(self.sources):
            for derivation in self.output.derivations(number):
                text = derivation.text
                if isinstance(source, ProtectedSentence):
                    text = " ".join(with_units(source, derivation.steps, split(text)))
                features = derivation.features.items()
                values = " ".join(f"{name}= {value:.7g}" for name, value in features)
                # The format has no way to say this word; Moses' own escape for it is read by all.
                words = text.split(" ")
                text = " ".join("&#124;&#124;&#124;" if w == "|||" else w for w in words)
                yield (f"{self.first + number} ||| {text} ||| {values} ||| {derivation.score:.7g}")

    def explanation(self, number: int, rank: int = 0, text: str | None = None) -> Explanation:
        """How a translation of a sentence came about, the best one unless another `rank` is given.

        Of a lattice, that of the way it took. `text` is the translation, where it is known.
        """
        row = int(self.output.offsets[number]) + rank
        if text is None:
            text = self.texts[number] if rank == 0 else self.running_texts(number)[rank]
        return explain(
            self.output.derivation(row),
            self.decoder,
            self.weights,
            self.source(number, rank),
            text,
            self.first + number,
        )

    def source(self, number: int, rank: int = 0) -> SourceSentence:
        """What was translated: a sentence, or the way that a translation took in a lattice."""
        source = self.sources[number]
        if isinstance(source, Lattice):
            assert isinstance(self.output, ChartOutput)
            row = int(self.output.offsets[number]) + rank
            return SourceSentence([arc.word for arc in self.output.path(row, source)])
        return source

    def _decoder(model: "ModelDecoder | TranslationModel | str | Path") -> ModelDecoder:
    if isinstance(model, ModelDecoder):
        return model
    if isinstance(model, str | Path):
        model = TranslationModel.load(model)
    if not isinstance(model, TranslationModel):
        raise OptionError(f"model is {_shown(model)}, expected a model directory")
    return open_decoder(model)


def _checked(lines: object) -> list[str]:
    """Lines to translate, if they are."""
    if isinstance(lines, bytes | bytearray | Mapping) or not isinstance(lines, Iterable):
        raise OptionError(f"text is {_shown(lines)}, expected a string or a list of strings")
    texts = list(lines)
    for number, line in enumerate(texts, 1):
        if not isinstance(line, str):
            raise OptionError(f"text {number} is {_shown(line)}, expected a string")
        if "\n" in line or "\0" in line:
            found = "a line end" if "\n" in line else "a NUL character"
            raise OptionError(f"text {number} has {found} in it, expected one line")
    return texts


def _shown(value: object) -> str:
    return f"{in_part(repr(value))} ({type(value).__name__})"


def _gathered(blocks: Iterable[list[str]], size: int) -> Iterator[list[str]]:
    """At least so many lines at a time, but for the last ones: work for all workers."""
    held: list[str] = []
    for block in blocks:
        held += block
        if len(held) >= size:
            yield held
            held = []
    yield held
